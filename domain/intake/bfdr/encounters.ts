import { asObjects, asText, type JsonObject } from '../../fhir/json.ts';
import type { Document } from '../../fhir/references.ts';
import { getProfiles, isPlanned, isVoid, parseProfileName } from '../../fhir/resources.ts';
import { isAfterBirth } from './births.ts';
import { findSubject, type People } from './people.ts';

/** Statuses of an Encounter that may not have taken place. `nullified` is of HL7 v3. */
export const DOUBTFUL_STATUSES: ReadonlySet<string> = new Set(['nullified', 'unknown']);

/**
 * The Encounters that transfers and people are read from: none that is cancelled, entered in
 * error or planned, and one whose status is nullified or unknown only where there is no other.
 * @see docs/decisions/2026-11-20-reading-bundles.md
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
 * Finds the Encounter of the birth: the one that the Composition names, if it has a location; else
 * by a profile ending in `birth`; else the one whose subject is a child; else the first with a
 * location; else the first. Of several by profile or subject, the first with a location is
 * preferred, so that a twin's sparse Encounter does not hide the place. One whose status is
 * nullified or unknown is found only where no other has a location, a planned one only where none
 * of those has: a record is not refused over a status.
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

const findNamedByComposition = (document: Document): JsonObject | null => {
  const [composition] = document.ofType('Composition');
  return composition === undefined ? null : document.resolve(composition['encounter'], composition);
};

/**
 * The stays at a location of an Encounter: those that are planned, or that begin after the birth,
 * only where there is no other.
 */
export const findStays = (encounter: JsonObject, people: People): readonly JsonObject[] => {
  const stays = asObjects(encounter['location']);
  if (stays.length < 2) return stays;
  const facts = stays.filter((stay) => !isPlanned(stay) && !isAfterBirth(stay, people.births));
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
