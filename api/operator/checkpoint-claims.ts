import {
  openCheckpoint,
  parseCheckpoint,
  type SignedSize,
} from '../../transparency-log/checkpoint.ts';
import { parseNote, type VerifierKey } from '../../transparency-log/signed-note.ts';
import { CommandRefused } from '../commands/command-refused.ts';
import type { ClaimedHead } from './verify-tree.ts';

/**
 * The checkpoint may be of another log.
 * @param text signed note, or the output of `checkpoint --json`
 * @param keys all keys that ever signed checkpoints of this log
 * @throws CommandRefused if the text contains no checkpoint
 */
export const parseAuditorsHead = (text: string, keys: readonly VerifierKey[]): ClaimedHead => {
  const note = readNote(text);
  const checkpoint = parseCheckpoint(parseNote(note)?.text ?? '');
  if (checkpoint === null)
    throw new CommandRefused(
      'no-checkpoint',
      'The file does not hold a checkpoint. Give one as `checkpoint` printed it, or as GET /log/checkpoint answered.',
    );
  return { ...checkpoint, name: 'the checkpoint in the file', isOfThisLog: isSigned(note, keys) };
};

const isSigned = (note: string, keys: readonly VerifierKey[]): boolean =>
  keys.some((key) => openCheckpoint(note, key) !== null);

const readNote = (text: string): string => {
  try {
    return String((JSON.parse(text) as { readonly checkpoint?: unknown }).checkpoint);
  } catch {
    return text;
  }
};

/** Sorted by size. @param keys all keys that may have signed the checkpoints */
export async function* findCheckpointClaims(
  checkpoints: AsyncIterable<SignedSize>,
  auditors: ClaimedHead | null,
  keys: readonly VerifierKey[],
): AsyncGenerator<ClaimedHead> {
  let left = auditors;
  for await (const { size, root, signedAt, note } of checkpoints) {
    if (left !== null && left.size <= size) {
      yield left;
      left = null;
    }
    // There are no keys if their stream is damaged, which is reported with its event.
    const isAsSigned = keys.length === 0 || isSigned(note, keys);
    yield {
      size,
      root: isAsSigned ? root : null,
      name: `the checkpoint of ${signedAt.toISOString()}`,
      isOfThisLog: true,
    };
  }
  if (left !== null) yield left;
}
