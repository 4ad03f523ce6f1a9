/**
 * Names of the streams. A name shows up in logs and admin pages, so it never holds a chart number
 * or an idempotency key: those arrive here as keyed hashes.
 * @see docs/decisions/2026-11-20-event-log-and-embedded-node.md
 */

/** The first stream of a log: who this registry is. */
export const REGISTRY_STREAM = 'registry';

/** Prefixes of every stream of the service; a shared log may hold other streams beside them. */
export const STREAM_PREFIXES = [
  REGISTRY_STREAM,
  'record-',
  'ingestion-',
  'practice-',
  'key-',
] as const;

/** Stream of one birth record. @param hash keyed hash of practice and chart number */
export const recordStream = (hash: string): string => `record-${hash}`;

/** Stream of one ingestion. */
export const ingestionStream = (ingestionId: string): string => `ingestion-${ingestionId}`;

/** Stream of one practice. */
export const practiceStream = (practiceId: string): string => `practice-${practiceId}`;

/** Stream of one API key. */
export const keyStream = (keyId: string): string => `key-${keyId}`;

/** Whether a stream of the log is one of ours. */
export const isOwnStream = (stream: string): boolean =>
  stream === REGISTRY_STREAM ||
  STREAM_PREFIXES.some((prefix) => prefix !== REGISTRY_STREAM && stream.startsWith(prefix));
