import type { JsonObject } from '../fhir/json.ts';
import { objectsOf } from '../fhir/json.ts';
import { profileName, profilesOf } from '../fhir/profiles.ts';
import type { Document } from '../fhir/references.ts';
import { type People, subjectOf } from './people.ts';

/**
 * Finds the Encounter of the birth: by a profile ending in `birth`; else the one whose subject is
 * a child; else the first with a location; else the first. Of several by profile or subject, the
 * first with a location is preferred, so that a twin's sparse Encounter does not hide the place.
 * @see spec "Place of birth"
 */
export const birthEncounterOf = (document: Document, people: People): JsonObject | null => {
  const encounters = document.ofType('Encounter');
  return (
    preferred(encounters.filter(isBirthByProfile)) ??
    preferred(encounters.filter((encounter) => isOfChild(encounter, document, people))) ??
    preferred(encounters)
  );
};

const preferred = (encounters: readonly JsonObject[]): JsonObject | null =>
  encounters.find(hasLocation) ?? encounters[0] ?? null;

const isBirthByProfile = (encounter: JsonObject): boolean =>
  profilesOf(encounter).some((profile) => profileName(profile).endsWith('birth'));

const isOfChild = (encounter: JsonObject, document: Document, people: People): boolean =>
  subjectOf(encounter, document, people).kind === 'child';

const hasLocation = (encounter: JsonObject): boolean => objectsOf(encounter['location']).length > 0;
