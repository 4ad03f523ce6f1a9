import { PLACE_CODES, type PlaceOfBirth } from '../course-of-care/codes.ts';
import { type Coding, codingsOf, looksLikeACode } from '../fhir/coded-values.ts';
import { type JsonObject, objectsOf } from '../fhir/json.ts';
import type { Document } from '../fhir/references.ts';
import { PLACE_OF_BIRTH_REQUIRED, type Rejection, unrecognisedPlaceCode } from '../rejections.ts';

/** The kind of key a Bundle came with. @see spec "Push lane", key kinds */
export type Lane = 'native' | 'partner';

/**
 * The place of birth, none (partner lane), or the reason against the record. `unrecognised` are the
 * type codes that were passed over, each once; null for one that does not look like a code.
 */
export type PlaceReading =
  | {
      readonly kind: 'place';
      readonly place: PlaceOfBirth | null;
      readonly unrecognised: readonly (string | null)[];
    }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

/** The code system of the BFDR guide itself. */
export const LOCAL_CODES = 'http://hl7.org/fhir/us/bfdr/CodeSystem/CodeSystem-local-bfdr-codes';

/**
 * Systems by which the BFDR guide states what a location is for, such as HOSP or loc_birth, not
 * where the birth took place.
 */
export const FUNCTION_SYSTEMS: ReadonlySet<string> = new Set([
  'http://terminology.hl7.org/CodeSystem/v3-RoleCode',
  LOCAL_CODES,
]);

/** The physicalType of a vehicle. @see http://terminology.hl7.org/CodeSystem/location-physical-type */
export const VEHICLE = 've';

/**
 * Reads the place of birth from the locations of the birth Encounter. A type coding that the value
 * set does not know is refused in both lanes and never read as Other; codings of a location's
 * function leave the word to `Encounter.location.physicalType`, the BFDR element for the place;
 * the vehicle fallback needs that there is no type coding at all.
 * @see spec "Place of birth"
 */
export const placeOfBirthIn = (
  encounter: JsonObject | null,
  document: Document,
  lane: Lane,
): PlaceReading => {
  const { types, locationKinds, encounterKinds } = codingsAt(encounter, document);
  const byType = placeIn(types);
  if (byType !== null) return { kind: 'place', place: byType, unrecognised: unrecognisedIn(types) };
  const [firstType] = types;
  if (firstType !== undefined) {
    const place = types.every(statesFunction) ? placeIn(encounterKinds) : null;
    return place === null
      ? { kind: 'rejected', rejection: unrecognisedPlaceCode(firstType.code ?? '') }
      : { kind: 'place', place, unrecognised: [] };
  }
  if ([...locationKinds, ...encounterKinds].some(({ code }) => code === VEHICLE))
    return { kind: 'place', place: 'En route', unrecognised: [] };
  const place = placeIn(encounterKinds);
  return place === null && lane === 'native'
    ? { kind: 'rejected', rejection: PLACE_OF_BIRTH_REQUIRED }
    : { kind: 'place', place, unrecognised: [] };
};

type CodingsAt = {
  readonly types: readonly Coding[];
  readonly locationKinds: readonly Coding[];
  readonly encounterKinds: readonly Coding[];
};

const codingsAt = (encounter: JsonObject | null, document: Document): CodingsAt => {
  if (encounter === null) return { types: [], locationKinds: [], encounterKinds: [] };
  const stays = objectsOf(encounter['location']);
  const resolved = stays
    .map((stay) => document.resolve(stay['location'], encounter))
    .filter((resource) => resource !== null)
    .filter((resource) => resource['resourceType'] === 'Location');
  const locations = [...new Set(resolved)];
  return {
    types: locations.flatMap((location) => codingsOf(location['type'])).filter(hasCode),
    locationKinds: locations.flatMap((location) => codingsOf(location['physicalType'])),
    encounterKinds: stays.flatMap((stay) => codingsOf(stay['physicalType'])),
  };
};

const hasCode = ({ code }: Coding): boolean => code !== null;

const statesFunction = ({ system }: Coding): boolean =>
  system !== null && FUNCTION_SYSTEMS.has(system);

const unrecognisedIn = (types: readonly Coding[]): readonly (string | null)[] => {
  const others = types.filter((type) => placeIn([type]) === null && !statesFunction(type));
  const codes = new Set(others.map(({ code }) => code));
  return [...codes].map((code) => (code !== null && looksLikeACode(code) ? code : null));
};

const placeIn = (codings: readonly Coding[]): PlaceOfBirth | null => {
  for (const { code } of codings) {
    const place = PLACE_CODES.get(code ?? '');
    if (place !== undefined) return place;
  }
  return null;
};
