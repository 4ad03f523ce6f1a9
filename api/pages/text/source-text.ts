const WORDS: Readonly<Record<string, string>> = {
  fhir_push: 'Sent by an EHR',
  manual: 'Entered by hand',
  csv: 'Imported from a file',
  ehr_pull: 'Pre-filled from the EHR',
};

/** @param sender name of the EHR, if known */
export const formatSource = (source: string, sender: string | null = null): string =>
  source === 'fhir_push' && sender !== null ? `Sent by ${sender}` : (WORDS[source] ?? source);
