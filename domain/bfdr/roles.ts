import type { JsonObject } from '../fhir/json.ts';
import { profileName, profilesOf } from '../fhir/profiles.ts';

/** What a Patient is in a course of care. */
export type PatientRole = 'mother' | 'child';

const CHILD_WORD = /child|newborn|fetus|decedent/;
const MOTHER_WORD = /mother|maternal/;

/**
 * The role of a Patient by keyword in the last path segment of each declared profile. Within one
 * profile a child word wins, across several the mother. Null: in no role, and never guessed.
 * @see spec "FHIR resources read from a submitted course of care"
 */
export const roleOf = (patient: JsonObject): PatientRole | null => {
  let role: PatientRole | null = null;
  for (const profile of profilesOf(patient)) {
    const name = profileName(profile);
    if (CHILD_WORD.test(name)) role = 'child';
    else if (MOTHER_WORD.test(name)) return 'mother';
  }
  return role;
};

/** Says whether a profile of the Patient names a fetus. */
export const isFetus = (patient: JsonObject): boolean =>
  profilesOf(patient).some((profile) => profileName(profile).includes('fetus'));

/** Says whether a profile of the Patient names a decedent that may or may not be a fetus. */
export const isDecedent = (patient: JsonObject): boolean =>
  profilesOf(patient).some((profile) => profileName(profile).includes('decedent'));
