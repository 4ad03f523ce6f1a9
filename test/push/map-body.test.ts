import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_NESTING, MAX_VALUES } from '../../api/http/limits.ts';
import { RequestProblem } from '../../api/http/request-problem.ts';
import { createTurns } from '../../api/process/turns.ts';
import { mapBody } from '../../api/push/map-body.ts';
import { type MappingContext, mapSubmission } from '../../api/push/map-submission.ts';
import { parseBundle } from '../../api/reading/parse-bundle.ts';
import { createReaderInThisThread } from '../../api/reading/reader.ts';
import { findFirstFingerprintKey } from '../../domain/birth-record/duplicates/fingerprint-keys.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';
import { buildCompleteBundle } from '../support/complete-bundle.ts';
import { readAllPublished, testPublished } from '../support/published-bundles.ts';
import { runs, takeCases } from '../support/runs.ts';

const CONTEXT: MappingContext = {
  practiceId: 'cedar',
  keyKind: 'partner',
  partnerId: 'maple',
  recordHash: (_practice, chartNumber) => chartNumber,
  fingerprintKeys: { current: [findFirstFingerprintKey((_practice, text) => text)], older: [] },
  offsetAt: null,
  providerId: (_practice, _partner, identity) => identity,
  registryCodeSystems: [],
};

const answer = (problem: unknown): unknown => {
  if (!(problem instanceof RequestProblem)) throw problem;
  return [problem.status, problem.code, problem.diagnostics];
};

/** Compares what is parsed in parts with what the parser of Node makes of the whole. */
const atOnce = (body: Buffer): unknown => {
  try {
    const bundle = parseBundle(body);
    assert.is(JSON.stringify(bundle), JSON.stringify(parseWhole(body)));
    return mapSubmission(bundle, CONTEXT);
  } catch (problem) {
    const answered = answer(problem);
    if (String(answered) === String(NOT_JSON)) assert.throws(() => parseWhole(body));
    return answered;
  }
};

const parseWhole = (body: Buffer): unknown =>
  JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));

/** The bytes of a body as they may come: in pieces of these lengths, again and again. */
const inPieces = (bytes: Buffer, lengths: readonly number[]): readonly Buffer[] => {
  const pieces: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = from + (lengths[pieces.length % lengths.length] ?? bytes.length);
    pieces.push(bytes.subarray(from, to));
    from = to;
  }
  return pieces;
};

const mapPieces = (pieces: readonly Buffer[], context: MappingContext) =>
  mapBody({ pieces }, context, createReaderInThisThread(), 'key', createTurns());

/** Cuts it in each of these ways. */
const assertSame = async (
  body: Buffer | string,
  ...cuts: readonly (readonly number[])[]
): Promise<void> => {
  const bytes = Buffer.from(body);
  const expected = atOnce(bytes);
  for (const lengths of cuts)
    assert.equal(await mapPieces(inPieces(bytes, lengths), CONTEXT).catch(answer), expected);
};

/** Lengths of pieces: few bytes, so that everything is cut somewhere, or as many as there are. */
const pieces: fc.Arbitrary<readonly number[]> = fc.oneof(
  fc.constant([Number.POSITIVE_INFINITY]),
  fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1, maxLength: 5 }),
  fc
    .array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })
    .map((few) => [...few, 5_000, 80_000]),
);

const IN_EQUAL_PIECES = [16_384];

const NOT_JSON = [400, 'structure', 'The body is not JSON. Send the Bundle as JSON in UTF-8.'];

// Long enough for parts of their own.
const FILLER = 'x'.repeat(70_000);
const FIRST = birthBundle({ chartNumber: 'A' });
const MESSAGE = { resourceType: 'Bundle', type: 'message', entry: [{ resource: FIRST }, null] };

const white = fc.constantFrom('', '', '', ' ', '\n\t', '\r\n  ');

