import { cacheTexts, type JsonObject } from '../../fhir/json.ts';
import { getProfiles, parseProfileName } from '../../fhir/resources.ts';

export type PatientRole = 'mother' | 'child';

/** Words in a profile name that identify a child's Patient. */
export const CHILD_WORDS: readonly string[] = ['child', 'newborn', 'fetus', 'decedent'];

/** A word for a child in the same name has priority. */
export const MOTHER_WORDS: readonly string[] = ['mother', 'maternal'];

const CHILD_WORD = new RegExp(CHILD_WORDS.join('|'));
const MOTHER_WORD = new RegExp(MOTHER_WORDS.join('|'));

/**
 * Keyword in the last path segment of each profile; across profiles, the mother has priority. Never
 * guesses.
 * @see spec "FHIR resources read from a submitted course of care"
 */
export const readPatientRole = (patient: JsonObject): PatientRole | null => {
  let role: PatientRole | null = null;
  for (const profile of getProfiles(patient)) {
    const named = findNamedRole(profile);
    if (named === 'mother') return named;
    role ??= named;
  }
  return role;
};

const findNamedRole = cacheTexts((profile): PatientRole | null => {
  const name = parseProfileName(profile);
  if (CHILD_WORD.test(name)) return 'child';
  return MOTHER_WORD.test(name) ? 'mother' : null;
});

export const isFetus = (patient: JsonObject): boolean =>
  getProfiles(patient).some((profile) => parseProfileName(profile).includes('fetus'));

/** True if a profile of the Patient is for a decedent, which may or may not be a fetus. */
export const isDecedent = (patient: JsonObject): boolean =>
  getProfiles(patient).some((profile) => parseProfileName(profile).includes('decedent'));

// In any spelling of their addresses, such as that of a build, or with a slash at the end.
const VITAL_RECORDS = /vr-common-library|\/(?:bfdr|vrdr)\/|-vr(?:\.html|\/)?$/;

export const isOfVitalRecords = (patient: JsonObject): boolean =>
  getProfiles(patient).some(namesVitalRecords);

const namesVitalRecords = cacheTexts((profile) => {
  const [address = ''] = profile.toLowerCase().split('|');
  return VITAL_RECORDS.test(address.trim());
});
