/**
 * Names of the streams. A name shows up in logs and admin pages, so it never holds a chart number,
 * an idempotency key or an email: those arrive here as keyed hashes.
 * @see docs/decisions/2026-11-20-event-log-and-embedded-node.md
 */

/** The first stream of a log: who this registry is. */
export const REGISTRY_STREAM = 'registry';

const KINDS = [
  'record',
  'ingestion',
  'practice',
  'key',
  'partner',
  'partnerkeys',
  'member',
  'staff',
  'provider',
  'merges',
  'access',
  'work',
] as const;

/** Kind of a stream, which is the prefix of its name. */
export type StreamKind = typeof REGISTRY_STREAM | (typeof KINDS)[number];

/** Prefixes of every stream of the service; a shared log may hold other streams beside them. */
export const STREAM_PREFIXES: readonly string[] = [
  REGISTRY_STREAM,
  ...KINDS.map((kind) => `${kind}-`),
];

const kinds: ReadonlyMap<string, StreamKind> = new Map(KINDS.map((kind) => [kind, kind]));

/** The kind of a stream; null when it is none of ours. */
export const kindOfStream = (stream: string): StreamKind | null =>
  stream === REGISTRY_STREAM
    ? REGISTRY_STREAM
    : (kinds.get(stream.slice(0, Math.max(stream.indexOf('-'), 0))) ?? null);

/** Stream of one birth record. @param hash keyed hash of practice and chart number */
export const recordStream = (hash: string): string => `record-${hash}`;

/** Stream of one ingestion. */
export const ingestionStream = (ingestionId: string): string => `ingestion-${ingestionId}`;

/** Stream of one practice. */
export const practiceStream = (practiceId: string): string => `practice-${practiceId}`;

/** Stream of one API key. */
export const keyStream = (keyId: string): string => `key-${keyId}`;

/** Stream of one partner. */
export const partnerStream = (partnerId: string): string => `partner-${partnerId}`;

/** Stream of a partner's place at a practice. @param hash keyed hash of partner and practice */
export const partnerPlaceStream = (hash: string): string => `partnerkeys-${hash}`;

/** Stream of one member of a practice. @param memberId keyed hash of the email */
export const memberStream = (memberId: string): string => `member-${memberId}`;

/** Stream of one person of the service staff. @param staffId keyed hash of the email */
export const staffStream = (staffId: string): string => `staff-${staffId}`;

/** Stream of one provider. @param providerId keyed hash of practice, partner and identity */
export const providerStream = (providerId: string): string => `provider-${providerId}`;

/** Stream of every merge among a partner's providers at a practice. @param hash keyed hash of both */
export const mergesStream = (hash: string): string => `merges-${hash}`;

/**
 * Stream of what was done and seen in one hour in a practice, or outside all of them. An hour's events
 * are few enough to be read whole when it has to be known what of them is there.
 * @param practiceId null: what concerns none
 * @param hour `YYYY-MM-DDTHH`, UTC
 */
export const accessStream = (practiceId: string | null, hour: string): string =>
  `access-${practiceId ?? 'registry'}-${hour}`;

/** Stream of what people said about one thing to do. @param hash keyed hash of practice and item */
export const workStream = (hash: string): string => `work-${hash}`;

const ABOUT_ACCESS: ReadonlySet<StreamKind | null> = new Set([
  'practice',
  'key',
  'partner',
  'member',
  'staff',
]);

/** True if events of the stream can change the rights of an account. */
export const isAboutAccess = (stream: string): boolean => ABOUT_ACCESS.has(kindOfStream(stream));

/** True if the stream is one of the registry's. */
export const isOwnStream = (stream: string): boolean => kindOfStream(stream) !== null;
