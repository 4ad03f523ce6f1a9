import type { App } from '../ports/app-ports.ts';
import { ReaderBusy } from '../reading/reader.ts';
import { estimateMemory } from '../reading/shares.ts';

/** Result of work on a file, or `busy` if other files are checked first. */
export type FileTurn<T> = { readonly kind: 'done'; readonly result: T } | { readonly kind: 'busy' };

const BUSY = { kind: 'busy' } as const;

/**
 * Runs work on a file within the memory for long inputs. An account's files take turns, because
 * checking one takes much more memory than its text.
 */
export const takeFileTurn = <T>(
  { uploadTurns, memory }: Pick<App, 'uploadTurns' | 'memory'>,
  memberId: string,
  fileBytes: number,
  work: () => Promise<T>,
): Promise<FileTurn<T>> =>
  uploadTurns.run(memberId, async (takeTurn) => {
    if (!(await takeTurn(1))) return BUSY;
    return memory.run(memberId, async (claim) => {
      if (!(await claim(estimateMemory(fileBytes)))) return BUSY;
      try {
        return { kind: 'done', result: await work() };
      } catch (error) {
        if (error instanceof ReaderBusy) return BUSY;
        throw error;
      }
    });
  });
