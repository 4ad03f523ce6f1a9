import { asObject, asObjects, asText, type JsonObject } from '../../fhir/json.ts';
import type { Document } from '../../fhir/references.ts';
import { getProfiles, isPlanned, isVoid, parseProfileName } from '../../fhir/resources.ts';
import { findSubject, type People } from './people.ts';

/** Statuses of an Encounter that may not have taken place. `nullified` is from HL7 v3. */
export const DOUBTFUL_STATUSES: ReadonlySet<string> = new Set(['nullified', 'unknown']);

/**
 * None canceled, entered in error, or planned; nullified or unknown ones only without others.
 * @see docs/design/reading.md
 */
export const findEncounters = (document: Document): readonly JsonObject[] => {
  const begun = rankStatus(document).filter(hasBegun);
  const certain = begun.filter(isCertain);
  return certain.length > 0 ? certain : begun;
};

const rankStatus = (document: Document): readonly JsonObject[] =>
  document.ofType('Encounter').filter((encounter) => !isVoid(encounter));

const isCertain = (encounter: JsonObject): boolean =>
  !DOUBTFUL_STATUSES.has(asText(encounter['status']) ?? '');

const hasBegun = (encounter: JsonObject): boolean => !isPlanned(encounter);

/**
 * Finds the Encounter of the birth: the one that the Composition refers to, if it has a location;
 * else one with a profile ending in `birth`; else one whose subject is a child; else the first with
 * a location; else the first. If several match by profile or subject, the first with a location is
 * preferred, so that a twin's sparse Encounter does not hide the place. A nullified or unknown one
 * is used only if no other has a location, and a planned one only if none of those has: a status is
 * no reason to reject a record.
 * @see spec "Place of birth"
 */
export const findBirthEncounter = (document: Document, people: People): JsonObject | null => {
  const standing = rankStatus(document);
  const begun = standing.filter(hasBegun);
  const named = findNamedByComposition(document);
  if (named !== null && begun.includes(named) && hasLocation(named)) return named;
  const certain = begun.filter(isCertain);
  const some = [certain, begun].find((encounters) => encounters.some(hasLocation)) ?? standing;
  return chooseBirth(some, document, people);
};

export const isNamedEncounterMissing = (document: Document): boolean => {
  const [composition] = document.ofType('Composition');
  const named = asText(asObject(composition?.['encounter'])['reference']);
  return named !== null && findNamedByComposition(document) === null;
};

const findNamedByComposition = (document: Document): JsonObject | null => {
  const [composition] = document.ofType('Composition');
  return composition === undefined ? null : document.resolve(composition['encounter'], composition);
};

/** Planned stays, and stays that begin after the birth, only if there are no others. */
export const findStays = (encounter: JsonObject, people: People): readonly JsonObject[] => {
  const stays = asObjects(encounter['location']);
  if (stays.length < 2) return stays;
  const facts = stays.filter((stay) => !isPlanned(stay) && !people.isAfterBirth(stay));
  return facts.length > 0 ? facts : stays;
};

const chooseBirth = (
  encounters: readonly JsonObject[],
  document: Document,
  people: People,
): JsonObject | null =>
  choosePreferred(encounters.filter(isBirthByProfile)) ??
  choosePreferred(encounters.filter((encounter) => isOfChild(encounter, document, people))) ??
  choosePreferred(encounters);

const choosePreferred = (encounters: readonly JsonObject[]): JsonObject | null =>
  encounters.find(hasLocation) ?? encounters[0] ?? null;

const isBirthByProfile = (encounter: JsonObject): boolean =>
  getProfiles(encounter).some((profile) => parseProfileName(profile).endsWith('birth'));

const isOfChild = (encounter: JsonObject, document: Document, people: People): boolean =>
  findSubject(encounter, document, people).kind === 'child';

const hasLocation = (encounter: JsonObject): boolean => asObjects(encounter['location']).length > 0;
