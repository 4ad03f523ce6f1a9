import type { OffsetAt } from '../../domain/course-of-care/entering/clock-changes.ts';
import { fileRecord, type LeftOut } from '../../domain/ije/state-file.ts';
import type { ExportableRecord } from '../../projections/record-exports.ts';
import { countInWords } from '../pages/words/measures-in-words.ts';

/** What a state file came to; it grows while the file is written. */
export interface StateFileTally {
  /** Records with a line at least. */
  exported: number;
  /** Records without one. */
  readonly leftOut: Record<LeftOut, number>;
  /** Children without a line. */
  fetalDeaths: number;
  /** Texts that were too long for their columns. */
  cut: number;
  /** Texts with characters that the file cannot have. */
  respelled: number;
}

/** The tally of a file that is not begun. */
export const newStateFileTally = (): StateFileTally => ({
  exported: 0,
  leftOut: { voided: 0, deidentified: 0 },
  fetalDeaths: 0,
  cut: 0,
  respelled: 0,
});

/**
 * The lines of a state file, one for each child that was born alive.
 * @param offsetAt of the practice's time zone; null: it has set none
 * @param note told of the records of a page that have lines, before a byte of them is sent
 * @param tally what it adds to
 */
export async function* stateFileLines(
  pages: AsyncIterable<readonly ExportableRecord[]>,
  offsetAt: OffsetAt | null,
  note: (records: readonly ExportableRecord[]) => Promise<void>,
  tally: StateFileTally,
): AsyncGenerator<string> {
  for await (const page of pages) {
    const written: ExportableRecord[] = [];
    let text = '';
    for (const record of page) {
      const filed = fileRecord(record, offsetAt);
      if (filed.kind === 'left-out') {
        tally.leftOut[filed.why] += 1;
        continue;
      }
      tally.fetalDeaths += filed.fetalDeaths;
      if (filed.lines.length === 0) continue;
      tally.cut += filed.changed.cut;
      tally.respelled += filed.changed.respelled;
      written.push(record);
      for (const line of filed.lines) text += `${line}\n`;
    }
    if (written.length === 0) continue;
    await note(written);
    tally.exported += written.length;
    yield text;
  }
}

/** Which records a state file left out, in a sentence. */
export const leftOutInWords = ({ voided, deidentified }: StateFileTally['leftOut']): string =>
  `${countInWords(voided, 'voided record', 'voided records')} and ${countInWords(deidentified, 'record', 'records')} of partners, which ${deidentified === 1 ? 'has' : 'have'} no names, ${voided + deidentified === 1 ? 'was' : 'were'} left out.`;

/** What else is to be known of a state file, a sentence each; none where all of it is as it is held. */
export const tallyInWords = ({
  fetalDeaths,
  cut,
  respelled,
}: StateFileTally): readonly string[] => [
  ...(fetalDeaths === 0
    ? []
    : [
        `${countInWords(fetalDeaths, 'fetal death was', 'fetal deaths were')} left out: the file is for live births.`,
      ]),
  ...(cut === 0
    ? []
    : [
        `${countInWords(cut, 'text was', 'texts were')} too long for the file: names and addresses are cut there, numbers left out.`,
      ]),
  ...(respelled === 0
    ? []
    : [
        `${countInWords(respelled, 'text was', 'texts were')} written without accents, or without characters that the file cannot have.`,
      ]),
];
