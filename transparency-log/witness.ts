import { type Checkpoint, openCheckpoint, parseCheckpoint } from './checkpoint.ts';
import { isExtension, isSame, listConsistencyRanges, type TreeHead } from './merkle-tree.ts';
import { parseNote, type VerifierKey } from './signed-note.ts';
import { hashRange, type ReadTile } from './tiles.ts';
import { formatPath, parsePath } from './tlog-proof.ts';

/** Request to a witness to sign a checkpoint. @see C2SP tlog-witness */
export interface WitnessRequest {
  /** Size of the last checkpoint that the witness is known to have signed; 0 if none. */
  readonly old: number;
  /** Hashes that prove that the checkpoint extends the old one. */
  readonly proof: readonly Uint8Array[];
  /** The checkpoint as a signed note. */
  readonly note: string;
}

const OLD = /^old (0|[1-9]\d*)$/;

/** Formats the body of a request to a witness. */
export const formatWitnessRequest = ({ old, proof, note }: WitnessRequest): string =>
  [`old ${old}`, ...formatPath(proof), '', note].join('\n');

/** Reads what was sent to a witness; null: it is none of that. */
export const parseWitnessRequest = (text: string): WitnessRequest | null => {
  const end = text.indexOf('\n\n');
  if (end < 0) return null;
  const [first = '', ...lines] = text.slice(0, end).split('\n');
  const old = Number(OLD.exec(first)?.[1] ?? Number.NaN);
  const proof = parsePath(lines);
  if (!Number.isSafeInteger(old) || proof === null) return null;
  return { old, proof, note: text.slice(end + 2) };
};

/** Collects the hashes that prove that a tree extends an earlier one. @param old size of that one, from 0 to `size` */
export const proveExtension = async (
  old: number,
  size: number,
  readTile: ReadTile,
): Promise<readonly Uint8Array[]> => {
  const proof: Uint8Array[] = [];
  if (old > 0)
    for (const range of listConsistencyRanges(old, size))
      proof.push(await hashRange(range, readTile));
  return proof;
};

/** A log as its witness knows it. */
export interface WitnessedLog {
  /** Those that its checkpoints may be signed with; none: it is not witnessed any more. */
  readonly keys: readonly VerifierKey[];
  /** What was signed last; null: nothing yet. */
  readonly head: TreeHead | null;
}

/** What a witness answers; only `signs` changes what it remembers. */
export type WitnessAnswer =
  /** It signs the text, and remembers the head as the last one of the log. */
  | { readonly kind: 'signs'; readonly head: TreeHead; readonly text: string }
  | { readonly kind: 'malformed' | 'unknown-log' | 'not-signed' | 'not-proved' }
  /** The witness has signed this size last, or another root for it. */
  | { readonly kind: 'conflict'; readonly size: number };

/** The origin that a request is about, whoever has signed it; null: it holds no checkpoint. */
export const findOrigin = ({ note }: WitnessRequest): string | null =>
  parseCheckpoint(parseNote(note)?.text ?? '')?.origin ?? null;

/**
 * Decides whether to sign a checkpoint: one that its log has signed, and that extends the one signed last.
 * @param log null: it is not known
 */
export const witnessCheckpoint = (
  asked: WitnessRequest,
  log: WitnessedLog | null,
): WitnessAnswer => {
  const note = parseNote(asked.note);
  if (note === null || findOrigin(asked) === null) return { kind: 'malformed' };
  if (log === null || log.keys.length === 0) return { kind: 'unknown-log' };
  const [checkpoint] = log.keys.flatMap((key) => openCheckpoint(asked.note, key) ?? []);
  if (checkpoint === undefined) return { kind: 'not-signed' };
  return extending(asked, checkpoint, log.head) ?? signing(checkpoint, note.text);
};

const signing = ({ size, root }: Checkpoint, text: string): WitnessAnswer => ({
  kind: 'signs',
  head: { size, root },
  text,
});

/** Why a checkpoint does not extend the last one; null: it does. */
const extending = (
  { old, proof }: WitnessRequest,
  checkpoint: Checkpoint,
  last: TreeHead | null,
): WitnessAnswer | null => {
  const known = last?.size ?? 0;
  if (old > checkpoint.size) return { kind: 'malformed' };
  const isForked =
    checkpoint.size === known && last !== null && !isSame(checkpoint.root, last.root);
  if (old !== known || isForked) return { kind: 'conflict', size: known };
  const isProved =
    last === null || known === 0 ? proof.length === 0 : isExtension(last, checkpoint, proof);
  return isProved ? null : { kind: 'not-proved' };
};
