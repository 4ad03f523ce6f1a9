import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseJsonBody } from '../../adapters/egress/json-body.ts';
import { RequestProblem } from '../../api/http/request-problem.ts';
import { createTurns } from '../../api/process/turns.ts';
import { mapBody } from '../../api/push/map-body.ts';
import { createReaderInThisThread } from '../../api/reading/reader.ts';
import { findFirstFingerprintKey } from '../../domain/birth-record/duplicates/fingerprint-keys.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';

/**
 * A property name twice in one JSON object: FHIR forbids it, and a parser keeps the last of the two
 * values, whichever was meant.
 */

const CONTEXT = {
  practiceId: 'cedar',
  keyKind: 'native',
  partnerId: null,
  recordHash: (_practice: string, chartNumber: string) => chartNumber,
  fingerprintKeys: { current: [findFirstFingerprintKey((_practice, text) => text)], older: [] },
  offsetAt: null,
  providerId: (_practice: string, _partner: string, identity: string) => identity,
  registryCodeSystems: [],
} as const;

const CUTS = [1, 7, 16_384, Number.POSITIVE_INFINITY];

/** Outcomes of a body, the same however it arrives. */
const outcomesOf = async (body: string): Promise<unknown> => {
  const bytes = Buffer.from(body);
  const cut = (length: number) =>
    Array.from({ length: Math.ceil(bytes.length / Math.min(length, bytes.length)) }, (_, at) =>
      bytes.subarray(at * length, (at + 1) * length),
    );
  const found = await Promise.all(
    [
      bytes,
      ...CUTS.map((length) => ({ pieces: length > bytes.length ? [bytes] : cut(length) })),
    ].map(async (one) => {
      try {
        const reader = createReaderInThisThread();
        const items = await mapBody(one, CONTEXT, reader, 'key', createTurns());
        return items.map((item) =>
          item.kind === 'rejected' ? item.rejections.map(({ id }) => id).join() : item.kind,
        );
      } catch (error) {
        if (error instanceof RequestProblem) return [error.status, error.code, error.diagnostics];
        throw error;
      }
    }),
  );
  for (const one of found) assert.equal(one, found[0]);
  return found[0];
};

const REFUSED = [
  400,
  'structure',
  'An object of the body has the same property name twice, so one of the two values would be lost. Send each name once.',
];

const birth = (chartNumber: string): string => JSON.stringify(birthBundle({ chartNumber }));
/** Writes a member of an object once more. */
const double = (text: string, member: string, other = member): string => {
  assert.ok(text.includes(member), member);
  return text.replace(member, `${other},${member}`);
};
const ONE = birth('T-1');
const MANY = Array.from({ length: 40 }, (_, at) => `"name${at}":0`).join();
const DATE = /"birthDate":"[^"]+"/.exec(ONE)?.[0] ?? '';

for (const [where, body] of [
  ['in the outer object', double(ONE, '"resourceType":"Bundle"')],
  ['the chart number', double(ONE, '"identifier":', '"identifier":{"value":"OTHER"}')],
  ['the entries', double(ONE, '"entry":', '"entry":[]')],
  ['a value of a Patient', double(ONE, DATE, '"birthDate":"1985-02-03"')],
  ['the same value twice', double(ONE, DATE)],
  ['written once with an escape', double(ONE, DATE, '"birth\\u0044ate":"1985-02-03"')],
  [
    'written twice with an escape',
    ONE.replace(DATE, `"\\u0062irthDate":"1985-02-03","birthDat\\u0065":""`),
  ],
  [
    'in an object that nobody reads',
    ONE.replace('{"resource":', '{"x":{"y":[1,{"z":1,"z":2}]},"resource":'),
  ],
  ['among many names', ONE.replace('{"resource":', `{"x":{${MANY},"name39":1},"resource":`)],
  [
    'outside of the entries of a batch',
    double(JSON.stringify(batchOf([birthBundle()])), '"resourceType":"Bundle"'),
  ],
  ['in a value that is lost', double(ONE, '"identifier":', '"identifier":{"value":{"a":1,"a":2}}')],
  ['the name of a prototype', ONE.replace('{', '{"__proto__":{"a":1},"__proto__":{"b":2,"c":3},')],
  [
    'in a name of the outer object that nobody reads',
    ONE.replace('{', '{"x":{"é":1,"\\u00e9":2},'),
  ],
] as const)
  test(`one course of care is refused: ${where}`, async () => {
    assert.equal(await outcomesOf(body), REFUSED);
  });

for (const [what, body] of [
  ['the same name in different objects', ONE],
  [
    'a name like a value beside it',
    ONE.replace('{"resource":', '{"x":{"y":"y","z":["y","y"]},"resource":'),
  ],
  [
    'a name that an object within has, too',
    ONE.replace('{"resource":', '{"x":{"x":{"x":1}},"resource":'),
  ],
  [
    'names that differ in case, length, or by a space',
    ONE.replace('{"resource":', '{"x":{"a":1,"A":2,"aa":3,"a ":4,"":5},"resource":'),
  ],
  ['many names', ONE.replace('{"resource":', `{"x":{${MANY}},"resource":`)],
  [
    'a name that looks like JSON',
    ONE.replace('{"resource":', '{"x":{"{\\"a\\":":1,"a":2},"resource":'),
  ],
] as const)
  test(`is taken: ${what}`, async () => {
    assert.equal(await outcomesOf(body), ['course']);
  });

test('of a batch, the records that have it are rejected, and no others', async () => {
  const message = (text: string) =>
    `{"resourceType":"Bundle","type":"message","entry":[{"resource":${text}},{"resource":${birth('M-2')}}]}`;
  const bodies = [
    birth('B-1'),
    double(birth('B-2'), DATE, '"birthDate":"1985-02-03"'),
    birth('B-3'),
    message(double(birth('M-1'), '"identifier":', '"identifier":{"value":"OTHER"}')),
    birth('B-4'),
  ].map((resource) => `{"resource":${resource}}`);
  const wrapped = `{"resource":${birth('B-5')},"resource":${birth('B-6')}}`;
  const batch = `{"resourceType":"Bundle","type":"batch","entry":[${[...bodies, wrapped, `{"resource":${birth('B-7')}}`]}]}`;
  assert.equal(await outcomesOf(batch), [
    'course',
    'name-twice',
    'course',
    'name-twice',
    'name-twice',
    'course',
    'name-twice',
    'course',
  ]);
});

test('an answer of an EHR or a provider cannot be read', () => {
  const read = (text: string) => parseJsonBody(Buffer.from(text));
  assert.is(read('{"access_token":"a","access_token":"b"}'), undefined);
  assert.is(
    read('{"resourceType":"Bundle","entry":[{"resource":{"id":"a","id":"b"}}]}'),
    undefined,
  );
  assert.equal(read('{"a":{"a":["a","a"]}}'), { a: { a: ['a', 'a'] } });
});

test.run();
