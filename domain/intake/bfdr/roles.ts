import type { JsonObject } from '../../fhir/json.ts';
import { getProfiles, parseProfileName } from '../../fhir/resources.ts';

export type PatientRole = 'mother' | 'child';

/** Words in the name of a profile by which a Patient is a child. */
export const CHILD_WORDS: readonly string[] = ['child', 'newborn', 'fetus', 'decedent'];

/** Words in the name of a profile by which a Patient is the mother, unless one of a child is there. */
export const MOTHER_WORDS: readonly string[] = ['mother', 'maternal'];

const CHILD_WORD = new RegExp(CHILD_WORDS.join('|'));
const MOTHER_WORD = new RegExp(MOTHER_WORDS.join('|'));

/**
 * The role of a Patient by keyword in the last path segment of each declared profile. Within one
 * profile a child word wins, across several the mother. Null: in no role, and never guessed.
 * @see spec "FHIR resources read from a submitted course of care"
 */
export const readPatientRole = (patient: JsonObject): PatientRole | null => {
  let role: PatientRole | null = null;
  for (const profile of getProfiles(patient)) {
    const name = parseProfileName(profile);
    if (CHILD_WORD.test(name)) role = 'child';
    else if (MOTHER_WORD.test(name)) return 'mother';
  }
  return role;
};

/** True if a profile of the Patient names a fetus. */
export const isFetus = (patient: JsonObject): boolean =>
  getProfiles(patient).some((profile) => parseProfileName(profile).includes('fetus'));

/** True if a profile of the Patient names a decedent that may or may not be a fetus. */
export const isDecedent = (patient: JsonObject): boolean =>
  getProfiles(patient).some((profile) => parseProfileName(profile).includes('decedent'));
