import { countPlacesWithoutCode } from '../../domain/course/places.ts';
import type { OffsetAt } from '../../domain/course/practice-clock.ts';
import {
  buildDocumentBundles,
  type DocumentsPer,
} from '../../domain/export/bfdr/document-bundle.ts';
import { fileRecord, type OmittedRecord } from '../../domain/export/ije/state-file.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import { countInWords } from '../../domain/format-measures.ts';
import type { ExportableRecord } from '../../projections/lists/exports.ts';

/** What is to be known of a file of records beside its count; it grows while the file is written. */
export interface ExportTally {
  /** Records that have no line in the state file. */
  readonly leftOut: Record<OmittedRecord, number>;
  /** Children that have none. */
  fetalDeaths: number;
  /** Texts that were too long for their columns. */
  cut: number;
  /** Texts with characters that the file cannot have. */
  respelled: number;
  /** States and countries that leave in a Bundle as they are held, since no code exists for them. */
  placesWithoutCode: number;
}

/** The tally of a file that is not begun. */
export const createExportTally = (): ExportTally => ({
  leftOut: { voided: 0, deidentified: 0 },
  fetalDeaths: 0,
  cut: 0,
  respelled: 0,
  placesWithoutCode: 0,
});

/** Records of a page, and their lines in a file. */
export interface WrittenPage {
  /** Those that have a line at least. */
  readonly written: readonly ExportableRecord[];
  /** Each with its line feed. */
  readonly lines: readonly string[];
}

/**
 * A page of records in a state file: a line for each child that was born alive.
 * @param offsetAt of the practice's time zone; null: it has set none
 * @param tally what it adds to
 */
export const writeStateFilePage = (
  page: readonly ExportableRecord[],
  offsetAt: OffsetAt | null,
  tally: ExportTally,
): WrittenPage => {
  const written: ExportableRecord[] = [];
  const lines: string[] = [];
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
    for (const line of filed.lines) lines.push(`${line}\n`);
  }
  return { written, lines };
};

/**
 * A record as one document Bundle, or as one for each child.
 * @param offsetAt of the practice's time zone; null: it has set none
 */
export const buildBundles = (
  { version: _, position: __, ...record }: ExportableRecord,
  per: DocumentsPer,
  offsetAt: OffsetAt | null,
): readonly JsonObject[] =>
  buildDocumentBundles({ ...record, changedAt: record.changedAt.toISOString() }, per, offsetAt);

/** A page of records in a file of document Bundles. */
export const writeBundlePage = (
  page: readonly ExportableRecord[],
  per: DocumentsPer,
  offsetAt: OffsetAt | null,
  tally: ExportTally,
): WrittenPage => {
  const lines: string[] = [];
  for (const record of page) {
    tally.placesWithoutCode += countPlacesWithoutCode(record.course.mother.address);
    for (const bundle of buildBundles(record, per, offsetAt))
      lines.push(`${JSON.stringify(bundle)}\n`);
  }
  return { written: page, lines };
};

/** The tally in sentences; none where all of the file is as it is held. */
export const formatTally = (tally: ExportTally): readonly string[] => {
  const { leftOut, fetalDeaths, cut, respelled, placesWithoutCode } = tally;
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
      `${countInWords(placesWithoutCode, 'state or country has', 'states and countries have')} no code and were written as text: other systems may not know what is meant.`,
    ],
  ];
  return sentences.filter(([count]) => count > 0).map(([, sentence]) => sentence);
};
