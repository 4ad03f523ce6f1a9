/**
 * Names appear in logs and on admin pages: never chart numbers, idempotency keys, or emails, only keyed
 * hashes.
 * @see docs/design/event-log.md
 */

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

export type StreamKind = typeof REGISTRY_STREAM | (typeof KINDS)[number];

/** Prefixes of all registry streams. A shared log may contain other streams. */
export const STREAM_PREFIXES: readonly string[] = [
  REGISTRY_STREAM,
  ...KINDS.map((kind) => `${kind}-`),
];

const kinds: ReadonlyMap<string, StreamKind> = new Map(KINDS.map((kind) => [kind, kind]));

export const kindOfStream = (stream: string): StreamKind | null =>
  stream === REGISTRY_STREAM
    ? REGISTRY_STREAM
    : (kinds.get(stream.slice(0, Math.max(stream.indexOf('-'), 0))) ?? null);

/** @param hash keyed hash of practice and chart number */
export const recordStream = (hash: string): string => `record-${hash}`;

export const ingestionStream = (ingestionId: string): string => `ingestion-${ingestionId}`;

const BUCKET_MS = 2_000;
/** In base 36. Lasts beyond the year 2100. */
const BUCKET_LENGTH = 6;
const KEY_LENGTH = 3;
export const SHARED_NAME_LENGTH = BUCKET_LENGTH + KEY_LENGTH;
const RANDOM_LENGTH = 12;

/**
 * Id of a push without an Idempotency-Key. It names the stream that the push may share with others of the
 * same key and the same two seconds, so the log finds its end by the id alone.
 * @param random at least 12 characters, unpredictable
 */
export const createPushId = (keyId: string, receivedAt: Date, random: string): string => {
  const bucket = Math.floor(receivedAt.getTime() / BUCKET_MS).toString(36);
  const key = keyId.slice(0, KEY_LENGTH).padEnd(KEY_LENGTH, '0');
  return `${bucket.padStart(BUCKET_LENGTH, '0')}${key}${random.slice(0, RANDOM_LENGTH)}`;
};

/**
 * `null` for an ingestion whose events are all in its own stream. The id of a push with an Idempotency-Key is
 * longer; before version 0.3 other ids were random, so what they name is shared with none.
 */
export const getSharedStream = (ingestionId: string): string | null =>
  ingestionId.length === SHARED_NAME_LENGTH + RANDOM_LENGTH
    ? ingestionStream(ingestionId.slice(0, SHARED_NAME_LENGTH))
    : null;

export const practiceStream = (practiceId: string): string => `practice-${practiceId}`;

export const keyStream = (keyId: string): string => `key-${keyId}`;

export const partnerStream = (partnerId: string): string => `partner-${partnerId}`;

/** Stream of a partner's key slot at a practice. @param hash keyed hash of partner and practice */
export const partnerPlaceStream = (hash: string): string => `partnerkeys-${hash}`;

/** @param memberId keyed hash of the email */
export const memberStream = (memberId: string): string => `member-${memberId}`;

/** @param staffId keyed hash of the email */
export const staffStream = (staffId: string): string => `staff-${staffId}`;

/** @param providerId keyed hash of practice, partner, and identity */
export const providerStream = (providerId: string): string => `provider-${providerId}`;

export const mergesStream = (hash: string): string => `merges-${hash}`;

/**
 * Small enough to read whole, to find out which events it already contains.
 * @param practiceId `null` for events outside all practices
 * @param hour `YYYY-MM-DDTHH`, UTC
 */
export const accessStream = (practiceId: string | null, hour: string): string =>
  `access-${practiceId ?? 'registry'}-${hour}`;

/** Stream of one work item. @param hash keyed hash of practice and item */
export const workStream = (hash: string): string => `work-${hash}`;

/** Names of ours are shorter, and longer ones of other programs do not fit into an index. */
const MAX_NAME_LENGTH = 500;

/** Name of a stream for storage and display where it may belong to another program. */
export const shortenStreamName = (stream: string): string =>
  stream
    .slice(0, MAX_NAME_LENGTH)
    // The cut may leave half of a character.
    .replace(HALF_AT_END, '')
    .replace(CONTROLS, '\ufffd');

/** True if the name can be stored and indexed unchanged, as all names of ours can. */
export const isStorableName = (stream: string): boolean => shortenStreamName(stream) === stream;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be stored.
const CONTROLS = /[\0-\x1f]/g;

const HALF_AT_END = /[\ud800-\udbff]$/;

const ABOUT_ACCESS: ReadonlySet<StreamKind | null> = new Set([
  'practice',
  'key',
  'partner',
  'member',
  'staff',
]);

export const isAboutAccess = (stream: string): boolean => ABOUT_ACCESS.has(kindOfStream(stream));

export const isOwnStream = (stream: string): boolean => kindOfStream(stream) !== null;
