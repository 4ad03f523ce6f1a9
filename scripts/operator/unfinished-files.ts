import { rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { findDrafts } from '../../adapters/files/publish-file.ts';
import type { Reporter } from '../../api/commands/reporter.ts';

interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

const TERMINAL: Terminal = { input: process.stdin, output: process.stderr };

/**
 * Another export may be writing one, so removal is confirmed.
 * @param shouldRemove the person has asked for it on the command line
 */
export const clearDrafts = async (
  to: string,
  shouldRemove: boolean,
  report: Reporter['report'],
  { input, output }: Terminal = TERMINAL,
): Promise<void> => {
  for (const draft of await findDraftsBeside(to)) {
    report(
      `${draft} was left by an export that was stopped or killed, unless one is running now. It contains data of people.`,
    );
    const shouldAsk = !shouldRemove && input.isTTY === true && output.isTTY === true;
    const isRemoved = shouldRemove || (shouldAsk && (await isConfirmed({ input, output })));
    if (isRemoved) await rm(draft, { force: true });
    report(isRemoved ? 'It was removed.' : 'Remove it, or add --remove-unfinished.');
  }
};

/** Names the files that killed backups have left beside a path, or in it. */
export const reportDrafts = async (to: string, report: Reporter['report']): Promise<void> => {
  for (const draft of await findDraftsBeside(to))
    report(`${draft} was left by a backup that was killed, unless one is running now. Remove it.`);
};

const findDraftsBeside = async (to: string): Promise<readonly string[]> => {
  const path = resolve(to);
  const isDirectory = (await stat(path).catch(() => null))?.isDirectory() === true;
  // The command itself says what is wrong with the directory.
  return findDrafts(isDirectory ? path : dirname(path)).catch(() => []);
};

const isConfirmed = async ({ input, output }: Terminal): Promise<boolean> => {
  const lines = createInterface({ input, output });
  const ended = new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
  });
  try {
    return /^y(es)?$/i.test(
      (await Promise.race([lines.question('Remove it? [y/N] '), ended])).trim(),
    );
  } finally {
    lines.close();
  }
};
