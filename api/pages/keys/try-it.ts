import type { Scope } from '../../../domain/api-key/events.ts';

/** A line for a shell that shows that a key works, and what it does. */
export interface TryIt {
  readonly line: string;
  readonly says: string;
}

// No ingestion's: an id of the service has no such word.
const NO_INGESTION = 'try-it';

/** A line that works as it is pasted and makes no record. @param pushBase address of the push lane */
export const tryIt = (pushBase: string, token: string, scopes: readonly Scope[]): TryIt =>
  scopes.includes('ingest:write')
    ? {
        line: `curl -i ${pushBase}/Bundle -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/fhir+json' -d '{"resourceType":"Bundle","type":"document"}'`,
        says: 'It answers 202. It sends an empty submission, which shows up as refused in the log below the keys and makes no record.',
      }
    : {
        line: `curl -i ${pushBase}/ingestions/${NO_INGESTION} -H 'Authorization: Bearer ${token}'`,
        says: 'It answers 404 with the code not-found: the key was let in and there is nothing to read under that name.',
      };
