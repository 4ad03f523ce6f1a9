import { decodeStrictBase64, encodeBase64 } from './base64.ts';
import { formatLeafEntry, hashLeaf, type LeafEvent } from './leaf-entry.ts';
import { isSame } from './merkle-tree.ts';
import type { VerifierKey } from './signed-note.ts';
import { checkTlogProof, formatTlogProof, type TlogProof } from './tlog-proof.ts';

export type EventProof =
  | {
      readonly kind: 'proved';
      readonly event: LeafEvent;
      /** Zero-based index of the leaf. */
      readonly index: number;
      readonly size: number;
    }
  | { readonly kind: 'not-proved'; readonly why: string };

/** An event with the proof that it is in the log, as the registry serves it. */
export interface ProvedEvent {
  readonly event: {
    readonly stream: string;
    readonly revision: number;
    readonly id: string;
    readonly type: string;
    /** Stored bytes, in base64. */
    readonly data: string;
    readonly metadata: string;
  };
  /** Hash of the event's entry, in base64. */
  readonly leaf: string;
  /** A `c2sp.org/tlog-proof@v1`. */
  readonly proof: string;
}

/** @param leaf hash of the event's entry */
export const formatProvedEvent = (
  event: LeafEvent,
  leaf: Uint8Array,
  proof: TlogProof,
): ProvedEvent => {
  const { stream, revision, id, type, data, metadata } = event;
  return {
    event: {
      stream,
      revision: Number(revision),
      id,
      type,
      data: encodeBase64(data),
      metadata: encodeBase64(metadata),
    },
    leaf: encodeBase64(leaf),
    proof: formatTlogProof(proof),
  };
};

const REASONS = {
  'no-proof': 'the proof is not a c2sp.org/tlog-proof@v1',
  'not-signed': 'its checkpoint is not signed by this key, or was changed',
  'not-witnessed': 'its checkpoint is not signed by each of the witnesses',
  'leaf-mismatch': 'the event or its place is not what the log has committed to',
} as const;

/** Recomputes the leaf, so a changed event fails. @param witnesses must all have signed the checkpoint */
export const checkEventProof = (
  file: unknown,
  key: VerifierKey,
  witnesses: readonly VerifierKey[] = [],
): EventProof => {
  const fields = isObject(file) ? file : {};
  const event = parseEvent(fields['event']);
  if (event === null) return refuseProof('it holds no event with data and metadata in base64');
  const leaf = hashLeaf(formatLeafEntry(event));
  const leafInFile = parseBytes(fields['leaf']);
  if (leafInFile === null || !isSame(leafInFile, leaf))
    return refuseProof('its leaf is not the hash of its event');
  const proof = fields['proof'];
  if (typeof proof !== 'string') return refuseProof('it holds no proof');
  const reading = checkTlogProof(proof, leaf, key, witnesses);
  return reading.kind === 'proved'
    ? { kind: 'proved', event, index: reading.index, size: reading.checkpoint.size }
    : refuseProof(REASONS[reading.why]);
};

const refuseProof = (why: string): EventProof => ({ kind: 'not-proved', why });

const REVISION = /^(?:0|[1-9]\d*)$/;
// One line per part: with a line feed inside a part, two events could have the same entry.
const LINE = /^[^\n]+$/;

const parseEvent = (value: unknown): LeafEvent | null => {
  const fields = isObject(value) ? value : {};
  const [stream, id, type] = [fields['stream'], fields['id'], fields['type']].map((text) =>
    typeof text === 'string' && LINE.test(text) ? text : null,
  );
  const revision = String(fields['revision']);
  const [data, metadata] = [parseBytes(fields['data']), parseBytes(fields['metadata'])];
  if (!stream || !id || !type || !REVISION.test(revision)) return null;
  if (data === null || metadata === null) return null;
  return { stream, id, type, revision: BigInt(revision), data, metadata };
};

const parseBytes = (value: unknown): Uint8Array | null => {
  if (value === '') return new Uint8Array();
  return typeof value === 'string' ? decodeStrictBase64(value) : null;
};

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
