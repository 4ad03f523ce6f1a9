import { lstat, open, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createDraftPath, publishFile } from '../../adapters/files/publish-file.ts';
import { MAX_RECORDS } from '../../domain/access-log/decide.ts';
import type { AppendContext } from '../../domain/event-log.ts';
import type { DocumentsPer } from '../../domain/export/bfdr/document-bundle.ts';
import { countInWords } from '../../domain/format-measures.ts';
import type { ExportableRecord } from '../../projections/lists/exports.ts';
import { type Exporter, noteExportBegun, noteRecordsExported } from '../access-log/export-notes.ts';
import { CommandRefused } from '../commands/command-refused.ts';
import type { Reporter } from '../commands/reporter.ts';
import {
  createBundleWriter,
  createExportTally,
  createStateFileWriter,
  type ExportTally,
  formatTally,
  writePages,
} from '../export/written-pages.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { findFilingSettings } from '../practice-time/practice-offsets.ts';

export const FILE_FORMATS = ['bundles', 'ije'] as const;

export interface ExportOrder {
  readonly practiceId: string;
  /** Must not exist yet. */
  readonly to: string;
  /** Earlier changes are not exported; all if `null`. */
  readonly since: Date | null;
  readonly format: (typeof FILE_FORMATS)[number];
  readonly per: DocumentsPer;
}

export interface ExportedFile {
  readonly exported: number;
  /** A file of Bundles omits none. */
  readonly leftOut: ExportTally['leftOut'];
  /** `null` if nothing was exported and there was no `since`. */
  readonly next: Date | null;
}

/** Two pages are in memory at a time. */
const PAGE = MAX_RECORDS;

/**
 * In the order of changes. The file gets its name only when it is complete and on disk, and only
 * its owner may read it. An interrupted export keeps its complete pages in a file next to it.
 * @param stop aborts the export
 * @throws CommandRefused if the file exists, or its directory does not
 */
export const exportRecords = async (
  ports: Pick<AppPorts, 'reads' | 'log' | 'noteAccess' | 'now'>,
  { actor, correlationId }: Pick<AppendContext, 'actor' | 'correlationId'>,
  { practiceId, to, since, format, per }: ExportOrder,
  { report, progress }: Pick<Reporter, 'report' | 'progress'>,
  stop: AbortSignal | null,
): Promise<ExportedFile> => {
  const path = resolve(to);
  await requireNewFile(path, to);
  const { reads } = ports;
  const exporter: Exporter = { practiceId, actor, correlationId, what: 'records-command' };
  await noteExportBegun(ports, exporter, null, since === null ? [] : ['since']);
  const settings = await findFilingSettings(ports, practiceId);
  const tally = createExportTally();
  const pages = writePages(
    loadPages(reads, practiceId, since, stop),
    format === 'ije'
      ? createStateFileWriter(settings, tally)
      : createBundleWriter(per, settings.offsetAt, tally),
    (records) => noteRecordsExported(ports, exporter, records),
  );
  const expected = await reads.countChangedRecords(practiceId, since);
  const unfinished = createDraftPath(path);
  const file = await open(unfinished, 'wx', 0o600);
  let [exported, done, next, bytes] = [0, 0, since, 0];
  try {
    for await (const { records, written, lines } of pages) {
      // Encoding each line is faster than encoding one concatenated string.
      const encoded = Buffer.concat(lines.map((line) => Buffer.from(line)));
      await file.appendFile(encoded);
      bytes += encoded.length;
      exported += written;
      done += records.length;
      next = earliestChange(records);
      const total = Math.max(expected, done);
      progress({ work: 'Exporting', done, total, unit: 'records', isEstimate: true });
    }
    await file.sync();
    await publishFile(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new CommandRefused(
        'file-exists',
        `${to} has appeared in the meantime, and was not replaced. All records are in ${unfinished}: rename it.`,
      );
    if (exported === 0 || next === null) await rm(unfinished, { force: true });
    else {
      await file.truncate(bytes);
      report(
        `The export broke off after ${countInWords(exported, 'record')}, which are in ${unfinished}. Export the rest into another file with --since ${next.toISOString()}: some records will be in both.`,
      );
    }
    throw error;
  } finally {
    await file.close();
  }
  for (const line of formatTally(tally)) report(line);
  return { exported, leftOut: tally.leftOut, next };
};

async function* loadPages(
  { readChangedRecords }: Pick<AppPorts['reads'], 'readChangedRecords'>,
  practiceId: string,
  since: Date | null,
  stop: AbortSignal | null,
): AsyncGenerator<readonly ExportableRecord[]> {
  const pageAfter = (position: string | null) => {
    const page = readChangedRecords(practiceId, since, position, PAGE);
    // If writing the previous page fails, nothing awaits this one.
    page.catch(() => undefined);
    return page;
  };
  let records = await pageAfter(null);
  while (records.length > 0) {
    const last = records.at(-1)?.position ?? null;
    const following = records.length < PAGE ? [] : pageAfter(last);
    stop?.throwIfAborted();
    yield records;
    records = await following;
  }
}

/** Clocks of processes may differ, so the first record may not be the earliest change. */
const earliestChange = (records: readonly ExportableRecord[]): Date =>
  new Date(Math.min(...records.map(({ changedAt }) => changedAt.getTime())));

const requireNewFile = async (path: string, to: string): Promise<void> => {
  if ((await lstat(path).catch(() => null)) !== null)
    throw new CommandRefused('file-exists', `${to} already exists. Choose another name.`);
  const directory = await stat(dirname(path)).catch(() => null);
  if (directory?.isDirectory() !== true)
    throw new CommandRefused(
      'no-directory',
      `The directory of ${to} does not exist. Create it first.`,
    );
};
