import type { Random } from '../../../scripts/synthesis/random.ts';
import { MARKER, UNESCAPED_MARKER } from './attempt.ts';

const LONG = 20_000;

/** Texts that break what was written for friendly ones. */
const TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  `${MARKER}\0`,
  '\ufeff',
  '\ud800',
  'a\udfff',
  '\udc00\ud800',
  '\u202e\u2066',
  '\u0085\u009f',
  '\u2028\u2029',
  'ﷺ'.repeat(200),
  'İıſKß',
  `e${'\u0301'.repeat(2_000)}`,
  '👩‍👩‍👧‍👦'.repeat(100),
  `${MARKER}${'x'.repeat(LONG)}`,
  ' '.repeat(LONG),
  '\t\n\r'.repeat(1_000),
  '_'.repeat(LONG),
  '9'.repeat(LONG),
  '-'.repeat(1_000),
  '.'.repeat(1_000),
  `'; drop table read.birth_record; --`,
  `${MARKER}' or '1'='1`,
  UNESCAPED_MARKER,
  `<script>alert('${MARKER}')</script>`,
  `${MARKER}{{7*7}}\${7*7}#{7*7}<%= 7 %>`,
  `=cmd|'/C calc'!A0`,
  `${MARKER}\r\nX-Injected: 1`,
  `${MARKER}%0d%0aX-Injected:%201`,
  '../../../../etc/passwd',
  'file:///etc/passwd',
  'http://169.254.169.254/',
  '%00%ff%c0%af',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '0x7f',
  '١٢٣',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  '$where',
  '9999-99-99',
  '0000-00-00',
  '2026-02-30T25:61:61+99:99',
  '+275760-09-13T00:00:00.001Z',
  '-000001-01-01',
  '2026-03-12T04:31:00-05:00',
  '2026-03-12',
  '1900-02-29',
  '99999999999999999999-01-01',
  'Patient/child-1',
  '#',
  'urn:uuid:',
];

/** Numbers as JSON may write them. */
const NUMBERS: readonly string[] = [
  '0',
  '-0',
  '-1',
  '0.1',
  '1e-400',
  '1e400',
  '-1e400',
  '1E+308',
  '5e-324',
  '9007199254740993',
  '18446744073709551616',
  '2147483648',
  '-2147483649',
  '99999999999999999999999999999999',
  '3.4028236e38',
  '1.7976931348623159e308',
  `1${'0'.repeat(LONG)}`,
  `0.${'0'.repeat(LONG)}1`,
  `-${'9'.repeat(LONG)}`,
];

/** Keys that mean something to objects, or nothing at all. */
const KEYS: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'toJSON',
  'then',
  'length',
  '0',
  '-1',
  '',
  ' ',
  '\0',
  '\ud800',
  'resourceType',
  'entry',
  'resource',
  'identifier',
  'value',
  'extension',
  '_birthDate',
  `${MARKER}key`,
];

/** One of the texts, or a fresh one of random characters. */
export const hostileText = (random: Random): string => {
  if (random.chance(0.8)) return random.pick(TEXTS);
  return Array.from({ length: random.whole(1, 40) }, () =>
    String.fromCharCode(random.chance(0.5) ? random.whole(0, 255) : random.whole(0, 65_535)),
  ).join('');
};

/** A number in JSON's own words. */
export const hostileNumber = (random: Random): string => random.pick(NUMBERS);

/** A key of an object. */
export const hostileKey = (random: Random): string => random.pick(KEYS);

/** A text as UTF-8 can hold it. */
export const wellFormed = (text: string): string => Buffer.from(text).toString();
