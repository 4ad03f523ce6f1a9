/** LOINC, the system of most Observations and of a coding that names no system. */
export const LOINC = 'http://loinc.org';

const LOINC_SYSTEMS: ReadonlySet<string> = new Set([
  LOINC,
  'https://loinc.org',
  'urn:oid:2.16.840.1.113883.6.1',
]);

/** Whether a system of codes is LOINC, under any of the names that senders give it. */
export const isLoinc = (system: string): boolean => LOINC_SYSTEMS.has(system);

/** SNOMED CT. */
export const SNOMED = 'http://snomed.info/sct';

/** UCUM, the system of units. */
export const UCUM = 'http://unitsofmeasure.org';
