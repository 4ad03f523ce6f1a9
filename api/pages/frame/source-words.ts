const WORDS: Readonly<Record<string, string>> = {
  fhir_push: 'Sent by an EHR',
  manual: 'Entered by hand',
  csv: 'Imported from a file',
  ehr_pull: 'Pre-filled from the EHR',
};

/** Where a record or a value came from, in words. @param sender name of the EHR, if it is known */
export const sourceWords = (source: string, sender: string | null = null): string =>
  source === 'fhir_push' && sender !== null ? `Sent by ${sender}` : (WORDS[source] ?? source);
