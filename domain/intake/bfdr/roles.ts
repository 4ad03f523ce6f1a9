import type { JsonObject } from '../../fhir/json.ts';
import { getProfiles, parseProfileName } from '../../fhir/resources.ts';

export type PatientRole = 'mother' | 'child';

/** Words in a profile name that identify a child's Patient. */
export const CHILD_WORDS: readonly string[] = ['child', 'newborn', 'fetus', 'decedent'];

/**
 * Words in a profile name that identify the mother's Patient, unless the name also has a word for a
 * child.
 */
export const MOTHER_WORDS: readonly string[] = ['mother', 'maternal'];

const CHILD_WORD = new RegExp(CHILD_WORDS.join('|'));
const MOTHER_WORD = new RegExp(MOTHER_WORDS.join('|'));

/**
 * Finds the role of a Patient by keyword in the last path segment of each declared profile. Within
 * one profile, child words have priority; across several, the mother. Returns null for no role, and
 * never guesses.
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

/** True if a profile of the Patient is for a fetus. */
export const isFetus = (patient: JsonObject): boolean =>
  getProfiles(patient).some((profile) => parseProfileName(profile).includes('fetus'));

/** True if a profile of the Patient is for a decedent, which may or may not be a fetus. */
export const isDecedent = (patient: JsonObject): boolean =>
  getProfiles(patient).some((profile) => parseProfileName(profile).includes('decedent'));

// In any spelling of their addresses, such as that of a build, or with a slash at the end.
const VITAL_RECORDS = /vr-common-library|\/(?:bfdr|vrdr)\/|-vr(?:\.html|\/)?$/;

/** True if a Patient claims a profile of the guides for vital records, whose codes it then has. */
export const isOfVitalRecords = (patient: JsonObject): boolean =>
  getProfiles(patient).some((profile) => {
    const [address = ''] = profile.toLowerCase().split('|');
    return VITAL_RECORDS.test(address.trim());
  });
