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

/** Updated page by page. */
export interface ExportTally {
  readonly leftOut: Record<OmittedRecord, number>;
  fetalDeaths: number;
  cut: number;
  respelled: number;
  /** States and countries written as free text, because no code exists for them. */
  placesWithoutCode: number;
}

export const createExportTally = (): ExportTally => ({
  leftOut: { voided: 0, deidentified: 0 },
  fetalDeaths: 0,
  cut: 0,
  respelled: 0,
  placesWithoutCode: 0,
});

export interface WrittenPage {
  readonly written: readonly ExportableRecord[];
  /** Each ends with a line feed. */
  readonly lines: readonly string[];
}

/** One line per live-born child. @param offsetAt `null` if the practice has set no time zone */
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

/** @param offsetAt `null` if the practice has set no time zone */
export const buildBundles = (
  { version: _, position: __, ...record }: ExportableRecord,
  per: DocumentsPer,
  offsetAt: OffsetAt | null,
): readonly JsonObject[] =>
  buildDocumentBundles({ ...record, changedAt: record.changedAt.toISOString() }, per, offsetAt);

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

/** Empty if the file contains everything unchanged. */
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
