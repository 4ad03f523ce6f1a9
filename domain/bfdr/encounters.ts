import { type JsonObject, objectsOf, textOf } from '../fhir/json.ts';
import { profileName, profilesOf } from '../fhir/profiles.ts';
import type { Document } from '../fhir/references.ts';
import { isVoid } from '../fhir/statuses.ts';
import { type People, subjectOf } from './people.ts';

/** Statuses of an Encounter that may not have taken place. `nullified` is of HL7 v3. */
export const DOUBTFUL_STATUSES: ReadonlySet<string> = new Set(['nullified', 'unknown']);

/**
 * The Encounters that transfers and people are read from: none that is cancelled or entered in
 * error, and one whose status is nullified or unknown only where there is no other.
 * @see docs/decisions/2026-11-20-reading-bundles.md
 */
export const encountersOf = (document: Document): readonly JsonObject[] => {
  const standing = standingIn(document);
  const certain = standing.filter(isCertain);
  return certain.length > 0 ? certain : standing;
};

const standingIn = (document: Document): readonly JsonObject[] =>
  document.ofType('Encounter').filter((encounter) => !isVoid(encounter));

const isCertain = (encounter: JsonObject): boolean =>
  !DOUBTFUL_STATUSES.has(textOf(encounter['status']) ?? '');

/**
 * Finds the Encounter of the birth: by a profile ending in `birth`; else the one whose subject is
 * a child; else the first with a location; else the first. Of several by profile or subject, the
 * first with a location is preferred, so that a twin's sparse Encounter does not hide the place.
 * One whose status is nullified or unknown is found only where no other has a location: a record
 * is not refused over a status.
 * @see spec "Place of birth"
 */
export const birthEncounterOf = (document: Document, people: People): JsonObject | null => {
  const standing = standingIn(document);
  const certain = standing.filter(isCertain);
  return birthAmong(certain.some(hasLocation) ? certain : standing, document, people);
};

const birthAmong = (
  encounters: readonly JsonObject[],
  document: Document,
  people: People,
): JsonObject | null =>
  preferred(encounters.filter(isBirthByProfile)) ??
  preferred(encounters.filter((encounter) => isOfChild(encounter, document, people))) ??
  preferred(encounters);

const preferred = (encounters: readonly JsonObject[]): JsonObject | null =>
  encounters.find(hasLocation) ?? encounters[0] ?? null;

const isBirthByProfile = (encounter: JsonObject): boolean =>
  profilesOf(encounter).some((profile) => profileName(profile).endsWith('birth'));

const isOfChild = (encounter: JsonObject, document: Document, people: People): boolean =>
  subjectOf(encounter, document, people).kind === 'child';

const hasLocation = (encounter: JsonObject): boolean => objectsOf(encounter['location']).length > 0;
