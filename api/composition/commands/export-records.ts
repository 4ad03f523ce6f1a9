import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AppendContext } from '../../../domain/event-log.ts';
import type { ExportableRecord } from '../../../projections/record-exports.ts';
import {
  type Exporter,
  noteExportBegun,
  noteRecordsExported,
} from '../../access-log/export-notes.ts';
import { CommandRefused } from '../../commands/command-refused.ts';
import type { Reporter } from '../../commands/reporter.ts';
import { bundleOf } from '../../export/bundle-of.ts';
import {
  newStateFileTally,
  type StateFileTally,
  stateFileLines,
  tallyInWords,
} from '../../export/state-file-lines.ts';
import type { BoundRegistry } from '../../registry/registry.ts';
import { findPracticeOffsets } from '../../write-path/practice-offsets.ts';

/** What an operator can export records as: document Bundles, or the state file. */
export const FILE_FORMATS = ['bundles', 'ije'] as const;

/** @see FILE_FORMATS */
export type FileFormat = (typeof FILE_FORMATS)[number];

/** What an export came to. */
export interface ExportedFile {
  /** Records in the file. */
  readonly exported: number;
  /** Records that the state file leaves out; a file of Bundles leaves out none. */
  readonly leftOut?: StateFileTally['leftOut'];
}

/** Records in memory at a time, and in one entry of the access log. */
const PAGE = 200;

/**
 * Writes the records of a practice into a new file, one document Bundle, or one child of the state file, on each
 * line, those that changed first coming first. The file gets its name only once it is complete and on disk; nobody
 * else may read it.
 * @param since only records that changed at this moment or later; null: all
 * @throws CommandRefused if the file exists, or has no directory to go to
 */
export const exportRecordsTo = async (
  registry: Pick<BoundRegistry, 'reads' | 'noteAccess' | 'now' | 'log'>,
  { actor, correlationId }: Pick<AppendContext, 'actor' | 'correlationId'>,
  practiceId: string,
  to: string,
  since: Date | null,
  format: FileFormat,
  { report }: Pick<Reporter, 'report'>,
): Promise<ExportedFile> => {
  const file = resolve(to);
  await requireNewFile(file, to);
  const exporter: Exporter = { practiceId, actor, correlationId, what: 'records-command' };
  await noteExportBegun(registry, exporter, null, since === null ? [] : ['since']);
  const pages = async function* (): AsyncGenerator<readonly ExportableRecord[]> {
    let after: string | null = null;
    for (;;) {
      const records = await registry.reads.readChangedRecords(
        practiceId,
        { since, partnerId: null, chartNumber: null },
        after,
        PAGE,
      );
      yield records;
      if (records.length < PAGE) return;
      after = records.at(-1)?.position ?? null;
    }
  };
  // What cannot be noted is not written.
  const note = (records: readonly ExportableRecord[]) =>
    noteRecordsExported(registry, exporter, records);
  if (format === 'ije') {
    const offsetAt = await findPracticeOffsets(registry, practiceId);
    const tally = newStateFileTally();
    await writeNewFile(file, stateFileLines(pages(), offsetAt, note, tally));
    for (const line of tallyInWords(tally)) report(line);
    return { exported: tally.exported, leftOut: tally.leftOut };
  }
  let exported = 0;
  const lines = async function* (): AsyncGenerator<string> {
    for await (const records of pages()) {
      await note(records);
      for (const record of records) yield `${JSON.stringify(bundleOf(record))}\n`;
      exported += records.length;
    }
  };
  await writeNewFile(file, lines());
  return { exported };
};

const writeNewFile = async (file: string, lines: AsyncIterable<string>): Promise<void> => {
  const unfinished = `${file}.unfinished-${randomBytes(4).toString('hex')}`;
  try {
    await pipeline(
      Readable.from(lines),
      createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }),
    );
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
};

const requireNewFile = async (file: string, to: string): Promise<void> => {
  if ((await stat(file).catch(() => null)) !== null)
    throw new CommandRefused('file-exists', `${to} already exists. Choose another name.`);
  const directory = await stat(dirname(file)).catch(() => null);
  if (directory?.isDirectory() !== true)
    throw new CommandRefused(
      'no-directory',
      `The directory of ${to} does not exist. Create it first.`,
    );
};
