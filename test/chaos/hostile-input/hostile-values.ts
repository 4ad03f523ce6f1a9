import fc from 'fast-check';
import { MARKER, UNESCAPED_MARKER } from './request.ts';

const LONG = 20_000;

/** The words of a text. */
export const splitWords = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * One of several values or arbitraries, as often as their weights say. The first one is the simplest:
 * a finding is tried with it.
 */
export const weighted = <T>(
  ...choices: readonly (readonly [weight: number, choice: T | fc.Arbitrary<T>])[]
): fc.Arbitrary<T> =>
  fc.oneof(
    { withCrossShrink: true },
    ...choices.map(([weight, choice]) => ({
      weight,
      arbitrary: choice instanceof fc.Arbitrary ? choice : fc.constant(choice),
    })),
  );

/** A value once in so many times, otherwise null. */
export const rarely = <T>(oneIn: number, arbitrary: T | fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  weighted<T | null>([oneIn - 1, null], [1, arbitrary]);

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
  ...splitWords(`
    ../../../../etc/passwd file:///etc/passwd http://169.254.169.254/ %00%ff%c0%af null
    undefined NaN Infinity -0 1e999 0x7f ١٢٣ true [] {} __proto__ constructor hasOwnProperty
    toString $where 9999-99-99 0000-00-00 2026-02-30T25:61:61+99:99 +275760-09-13T00:00:00.001Z
    -000001-01-01 2026-03-12T04:31:00-05:00 2026-03-12 1900-02-29 99999999999999999999-01-01
    Patient/child-1 # urn:uuid:`),
];

const charCodes = (max: number) => fc.nat(max).map((code) => String.fromCharCode(code));

/** One of the texts, or a fresh one of random characters. */
export const hostileText: fc.Arbitrary<string> = weighted(
  [4, fc.constantFrom(...TEXTS)],
  [
    1,
    fc.string({ unit: fc.oneof(charCodes(0xff), charCodes(0xffff)), minLength: 1, maxLength: 40 }),
  ],
);

/** A number as JSON may write it. */
export const hostileNumber: fc.Arbitrary<string> = fc.constantFrom(
  ...splitWords(`
    0 -0 -1 0.1 1e-400 1e400 -1e400 1E+308 5e-324 9007199254740993 18446744073709551616 2147483648
    -2147483649 99999999999999999999999999999999 3.4028236e38 1.7976931348623159e308`),
  `1${'0'.repeat(LONG)}`,
  `0.${'0'.repeat(LONG)}1`,
  `-${'9'.repeat(LONG)}`,
);

/** A key that means something to objects, or nothing at all. */
export const hostileKey: fc.Arbitrary<string> = fc.constantFrom(
  '',
  ' ',
  '\0',
  '\ud800',
  `${MARKER}key`,
  ...splitWords(`
    __proto__ constructor prototype toString valueOf hasOwnProperty toJSON then length 0 -1
    resourceType entry resource identifier value extension _birthDate`),
);

/** A text as an address may hold it. */
export const encode = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/** Random bytes. */
export const hostileBytes = (maxLength: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes));

/** Changes the bytes of a request or of a body. */
export type Corruption = (bytes: Buffer) => Buffer;

/** Drops the end. */
export const truncation: fc.Arbitrary<Corruption> = fc
  .nat()
  .map((at) => (bytes) => bytes.subarray(0, at % (bytes.length + 1)));

/** Puts bytes, written as Latin-1, somewhere between the others. */
export const insertion = (texts: fc.Arbitrary<string>): fc.Arbitrary<Corruption> =>
  fc.tuple(fc.nat(), texts).map(([at, text]) => (bytes) => {
    const where = at % (bytes.length + 1);
    const inserted = Buffer.from(text, 'latin1');
    return Buffer.concat([bytes.subarray(0, where), inserted, bytes.subarray(where)]);
  });

/** Overwrites single bytes. */
export const overwriting = (maxLength: number): fc.Arbitrary<Corruption> =>
  fc
    .array(fc.tuple(fc.nat(), fc.nat(0xff)), { minLength: 1, maxLength })
    .map((changes) => (bytes) => {
      const copy = Buffer.from(bytes);
      for (const [at, value] of changes) if (copy.length > 0) copy[at % copy.length] = value;
      return copy;
    });
