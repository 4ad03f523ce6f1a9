import { createHash } from 'node:crypto';
import {
  exampleBatch,
  exampleBirth,
  exampleChild,
  exampleMeasures,
  exampleMother,
  exampleObservation,
} from '../../api/openapi/example-bundles.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import { buildCompleteBundle } from '../support/complete-bundle.ts';

/** Makes the body of the n-th push: another chart number, other names, the same size. */
export type BodyOf = (n: number) => string;

const BASE = 26;
const KIN_LETTERS = 4;
const NAME_LETTERS = 6;
const CHART_DIGITS = 9;

const lettersOf = (number: number, count: number): string => {
  let letters = '';
  for (let left = number; letters.length < count; left = Math.floor(left / BASE))
    letters += String.fromCharCode('a'.charCodeAt(0) + (left % BASE));
  return letters;
};

/** Tells a family from all others, those of other prefixes too: no birth looks like another. */
const nameOf = (prefix: string, n: number): string => {
  const ofPrefix = createHash('sha256').update(prefix).digest().readUInt32BE();
  return lettersOf(ofPrefix, KIN_LETTERS) + lettersOf(n, NAME_LETTERS);
};

const chartOf = (prefix: string, n: number): string =>
  `${prefix}${String(n).padStart(CHART_DIGITS, '0')}`;

/** A small Bundle that says what most hospitals say: about 1.8 KB. */
const small = (chart: string, name: string): JsonObject => {
  const family = `M${name}`;
  return exampleBirth({
    chartNumber: chart,
    mothers: [{ ...exampleMother('Rosa', family), id: 'mother' }],
    children: [
      {
        ...exampleChild(1),
        name: [{ family, given: ['Luz'] }],
        _birthDate: {
          extension: [
            {
              url: 'http://hl7.org/fhir/StructureDefinition/patient-birthTime',
              valueDateTime: '2026-03-12T04:31:00-05:00',
            },
          ],
        },
      },
    ],
    more: [
      ...exampleMeasures,
      exampleObservation('11884-4', { valueQuantity: { value: 39, code: 'wk' } }),
    ],
  });
};

/** @param prefix begins the chart numbers; another prefix, other records */
export const smallBodies =
  (prefix: string): BodyOf =>
  (n) =>
    JSON.stringify(small(chartOf(prefix, n), nameOf(prefix, n)));

/** Bundles with every element that the guide has, about 200 KB, of other families. */
export const completeBodies = (prefix: string): BodyOf => {
  const pieces = JSON.stringify(buildCompleteBundle()).split(/(C-25-1|Gamboa)/);
  return (n) =>
    pieces
      .map((piece) => {
        if (piece === 'C-25-1') return chartOf(prefix, n);
        return piece === 'Gamboa' ? `Q${nameOf(prefix, n)}` : piece;
      })
      .join('');
};

/** A batch of small courses. */
export const smallBatchOf = (prefix: string, from: number, courses: number): string =>
  JSON.stringify(
    exampleBatch(
      Array.from({ length: courses }, (_, n) =>
        small(chartOf(prefix, from + n), nameOf(prefix, from + n)),
      ),
    ),
  );

/** The most that a request may hold. @see spec "Limits" */
const LARGEST_BYTES = 20 * 1024 * 1024;
const MAX_COURSES = 1_000;
/** Room for a comma, the entry around a course, and the batch around all. */
const AROUND_BYTES = 16;

const batchBody = (courses: readonly string[]): string =>
  `{"resourceType":"Bundle","type":"collection","entry":[${courses
    .map((course) => `{"resource":${course}}`)
    .join(',')}]}`;

/** A batch of 20 MiB: as many complete Bundles as that holds. @param n another one each time */
export const fullBatchOf = (prefix: string, n: number): string => {
  const bodyOf = completeBodies(prefix);
  const courses = Math.floor(LARGEST_BYTES / (Buffer.byteLength(bodyOf(0)) + AROUND_BYTES)) - 1;
  return batchBody(Array.from({ length: courses }, (_, i) => bodyOf(n * courses + i)));
};

/** A batch of 20 MiB with as many courses as are allowed, each full of other Observations. */
export const wideBatchOf = (prefix: string, n: number): string => {
  const bodyOf = smallBodies(prefix);
  const one = JSON.stringify({
    resource: exampleObservation('8302-2', { valueQuantity: { value: 165 } }),
  });
  const room = LARGEST_BYTES / MAX_COURSES - Buffer.byteLength(bodyOf(0)) - 2 * AROUND_BYTES;
  const others = `,${one}`.repeat(Math.floor(room / (one.length + 1)));
  // The entries are what a small body ends with.
  const wide = (i: number): string => `${bodyOf(i).slice(0, -2)}${others}]}`;
  return batchBody(Array.from({ length: MAX_COURSES }, (_, i) => wide(n * MAX_COURSES + i)));
};
