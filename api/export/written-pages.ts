import { listAnsweredQuestions } from '../../domain/birth-record/unusual-values.ts';
import type { OffsetAt } from '../../domain/course/local-times.ts';
import { countPlacesWithoutCode } from '../../domain/course/places.ts';
import {
  buildDocumentBundles,
  type DocumentsPer,
} from '../../domain/export/bfdr/document-bundle.ts';
import { fileRecord, type OmittedRecord } from '../../domain/export/ije/state-file.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import { countInWords } from '../../domain/format-measures.ts';
import type { ExportableRecord } from '../../projections/lists/exports.ts';
import type { FilingSettings } from '../practice-time/practice-offsets.ts';
import { createYielder } from '../process/yielder.ts';

/** Updated page by page. */
export interface ExportTally {
  readonly leftOut: Record<OmittedRecord, number>;
  fetalDeaths: number;
  cut: number;
  respelled: number;
  /** States and countries written as free text, because no code exists for them. */
  placesWithoutCode: number;
  /** Records with edit flags that wait for an answer. */
  questioned: number;
}

export const createExportTally = (): ExportTally => ({
  leftOut: { voided: 0, deidentified: 0 },
  fetalDeaths: 0,
  cut: 0,
  respelled: 0,
  placesWithoutCode: 0,
  questioned: 0,
});

/** Returns the lines of a record, each with a line feed, or `null` if the file leaves it out. */
export type WriteRecord = (record: ExportableRecord) => readonly string[] | null;

/** One line per live-born child. */
export const createStateFileWriter =
  ({ offsetAt, customFields, writesEditFlags }: FilingSettings, tally: ExportTally): WriteRecord =>
  (record) => {
    const { course, changedAt, answers } = record;
    const questions = writesEditFlags
      ? listAnsweredQuestions(course, changedAt.toISOString(), answers)
      : null;
    const filed = fileRecord({ ...record, questions }, offsetAt, customFields);
    if (filed.kind === 'left-out') {
      tally.leftOut[filed.why] += 1;
      return null;
    }
    tally.fetalDeaths += filed.fetalDeaths;
    if (questions?.some(({ answer }) => answer === null)) tally.questioned += 1;
    if (filed.lines.length === 0) return null;
    tally.cut += filed.changed.cut;
    tally.respelled += filed.changed.respelled;
    return filed.lines.map((line) => `${line}\n`);
  };

/** @param offsetAt `null` if the practice has set no time zone */
export const buildBundles = (
  { version: _, position: __, answers: ___, ...record }: ExportableRecord,
  per: DocumentsPer,
  offsetAt: OffsetAt | null,
): readonly JsonObject[] =>
  buildDocumentBundles({ ...record, changedAt: record.changedAt.toISOString() }, per, offsetAt);

/** One line per Bundle. @param offsetAt `null` if the practice has set no time zone */
export const createBundleWriter =
  (per: DocumentsPer, offsetAt: OffsetAt | null, tally: ExportTally): WriteRecord =>
  (record) => {
    tally.placesWithoutCode += countPlacesWithoutCode(record.course.mother.address);
    return buildBundles(record, per, offsetAt).map((bundle) => `${JSON.stringify(bundle)}\n`);
  };

interface WrittenPage {
  readonly records: readonly ExportableRecord[];
  /** Number of these records that the file does not leave out. */
  readonly written: number;
  readonly lines: readonly string[];
}

/** @param note called first, so that a file never contains a record that the access log lacks */
export async function* writePages(
  pages: AsyncIterable<readonly ExportableRecord[]>,
  writeRecord: WriteRecord,
  note: (records: readonly ExportableRecord[]) => Promise<void>,
): AsyncGenerator<WrittenPage> {
  const rest = createYielder();
  for await (const records of pages) {
    const written: ExportableRecord[] = [];
    const lines: string[] = [];
    for (const record of records) {
      const linesOfRecord = writeRecord(record);
      if (linesOfRecord !== null) {
        written.push(record);
        lines.push(...linesOfRecord);
      }
      // Requests of others are answered between records.
      await rest();
    }
    if (written.length > 0) await note(written);
    yield { records, written: written.length, lines };
  }
}

/** Empty if the file contains everything unchanged. */
export const formatTally = (tally: ExportTally): readonly string[] => {
  const { leftOut, fetalDeaths, cut, respelled, placesWithoutCode, questioned } = tally;
  const sentences: readonly (readonly [count: number, sentence: string])[] = [
    [
      leftOut.voided,
      `${countInWords(leftOut.voided, 'voided record was', 'voided records were')} left out.`,
    ],
    [
      leftOut.deidentified,
      `${countInWords(leftOut.deidentified, 'record of a partner was', 'records of partners were')} left out: they have no names.`,
    ],
    [
      fetalDeaths,
      `${countInWords(fetalDeaths, 'fetal death was', 'fetal deaths were')} left out: the file is for live births.`,
    ],
    [
      cut,
      `${countInWords(cut, 'text was', 'texts were')} too long for the file: names and addresses are cut there, numbers left out.`,
    ],
    [
      respelled,
      `${countInWords(respelled, 'text was', 'texts were')} written without accents, or without characters that the file cannot have.`,
    ],
    [
      placesWithoutCode,
      `${countInWords(placesWithoutCode, 'state or country has', 'states and countries have')} no code: other systems may not know what is meant.`,
    ],
    [
      questioned,
      `${countInWords(questioned, 'record has', 'records have')} unusual values that are not confirmed: their edit flags are open.`,
    ],
  ];
  return sentences.filter(([count]) => count > 0).map(([, sentence]) => sentence);
};
