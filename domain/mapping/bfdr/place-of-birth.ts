import {
  GUIDE_PLACE_CODES,
  type HomePlan,
  PLACE_CODES,
  type PlaceOfBirth,
} from '../../course/codes.ts';
import {
  PLACE_OF_BIRTH_REQUIRED,
  type Rejection,
  rejectPlaceCode,
} from '../../course/rejections.ts';
import {
  type Coding,
  looksLikeACode,
  ROLE_CODES,
  readCodings,
  SNOMED,
  statesUnknown,
} from '../../fhir/coded-values.ts';
import { readUnrecorded } from '../../fhir/extensions.ts';
import { asObject, asText, firstMatch, type JsonObject } from '../../fhir/json.ts';
import type { Document } from '../../fhir/references.ts';
import { findStays } from './encounters.ts';
import type { People } from './people.ts';

/** @see spec "Push lane", key kinds */
export type Lane = 'native' | 'partner';

/**
 * `null` if missing (partner lane only). `unrecognized` has the ignored type codes, each once; null for
 * text that does not look like one.
 */
export type PlaceReading =
  | {
      readonly kind: 'place';
      readonly place: PlaceOfBirth | null;
      /** Plan of a home birth; null if not stated, or the place is not Home. */
      readonly homePlan: HomePlan | null;
      readonly unrecognized: readonly (string | null)[];
      readonly isLocationMissing: boolean;
    }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

export const LOCAL_CODES = 'http://hl7.org/fhir/us/bfdr/CodeSystem/CodeSystem-local-bfdr-codes';

/** Such as HOSP or loc_birth; not for the place of birth. */
export const FUNCTION_SYSTEMS: ReadonlySet<string> = new Set([ROLE_CODES, LOCAL_CODES]);

/** Location types that the guide uses for their role in a record. */
export const LOCATION_ROLES = {
  birth: 'loc_birth',
  transferFrom: 'loc_transfer-from',
  transferTo: 'loc_transfer-to',
} as const;

export const GUIDE_ROLES: ReadonlySet<string> = new Set(Object.values(LOCATION_ROLES));

/** Physical type of a vehicle. @see http://terminology.hl7.org/CodeSystem/location-physical-type */
export const VEHICLE = 've';

/**
 * A type coding outside the value set is rejected in both lanes, never read as Other.
 * `Encounter.location.physicalType` is used if the codings are only about the location's function. The
 * vehicle fallback applies only if all type codings are roles of the guide.
 * @see spec "Place of birth"
 */
export const readPlaceOfBirth = (
  encounter: JsonObject | null,
  document: Document,
  people: People,
  lane: Lane,
): PlaceReading => {
  const { types, roles, locationKinds, encounterKinds, listPlans, isMissing } = listCodings(
    encounter,
    document,
    people,
  );
  const toReading = (
    place: PlaceOfBirth | null,
    unrecognized: readonly (string | null)[] = [],
  ): PlaceReading => ({
    kind: 'place',
    place,
    homePlan:
      place === 'Home'
        ? firstMatch(listPlans(), (coding) => findInGuide(coding)?.plan ?? null)
        : null,
    unrecognized,
    isLocationMissing: isMissing,
  });
  const byType = findPlace(types);
  if (byType !== null) return toReading(byType, findUnrecognized(types));
  const [firstType] = types;
  const place = types.every(statesFunction)
    ? firstMatch(encounterKinds, (coding) => findInGuide(coding)?.place ?? null)
    : null;
  const refused = types.every(statesFunction) ? findRefused(encounterKinds) : null;
  if (firstType !== undefined && place === null)
    return {
      kind: 'rejected',
      rejection:
        refused === null
          ? rejectPlaceCode(firstType.code ?? '')
          : rejectPlaceCode(refused, 'Encounter.location.physicalType'),
    };
  const kinds = [...locationKinds, ...encounterKinds];
  const isInVehicle = kinds.some(({ code }) => code?.toLowerCase() === VEHICLE);
  if (firstType === undefined && isInVehicle) return toReading('En route');
  if (place !== null) return toReading(place);
  if (refused !== null && (lane === 'native' || roles.length > 0))
    return {
      kind: 'rejected',
      rejection: rejectPlaceCode(refused, 'Encounter.location.physicalType'),
    };
  return lane === 'native'
    ? { kind: 'rejected', rejection: PLACE_OF_BIRTH_REQUIRED }
    : toReading(null, findUnrecognized(kinds.filter(namesAnything)));
};

const findInGuide = ({ code }: Coding) => GUIDE_PLACE_CODES.get(code ?? '');

type CodingsAt = {
  readonly types: readonly Coding[];
  readonly roles: readonly Coding[];
  readonly locationKinds: readonly Coding[];
  readonly encounterKinds: readonly Coding[];
  /** Lists the codings that may say if a home birth was planned; none if the record does not say it. */
  readonly listPlans: () => readonly Coding[];
  readonly isMissing: boolean;
};

const NO_CODINGS: CodingsAt = {
  types: [],
  roles: [],
  locationKinds: [],
  encounterKinds: [],
  listPlans: () => [],
  isMissing: false,
};

const listCodings = (
  encounter: JsonObject | null,
  document: Document,
  people: People,
): CodingsAt => {
  if (encounter === null) return NO_CODINGS;
  const stays = findStays(encounter, people);
  const resolved = stays.map((stay) => document.resolve(stay['location'], encounter));
  const locations = [...new Set(resolved)]
    .filter((resource) => resource !== null)
    .filter((resource) => resource['resourceType'] === 'Location');
  const types = locations.flatMap((location) => readCodings(location['type'])).filter(hasCode);
  const kinds = stays.map((stay) => stay['physicalType']);
  return {
    types: types.filter((type) => !isGuideRole(type)),
    roles: types.filter(isGuideRole),
    locationKinds: locations.flatMap((location) => readCodings(location['physicalType'])),
    encounterKinds: kinds.flatMap(readCodings),
    listPlans: () => kinds.filter(isPlanRecorded).flatMap(readCodings),
    isMissing: stays.some((stay, index) => resolved[index] === null && refers(stay['location'])),
  };
};

const refers = (reference: unknown): boolean => asText(asObject(reference)['reference']) !== null;

const isPlanRecorded = (kind: unknown): boolean =>
  !readUnrecorded(asObject(kind)).has('planned_home_birth');

const isGuideRole = ({ code }: Coding): boolean => GUIDE_ROLES.has(code ?? '');

// Rejects only codes that are meant as a place of birth, not codes of rooms, such as a ward.
const findRefused = (encounterKinds: readonly Coding[]): string | null =>
  encounterKinds.find(
    ({ system, code }) =>
      code !== null && !statesUnknown(code) && system === SNOMED && looksLikeACode(code),
  )?.code ?? null;

const namesAnything = ({ code }: Coding): boolean => code !== null && !statesUnknown(code);

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
