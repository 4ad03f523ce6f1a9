import { type Checkpoint, openCheckpoint } from './checkpoint.ts';
import { HASH_LENGTH, isSame, rootFromInclusion } from './merkle-tree.ts';
import { strictBase64, type VerifierKey } from './signed-note.ts';

/** That a leaf is in a log: where, the way up the tree, and the checkpoint it leads to. */
export interface TlogProof {
  /** From 0. */
  readonly index: number;
  /** Hashes from the leaf's sibling upward. */
  readonly path: readonly Uint8Array[];
  /** The signed note, as it is. */
  readonly checkpoint: string;
}

const HEADER = 'c2sp.org/tlog-proof@v1';

/** A proof as it is handed on. @see C2SP tlog-proof */
export const tlogProofText = ({ index, path, checkpoint }: TlogProof): string =>
  [
    HEADER,
    `index ${index}`,
    ...path.map((hash) => Buffer.from(hash).toString('base64')),
    '',
    checkpoint,
  ].join('\n');

const INDEX = /^index (0|[1-9]\d*)$/;
/** A tree of 2^63 leaves needs no more. */
const MOST_HASHES = 63;

/** Reads a proof; null: it is none. Nothing of it is checked yet. */
export const readTlogProof = (text: string): TlogProof | null => {
  const end = text.indexOf('\n\n');
  if (end < 0) return null;
  const [header, ...lines] = text.slice(0, end).split('\n');
  if (lines[0]?.startsWith('extra ') === true) lines.shift();
  const [, index] = INDEX.exec(lines.shift() ?? '') ?? [];
  const path = lines.flatMap((line) => strictBase64(line) ?? []);
  const isWhole =
    header === HEADER &&
    index !== undefined &&
    Number.isSafeInteger(Number(index)) &&
    path.length === lines.length &&
    path.length <= MOST_HASHES &&
    path.every((hash) => hash.length === HASH_LENGTH);
  return isWhole ? { index: Number(index), path, checkpoint: text.slice(end + 2) } : null;
};

/** What a proof was found to be. */
export type ProofReading =
  | { readonly kind: 'proved'; readonly index: number; readonly checkpoint: Checkpoint }
  | { readonly kind: 'not-proved'; readonly why: 'no-proof' | 'not-signed' | 'another-leaf' };

/** Checks that the log of a key holds a leaf. */
export const checkTlogProof = (text: string, leaf: Uint8Array, key: VerifierKey): ProofReading => {
  const proof = readTlogProof(text);
  if (proof === null) return { kind: 'not-proved', why: 'no-proof' };
  const checkpoint = openCheckpoint(proof.checkpoint, key);
  if (checkpoint === null) return { kind: 'not-proved', why: 'not-signed' };
  const root = rootFromInclusion(leaf, proof.index, checkpoint.size, proof.path);
  return root !== null && isSame(root, checkpoint.root)
    ? { kind: 'proved', index: proof.index, checkpoint }
    : { kind: 'not-proved', why: 'another-leaf' };
};
