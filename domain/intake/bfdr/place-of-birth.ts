import { PLACE_CODES, type PlaceOfBirth } from '../../course/codes.ts';
import {
  PLACE_OF_BIRTH_REQUIRED,
  type Rejection,
  rejectPlaceCode,
} from '../../course/rejections.ts';
import {
  type Coding,
  looksLikeACode,
  readCodings,
  SNOMED,
  statesUnknown,
} from '../../fhir/coded-values.ts';
import type { JsonObject } from '../../fhir/json.ts';
import type { Document } from '../../fhir/references.ts';
import { findStays } from './encounters.ts';
import type { People } from './people.ts';

/** The kind of key a Bundle came with. @see spec "Push lane", key kinds */
export type Lane = 'native' | 'partner';

/**
 * The place of birth, none (partner lane), or the reason against the record. `unrecognized` are the
 * type codes that were passed over, each once; null for one that does not look like a code.
 */
export type PlaceReading =
  | {
      readonly kind: 'place';
      readonly place: PlaceOfBirth | null;
      readonly unrecognized: readonly (string | null)[];
    }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

/** The code system of the BFDR guide itself. */
export const LOCAL_CODES = 'http://hl7.org/fhir/us/bfdr/CodeSystem/CodeSystem-local-bfdr-codes';

/**
 * Systems by which the BFDR guide states what a location is for, such as HOSP or loc_birth, not
 * the place of birth.
 */
export const FUNCTION_SYSTEMS: ReadonlySet<string> = new Set([
  'http://terminology.hl7.org/CodeSystem/v3-RoleCode',
  LOCAL_CODES,
]);

/** The types of Locations by which the guide says what part they have in a record. */
export const LOCATION_ROLES = {
  birth: 'loc_birth',
  transferFrom: 'loc_transfer-from',
  transferTo: 'loc_transfer-to',
} as const;

/** A role of the guide is never a place. */
export const GUIDE_ROLES: ReadonlySet<string> = new Set(Object.values(LOCATION_ROLES));

/** Codes of the guide's own value set of places that the registry refuses, however they are sent. */
export const REFUSED_PLACES: ReadonlySet<string> = new Set([
  '408838003',
  'unknownplannedhomebirth',
]);

/** The physicalType of a vehicle. @see http://terminology.hl7.org/CodeSystem/location-physical-type */
export const VEHICLE = 've';

/**
 * Reads the place of birth from the locations of the birth Encounter. A type coding that the value
 * set does not know is refused in both lanes and never read as Other; codings of a location's
 * function leave the word to `Encounter.location.physicalType`, the BFDR element for the place;
 * the vehicle fallback needs that there is no type coding but the roles of the guide.
 * @see spec "Place of birth"
 */
export const readPlaceOfBirth = (
  encounter: JsonObject | null,
  document: Document,
  people: People,
  lane: Lane,
): PlaceReading => {
  const { types, roles, locationKinds, encounterKinds } = listCodings(encounter, document, people);
  const byType = findPlace(types);
  if (byType !== null)
    return { kind: 'place', place: byType, unrecognized: findUnrecognized(types) };
  const [firstType] = types;
  const place = types.every(statesFunction) ? findPlace(encounterKinds) : null;
  const refused = types.every(statesFunction) ? findRefused(encounterKinds) : null;
  if (firstType !== undefined && place === null)
    return {
      kind: 'rejected',
      rejection:
        refused === null
          ? rejectPlaceCode(firstType.code ?? '')
          : rejectPlaceCode(refused, 'Encounter.location.physicalType'),
    };
  const isInVehicle = [...locationKinds, ...encounterKinds].some(({ code }) => code === VEHICLE);
  if (firstType === undefined && isInVehicle)
    return { kind: 'place', place: 'En route', unrecognized: [] };
  if (place !== null) return { kind: 'place', place, unrecognized: [] };
  if (refused !== null && (lane === 'native' || roles.length > 0))
    return {
      kind: 'rejected',
      rejection: rejectPlaceCode(refused, 'Encounter.location.physicalType'),
    };
  return lane === 'native'
    ? { kind: 'rejected', rejection: PLACE_OF_BIRTH_REQUIRED }
    : { kind: 'place', place, unrecognized: refused === null ? [] : [refused] };
};

type CodingsAt = {
  /** Without the roles of the guide. */
  readonly types: readonly Coding[];
  readonly roles: readonly Coding[];
  readonly locationKinds: readonly Coding[];
  readonly encounterKinds: readonly Coding[];
};

const listCodings = (
  encounter: JsonObject | null,
  document: Document,
  people: People,
): CodingsAt => {
  if (encounter === null) return { types: [], roles: [], locationKinds: [], encounterKinds: [] };
  const stays = findStays(encounter, people);
  const resolved = stays
    .map((stay) => document.resolve(stay['location'], encounter))
    .filter((resource) => resource !== null)
    .filter((resource) => resource['resourceType'] === 'Location');
  const locations = [...new Set(resolved)];
  const types = locations.flatMap((location) => readCodings(location['type'])).filter(hasCode);
  return {
    types: types.filter((type) => !isGuideRole(type)),
    roles: types.filter(isGuideRole),
    locationKinds: locations.flatMap((location) => readCodings(location['physicalType'])),
    encounterKinds: stays.flatMap((stay) => readCodings(stay['physicalType'])),
  };
};

const isGuideRole = ({ code }: Coding): boolean => GUIDE_ROLES.has(code ?? '');

// A code that is meant for a place: other kinds of rooms, such as a ward, do not state it.
const findRefused = (encounterKinds: readonly Coding[]): string | null =>
  encounterKinds.find(
    ({ system, code }) =>
      code !== null &&
      !statesUnknown(code) &&
      (system === SNOMED || REFUSED_PLACES.has(code)) &&
      looksLikeACode(code),
  )?.code ?? null;

const hasCode = ({ code }: Coding): boolean => code !== null;

const statesFunction = ({ system }: Coding): boolean =>
  system !== null && FUNCTION_SYSTEMS.has(system);

const findUnrecognized = (types: readonly Coding[]): readonly (string | null)[] => {
  const others = types.filter((type) => findPlace([type]) === null && !statesFunction(type));
  const codes = new Set(others.map(({ code }) => code));
  return [...codes].map((code) => (code !== null && looksLikeACode(code) ? code : null));
};

const findPlace = (codings: readonly Coding[]): PlaceOfBirth | null => {
  for (const { code } of codings) {
    const place = PLACE_CODES.get(code ?? '');
    if (place !== undefined) return place;
  }
  return null;
};
