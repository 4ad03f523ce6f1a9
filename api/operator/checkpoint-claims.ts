import {
  openCheckpoint,
  parseCheckpoint,
  type SignedSize,
} from '../../transparency-log/checkpoint.ts';
import { parseNote, type VerifierKey } from '../../transparency-log/signed-note.ts';
import { CommandRefused } from '../commands/command-refused.ts';
import type { ClaimedHead } from './verify-tree.ts';

/**
 * What an auditor's checkpoint says, be it of this log or not.
 * @param text of the file: a signed note, or what `checkpoint --json` printed
 * @param keys all that this log's checkpoints were ever signed with
 * @throws CommandRefused for what is no checkpoint
 */
export const parseAuditorsHead = (text: string, keys: readonly VerifierKey[]): ClaimedHead => {
  const note = noteIn(text);
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

const noteIn = (text: string): string => {
  try {
    return String((JSON.parse(text) as { readonly checkpoint?: unknown }).checkpoint);
  } catch {
    return text;
  }
};

/**
 * The checkpoints that the service kept, and that of an auditor among them, in the order of their sizes.
 * @param keys all that they may be signed with
 */
export async function* findCheckpointClaims(
  kept: AsyncIterable<SignedSize>,
  auditors: ClaimedHead | null,
  keys: readonly VerifierKey[],
): AsyncGenerator<ClaimedHead> {
  let left = auditors;
  for await (const { size, root, signedAt, note } of kept) {
    if (left !== null && left.size <= size) {
      yield left;
      left = null;
    }
    // Where the stream that holds the keys is damaged, that is told as the event's.
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
