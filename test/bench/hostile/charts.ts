import { gzipSync } from 'node:zlib';
import { observation, quantity } from '../../../scripts/ehr-simulator/resources.ts';
import { BYTES_IN_MIB } from '../../harness/units.ts';
import { sized } from '../sizes.ts';
import { fill } from './bundles.ts';

/** Types of resources that a launch searches for. */
export const SEARCHED = ['Observation', 'Condition', 'Encounter'] as const;

export type Searched = (typeof SEARCHED)[number];

/** A chart that an allowed EHR may answer with, and that costs much to read. */
export interface HostileChart {
  readonly name: string;
  /** Number of launches at once; 1 without. */
  readonly atOnce?: number;
  /** Pages of a search as gzip, in order, each without the links and the bracket at its end. */
  readonly pagesOf: (type: Searched) => readonly Buffer[];
}

/** The patient of every chart. */
export const PATIENT_ID = 'm';
const BORN = '2026-05-12';
/** Just below what a page may hold. */
const PAGE_BYTES = sized(Math.floor(1.95 * BYTES_IN_MIB), BYTES_IN_MIB / 8);
/** As many as are read of a search. */
const PAGES = sized(20, 4);
const SHRINK = sized(1, 4);

const pageOf = (entries: string): Buffer =>
  gzipSync(`{"resourceType":"Bundle","type":"searchset","entry":[${entries}]`);

/** Made once for each chart. */
const once = <Made>(make: () => Made): (() => Made) => {
  let made: { readonly value: Made } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

type ResourceOf = (n: number) => unknown;

/** Observations on pages of so many rows, and nothing else. */
const observations = (
  rows: number,
  ofPage: number,
  resourceOf: ResourceOf,
): HostileChart['pagesOf'] => {
  const pages = once(() =>
    Array.from({ length: Math.ceil(rows / ofPage) }, (_, page) =>
      pageOf(
        Array.from({ length: Math.min(ofPage, rows - page * ofPage) }, (_row, place) =>
          JSON.stringify({ resource: resourceOf(page * ofPage + place) }),
        ).join(','),
      ),
    ),
  );
  return (type) => (type === 'Observation' ? pages() : []);
};

/** The same text on as many pages as are read. */
const samePages = (entriesOf: () => string): HostileChart['pagesOf'] => {
  const pages = once(() => {
    const page = pageOf(entriesOf());
    return Array.from({ length: PAGES }, () => page);
  });
  return () => pages();
};

const weightOf = (n: number, more: Readonly<Record<string, unknown>>) =>
  observation(
    { id: `o${n}`, patient: PATIENT_ID, code: ['8339-4', 'Birth weight'], at: BORN },
    { ...quantity(3_400, 'g'), ...more },
  );

const gestationOf = (n: number, more: Readonly<Record<string, unknown>>) =>
  observation(
    { id: `o${n}`, patient: PATIENT_ID, code: ['11884-4', 'Gestational age'], at: BORN },
    { ...quantity(39, 'wk'), ...more },
  );

/** References to so many children, others for each row. */
const focusOf = (row: number, count: number) => ({
  focus: Array.from({ length: count }, (_, n) => ({ reference: `Patient/${row * count + n}` })),
});

/** One Observation whose list fills a page, on as many pages as are read. */
const oneListOnEachPage = (
  textOf: (list: string) => string,
  itemOf: (n: number) => unknown,
): HostileChart['pagesOf'] => {
  const pages = samePages(() => `{"resource":${textOf(fill(PAGE_BYTES, itemOf))}}`);
  return (type) => (type === 'Observation' ? pages(type) : []);
};

const observationWith = (name: string) => (list: string) =>
  `${JSON.stringify(weightOf(0, {})).slice(0, -1)},"${name}":[${list}]}`;

const emptyObjects = (bytes: number) => (): string => `{},`.repeat(bytes / 3).slice(0, -1);

/** Every chart that has cost much, each within what is read of a chart. */
export const HOSTILE_CHARTS: readonly HostileChart[] = [
  {
    name: '1,000 Observations with 100 children in focus',
    pagesOf: observations(1_000 / SHRINK, 100, (n) => weightOf(n, focusOf(n, 100 / SHRINK))),
  },
  {
    name: '900 Observations with 1,050 children in focus',
    pagesOf: observations(900 / SHRINK, 45, (n) => weightOf(n, focusOf(n, 1_050 / SHRINK))),
  },
  {
    name: '400 weights and gestations with 200 children in focus',
    pagesOf: observations(400 / SHRINK, 100, (n) =>
      (n % 2 === 0 ? weightOf : gestationOf)(n, focusOf(n, 200 / SHRINK)),
    ),
  },
  {
    name: '1,000 equal weights',
    pagesOf: observations(1_000 / SHRINK, 100, (n) => weightOf(n, {})),
  },
  {
    name: '1,000 different weights',
    pagesOf: observations(1_000 / SHRINK, 100, (n) => weightOf(n, quantity(2_000 + n, 'g'))),
  },
  { name: 'pages of empty objects', pagesOf: samePages(emptyObjects(PAGE_BYTES)) },
  {
    name: 'pages of empty objects in each category',
    pagesOf: (() => {
      const pages = samePages(emptyObjects(PAGE_BYTES));
      // A search that ends without a match leads to others.
      return (type) => pages(type).slice(1);
    })(),
  },
  {
    name: 'two launches with half pages of empty objects',
    atOnce: 2,
    pagesOf: samePages(emptyObjects(PAGE_BYTES / 2)),
  },
  {
    name: 'nested brackets',
    pagesOf: (() => {
      const depth = PAGE_BYTES / 2;
      const pages = once(() => [pageOf(`${'['.repeat(depth)}${']'.repeat(depth)}`)]);
      return (type) => (type === 'Observation' ? pages() : []);
    })(),
  },
  {
    name: 'components',
    pagesOf: oneListOnEachPage(observationWith('component'), (n) => ({
      code: { coding: [{ system: 'http://loinc.org', code: `8339-${n}` }] },
      valueInteger: 1,
    })),
  },
  {
    name: 'codings',
    pagesOf: oneListOnEachPage(
      (list) =>
        `{"resourceType":"Observation","id":"o","status":"final","subject":{"reference":"Patient/${PATIENT_ID}"},"code":{"coding":[{"system":"http://loinc.org","code":"8339-4"},${list}]}}`,
      (n) => ({ system: 'http://loinc.org', code: `${n}` }),
    ),
  },
  {
    name: 'contained resources',
    pagesOf: oneListOnEachPage(observationWith('contained'), (n) => ({
      resourceType: 'Patient',
      id: `k${n}`,
    })),
  },
];
