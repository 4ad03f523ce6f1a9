import type { Answer } from './insistent.ts';
import type { LoadParts } from './load-parts.ts';

/** A push under an Idempotency-Key, or without one. */
export const requestOf = (
  { token }: Pick<LoadParts, 'token'>,
  body: object,
  key: string | null,
): RequestInit => ({
  method: 'POST',
  headers: {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/fhir+json',
    ...(key === null ? {} : { 'Idempotency-Key': key }),
  },
  body: JSON.stringify(body),
});

/** Where pushes go. */
export const DOOR = '/api/registry/fhir/Bundle';

/** The address of the receipt that an answer promises. */
export const receiptIn = ({ headers }: Answer): string => headers.get('content-location') ?? '';

/** Which ingestion an address means: each process names itself in it. */
export const ingestionOf = (receipt: string): string => new URL(receipt).pathname;