/** JSON as a sender may write it: white space anywhere, any letter as an escape. */
const written = (value: unknown, space: string, escapes: boolean): string => {
  const go = (one: unknown): string => {
    if (Array.isArray(one)) return `[${space}${one.map(go).join(`${space},${space}`)}${space}]`;
    if (typeof one === 'object' && one !== null)
      return `{${space}${Object.entries(one)
        .map(([key, held]) => `${textOf(key)}${space}:${space}${go(held)}`)
        .join(`,${space}`)}${space}}`;
    return typeof one === 'string' ? textOf(one) : JSON.stringify(one);
  };
  const textOf = (text: string): string =>
    escapes && text.length < 40
      ? `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
      : JSON.stringify(text);
  return go(value);
};

/** Any character, as the unit "binary" of fast-check, which first makes a table of all of them. */
const character = fc
  .integer({ min: 0, max: 0x10_ffff - 0x800 })
  .map((one) => String.fromCodePoint(one < 0xd800 ? one : one + 0x800));

const element: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    { resource: FIRST },
    { resource: birthBundle({ chartNumber: null, mother: null }) },
    { resource: FIRST, request: { method: 'DELETE' } },
    { resource: MESSAGE, request: { method: 'DELETE' } },
    { resource: { ...MESSAGE, entry: [{ resource: MESSAGE }, { resource: FIRST }] } },
    { resource: { resourceType: 'Bundle' } },
    ...objectEntries(FIRST),
    null,
    7,
    -0,
    1e308,
    'Bundle',
    [],
    [[]],
    {},
    { resource: FILLER },
    FILLER,
    '\\',
    '"',
    '\\"',
    '],[',
    '{"entry":[',
    'entry',
    '\ud800',
    '\u00e9\u4e16\u{1f476}',
  ),
  fc.jsonValue({ stringUnit: character, maxDepth: 3 }),
);

function objectEntries(bundle: { readonly [key: string]: unknown }): readonly unknown[] {
  return Array.isArray(bundle['entry']) ? bundle['entry'] : [];
}

const member: fc.Arbitrary<readonly [string, unknown]> = fc.oneof(
  fc.tuple(fc.constant('entry'), fc.array(element, { maxLength: 6 })),
  fc.tuple(fc.constant('entry'), fc.array(element, { maxLength: 6 })),
  fc.tuple(fc.constant('entry'), element),
  fc.tuple(fc.constant('resourceType'), fc.constantFrom<unknown>('Bundle', 'Patient', null)),
  fc.tuple(fc.constant('type'), fc.constantFrom('entry', 'message', 'batch')),
  fc.tuple(
    fc.constantFrom('entry ', 'Entry', '__proto__', 'identifier', 'link', 'constructor', 'meta'),
    fc.oneof(element, fc.array(element, { maxLength: 3 })),
  ),
);

const outer: fc.Arbitrary<string> = fc
  .record({
    members: fc.array(member, { maxLength: 5 }),
    isBundle: fc.constantFrom(true, true, true, false),
    space: white,
    escapes: fc.boolean(),
    mark: fc.constantFrom('', '', '\ufeff', '\ufeff\ufeff'),
    after: fc.constantFrom('', '', '', '\n', ' x', ',', '}', '[]'),
  })
  .map(({ members, isBundle, space, escapes, mark, after }) => {
    const all = isBundle ? [['resourceType', 'Bundle'] as const, ...members] : members;
    const text = all
      .map(([key, value]) =>
        written({ [key]: value }, space, escapes)
          .trim()
          .slice(1, -1),
      )
      .join(`${space},`);
    return `${mark}${space}{${text}}${after}`;
  });

const BREAKERS = [...'"\\,:[]{}0-. \n\u0000tn'].map((one) => one.charCodeAt(0)).concat(0xff, 0xc3);

test('in pieces or at once, a body has the same answer', async () => {
  await fc.assert(fc.asyncProperty(outer, pieces, assertSame), runs(1_500));
});

test('a body broken at any byte has the same answer in pieces or at once', async () => {
  const change = fc.tuple(
    fc.nat(),
    fc.constantFrom('replace', 'insert', 'delete', 'cut', 'swap'),
    fc.constantFrom(...BREAKERS),
  );
  await fc.assert(
    fc.asyncProperty(
      outer,
      fc.array(change, { minLength: 1, maxLength: 3 }),
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 }),
      (text, changes, lengths) => {
        const bytes = [...Buffer.from(text.replaceAll(FILLER, 'x'.repeat(12)))];
        for (const [where, how, byte] of changes) {
          const at = where % Math.max(1, bytes.length);
          if (how === 'cut') bytes.length = at;
          else if (how === 'swap') bytes.splice(at, 2, ...bytes.slice(at, at + 2).reverse());
          else bytes.splice(at, how === 'insert' ? 0 : 1, ...(how === 'delete' ? [] : [byte]));
        }
        return assertSame(Buffer.from(bytes), lengths);
      },
    ),
    runs(3_000),
  );
});

const PARTED = `{"resourceType":"Bundle","entry":[{"a":"${FILLER}"},{"b":"${FILLER}"},{"c":1}]}`;

for (const [name, body] of [
  ['a comma too much at the end', PARTED.replace('{"c":1}', ' ')],
  ['a comma too much at a cut', PARTED.replace(',{"b"', ',,{"b"')],
  ['a comma too much after one element', `{"resourceType":"Bundle","entry":["${FILLER}", ]}`],
  ['a comma too much at the start', PARTED.replace('[{', '[,{')],
  ['an element of another kind of bracket', PARTED.replace('"},{"b"', '"],{"b"')],
  ['brackets that end one array and begin another', PARTED.replace('},{"b"', '}],[{"b"')],
  ['an entry that never ends', PARTED.slice(0, -2)],
  ['a second entry that counts', PARTED.replace('{"res', '{"entry":[{"resource":7}],"res')],
  ['two more entries', `${PARTED.slice(0, -1)},"entry":[{"resource":7}],${PARTED.slice(1)}`],
  ['a second entry that is not JSON', `${PARTED.slice(0, -1)},"entry":[tru],${PARTED.slice(1)}`],
  ['a second entry that is empty', PARTED.replace(/\}$/, ',"entry":[]}')],
  ['a second entry that is no array', PARTED.replace(/\}$/, ',"entry":{}}')],
  ['a first entry that is not JSON', PARTED.replace('{"res', '{"entry":[tru],"res')],
  ['no Bundle, and an entry that is not JSON', PARTED.replace('Bundle', 'B').replace('1}', '}')],
  ['a list of lists', `["entry",["${FILLER}"],[]]`],
  ['white space for elements', '{"resourceType":"Bundle","entry":[ \n\t\r ]}'],
  ['white space that JSON does not know', '{"resourceType":"Bundle","entry":[\u00a0]}'],
  ['the deepest nesting', nested(MAX_NESTING - 2)],
  ['a level too much', nested(MAX_NESTING - 1)],
  ['a level too much after what is not JSON', nested(MAX_NESTING - 1).replace('[', '[x,')],
  ['huge numbers', `{"resourceType":"Bundle","entry":[${'9'.repeat(70_000)},1e999,-1E-999]}`],
  ['a number broken in two', `{"resourceType":"Bundle","entry":[1 2]}`],
  ['as many values as there may be', values(MAX_VALUES - 2)],
  ['a value too much', values(MAX_VALUES - 1)],
  ['1,000 courses of care', manyCourses(1000)],
  ['1,001 courses of care', manyCourses(1001)],
  ['a string that never ends', `{"resourceType":"Bundle","entry":["${FILLER}`],
  ['a string that ends in a backslash', `{"resourceType":"Bundle","entry":["${FILLER}\\`],
  ['backslashes before a quote', `{"resourceType":"Bundle","entry":["${'\\'.repeat(999)}",1]}`],
  ['escaped quotes', `{"resourceType":"Bundle","entry":["${'\\"'.repeat(999)}${FILLER}\\\\"]}`],
] as const)
  test(`the same answer in pieces or at once: ${name}`, async () => {
    await assertSame(
      body,
      ...takeCases([IN_EQUAL_PIECES, [1, 65_536], [Number.POSITIVE_INFINITY]]),
    );
  });

function nested(levels: number): string {
  return `{"resourceType":"Bundle","entry":${'['.repeat(levels)}${']'.repeat(levels)},"x":[[]]}`;
}

function values(count: number): string {
  return `{"resourceType":"Bundle","entry":[${'1,'.repeat(count - 2)}1]}`;
}

function manyCourses(count: number): string {
  return JSON.stringify(
    batchOf(Array.from({ length: count }, (_, n) => birthBundle({ chartNumber: `C${n}` }))),
  );
}

const assertSameInAll = async (bundles: readonly JsonObject[]): Promise<void> => {
  const batch = { resourceType: 'Bundle', entry: bundles.map((resource) => ({ resource })) };
  for (const bundle of [...bundles, batch, { ...batch, type: 'message' }])
    for (const indent of [0, 2])
      await assertSame(JSON.stringify(bundle, null, indent), IN_EQUAL_PIECES);
};

test('Bundles alone and in batches, compact and pretty-printed, have the same answer', () =>
  assertSameInAll([buildCompleteBundle(), birthBundle(), birthBundle({ mother: null })]));

testPublished(
  test,
  'fixtures/bfdr',
  'published Bundles alone and in batches, compact and pretty-printed, have the same answer',
  () => assertSameInAll(readAllPublished('fixtures/bfdr')),
);

test('a document longer than a course may be is too long, whatever its later entries are', async () => {
  const filler = { resource: { resourceType: 'Basic', text: 'x'.repeat(90_000) } };
  const { entry = [], ...outer } = birthBundle({ chartNumber: 'A' }) as { entry?: unknown[] };
  const tooLong = (filled: number, ...last: readonly unknown[]) =>
    Buffer.from(
      JSON.stringify({ ...outer, entry: [...Array(filled).fill(filler), ...entry, ...last] }),
    );
  const rejectionsOf = async (body: Buffer) => {
    const [item, ...others] = await mapPieces(inPieces(body, IN_EQUAL_PIECES), CONTEXT);
    assert.ok(item?.kind === 'rejected' && others.length === 0);
    return [item.reference, item.rejections.map(({ id }) => id)];
  };
  // The second is so long that its Patients are not kept.
  for (const filled of [60, 150])
    assert.equal(await rejectionsOf(tooLong(filled)), ['A', ['course-too-long']]);
  // Any Bundle among the entries makes it a batch.
  const batch = await mapPieces(
    inPieces(tooLong(150, { resource: FIRST }), IN_EQUAL_PIECES),
    CONTEXT,
  );
  assert.equal(
    batch.map(({ kind, reference }) => [kind, reference]),
    [['course', 'A']],
  );
});

test('a body in another encoding than UTF-8 is refused, wherever it shows', async () => {
  const inLatin = (text: string) => Buffer.from(text, 'latin1');
  const long = birthBundle({ chartNumber: FILLER });
  const bodies = [
    inLatin(JSON.stringify(birthBundle({ chartNumber: '\u00c41' }))),
    // Within the elements, before and behind them.
    inLatin(
      JSON.stringify({ ...MESSAGE, entry: [{ resource: long }, '\u00e4', { resource: long }] }),
    ),
    inLatin(JSON.stringify({ note: '\u00e4', ...MESSAGE, entry: [{ resource: long }] })),
    inLatin(JSON.stringify({ ...MESSAGE, entry: [{ resource: long }], note: '\u00e4' })),
    // The first half of a character, cut off by the comma.
    Buffer.concat([
      inLatin('{"resourceType":"Bundle","type":"message","entry":['),
      Buffer.from(`${JSON.stringify({ resource: long })}\u00e4`).subarray(0, -1),
      inLatin(`,${JSON.stringify({ resource: long })}]}`),
    ]),
  ];
  for (const body of bodies) {
    assert.equal(atOnce(body), NOT_JSON);
    await assertSame(body, IN_EQUAL_PIECES, [1, 7, 5_000]);
  }
});

test('a chart number that is spelled like a place in the submission is marked as one', () => {
  for (const changes of [{}, { mother: null }]) {
    const bundle = birthBundle({ chartNumber: 'record[0]', ...changes });
    const [queued] = mapSubmission(bundle, CONTEXT);
    assert.is(queued?.kind, 'mother' in changes ? 'rejected' : 'course');
    assert.is(queued?.isChartNumber, true);
  }
  assert.not('isChartNumber' in (mapSubmission({ resourceType: 'Bundle' }, CONTEXT)[0] ?? {}));
});

test.run();
