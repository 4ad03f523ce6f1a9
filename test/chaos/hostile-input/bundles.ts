import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { completeBodies, smallBatchOf, smallBodies } from '../../harness/push-bodies.ts';
import { BYTES_IN_MIB } from '../../harness/units.ts';
import {
  type Corruption,
  hostileBytes,
  hostileKey,
  hostileNumber,
  hostileText,
  insertion,
  overwriting,
  rarely,
  truncation,
  weighted,
} from './hostile-values.ts';
import { buildRequest, type Field, type HostileRequest, MARKER, type Target } from './request.ts';

const PATH = '/api/registry/fhir/Bundle';
/** So few that many of them are amended, retracted and revived by each other. */
const CHARTS = 400;
const MAX_CHANGES = 4;
const MAX_BODY_BYTES = 20 * BYTES_IN_MIB;
/** Repeated again and again, a long text would soon be longer than any can be. */
const MAX_REPEATED_BYTES = 8 * BYTES_IN_MIB;

const attendedBy = 'Practitioner/midwife';
/** Resources that a Bundle may have beside the births. */
const OTHERS: readonly object[] = [
  {
    resourceType: 'Practitioner',
    id: 'midwife',
    identifier: [
      { system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' },
      { value: 'partner-provider-7' },
    ],
    name: [{ family: `${MARKER}Weaver`, given: ['Ada'] }],
    qualification: [{ code: { text: 'CNM, MD' } }],
  },
  {
    resourceType: 'Composition',
    status: 'final',
    attester: [{ party: { reference: attendedBy } }],
    author: [{ reference: attendedBy }],
  },
  {
    resourceType: 'Consent',
    status: 'active',
    dateTime: '2026-03-10T08:00:00Z',
    provision: { type: 'permit' },
  },
  {
    resourceType: 'Encounter',
    type: [{ coding: [{ code: '19712007' }], text: 'Transfer' }],
    participant: [
      { type: [{ coding: [{ code: 'ATND' }] }], individual: { reference: attendedBy } },
    ],
  },
];

const small = smallBodies('H-');
const complete = completeBodies('H-');

/** The text of a Bundle that would be taken, mostly with the marker as the mother's given name. */
const validBundle: fc.Arbitrary<string> = weighted(
  [
    94,
    fc.tuple(fc.nat(CHARTS), fc.subarray([...OTHERS])).map(([n, others]) => {
      const bundle = JSON.parse(small(n).replaceAll('"Rosa"', `"${MARKER}"`)) as {
        entry: object[];
      };
      bundle.entry.push(...others.map((resource) => ({ resource })));
      return JSON.stringify(bundle);
    }),
  ],
  [5, fc.tuple(fc.nat(CHARTS), fc.nat(5)).map(([n, courses]) => smallBatchOf('H-', n, courses))],
  [1, fc.nat(CHARTS).map(complete)],
);

/**
 * JSON with what JSON.stringify would not write: keys that stand there twice, texts as they are. A
 * string is put into the JSON unchanged; the keys of an array are not used.
 */
type JsonNode = string | Holder;

interface Holder {
  readonly isArray: boolean;
  readonly members: (readonly [string, JsonNode])[];
}

const toNode = (value: unknown): JsonNode =>
  typeof value !== 'object' || value === null
    ? JSON.stringify(value)
    : {
        isArray: Array.isArray(value),
        members: Object.entries(value).map(([key, held]) => [key, toNode(held)]),
      };

const writeNode = (node: JsonNode): string => {
  if (typeof node === 'string') return node;
  if (node.isArray) return `[${node.members.map(([, held]) => writeNode(held)).join()}]`;
  return `{${node.members.map(([key, held]) => `${JSON.stringify(key)}:${writeNode(held)}`).join()}}`;
};

/** Every object and array in a node, itself included. */
const findHolders = (node: JsonNode): readonly Holder[] =>
  typeof node === 'string' ? [] : [node, ...node.members.flatMap(([, held]) => findHolders(held))];

/** A value of some wrong kind. */
const hostileNode: fc.Arbitrary<string> = weighted(
  [400, hostileText.map((text) => JSON.stringify(text))],
  // Escaped it is JSON, as bytes it is not even UTF-8.
  [50, hostileText.map((text) => `"${text.replaceAll(/["\\\p{Cc}]/gu, '')}"`)],
  [250, hostileNumber],
  [200, fc.constantFrom('null', 'true', 'false', '[]', '{}', '[[]]', '[null]', '[{}]')],
  [30, fc.constantFrom('NaN', 'undefined', '01', '.5', "'a'", '"\u0001"', '"\\x"', '/**/1')],
  [
    20,
    fc
      .tuple(fc.constantFrom(10, 62, 63, 64, 65, 1_000, 50_000), fc.boolean())
      .map(([depth, isArray]) =>
        isArray
          ? '['.repeat(depth) + ']'.repeat(depth)
          : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
      ),
  ],
  [3, fc.integer({ min: 1, max: 3 }).map((mib) => `"${MARKER}${'m'.repeat(mib * BYTES_IN_MIB)}"`)],
  [
    5,
    hostileText.map(
      (text) =>
        `[${Array(5_000)
          .fill(JSON.stringify(text.slice(0, 8)))
          .join()}]`,
    ),
  ],
);

/** A change of some object or array of a Bundle. */
const change = fc.record({
  holder: fc.nat(),
  at: fc.nat(),
  how: fc.constantFrom('replace', 'insert', 'remove', 'append', 'rename', 'wrap', 'repeat'),
  key: hostileKey,
  node: hostileNode,
  times: fc.constantFrom(1, 2, 25, 200),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const applyChange = (bundle: JsonNode, { holder, how, key, node, times, ...change }: Change) => {
  const holders = findHolders(bundle);
  const { members } = holders[holder % holders.length] as Holder;
  const at = change.at % Math.max(1, members.length);
  const [name, held] = members[at] ?? [null, ''];
  if (how === 'insert' || name === null) members.splice(at, 0, [key, node]);
  else if (how === 'remove') members.splice(at, 1);
  else if (how === 'append') members.push([name, node]);
  else if (how === 'rename') members.splice(at, 1, [key, held]);
  else if (how === 'wrap') members.splice(at, 1, [name, { isArray: true, members: [['', held]] }]);
  else if (how === 'replace') members.splice(at, 1, [name, node]);
  else {
    const most = Math.floor(MAX_REPEATED_BYTES / (writeNode(held).length + 1));
    for (let left = Math.min(times, most); left > 0; left -= 1) members.push([name, held]);
  }
};

const changedBody: fc.Arbitrary<Buffer> = fc
  .tuple(validBundle, fc.array(change, { maxLength: MAX_CHANGES }))
  .map(([text, changes]) => {
    const bundle = toNode(JSON.parse(text));
    for (const one of changes) applyChange(bundle, one);
    return Buffer.from(writeNode(bundle));
  });

/** NUL, what is no UTF-8, and what JSON is made of. */
const INSERTED = [
  ...['\0', '\0', '\xff', '\xc0\xaf', '\xed\xa0\x80', '\xf8\x88', '\xe2\x82'],
  ...['"', '\\', '{', '[', ']', '}', ',', ':', '\\u'],
];

/** Corrupts the bytes of a body. */
const corruption = weighted<Corruption>(
  [1, truncation],
  [3, insertion(fc.constantFrom(...INSERTED))],
  [1, (body) => Buffer.concat([Buffer.from('\ufeff'), body])],
  [1, (body) => Buffer.from(`\ufeff${body.toString()}`, 'utf16le')],
  [
    1,
    fc.constantFrom<Corruption>(
      (body) => Buffer.concat([body, body]),
      (body) => Buffer.concat([body, Buffer.from('}]\0 x')]),
    ),
  ],
  [1, overwriting(20)],
  [1, hostileBytes(300).map((bytes) => () => bytes)],
  [1, () => Buffer.alloc(0)],
);

const contentType = weighted(
  [80, 'application/fhir+json'],
  [
    20,
    fc.constantFrom(
      'application/fhir+json',
      'application/json; charset=utf-16',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'a/b;;;=',
      '',
    ),
  ],
);
const idempotencyKey = fc.constantFrom(
  ...['', ' ', 'once', 'x'.repeat(5_000), '\u00ff\u0080', '__proto__', `${MARKER}key`],
);

/** A push of a body, compressed or not. */
const push = (
  kind: string,
  target: Target,
  content: fc.Arbitrary<Buffer>,
  encodings: fc.Arbitrary<string | null> = fc.constant(null),
): fc.Arbitrary<HostileRequest> =>
  fc
    .record({
      body: content,
      encoding: encodings,
      token: weighted([7, target.nativeToken], [3, target.partnerToken]),
      type: contentType,
      key: rarely(10, idempotencyKey),
    })
    .map(({ body, encoding, token, type, key }) => {
      const headers: Field[] = [
        ['Authorization', `Bearer ${token}`],
        ['Content-Type', type],
      ];
      if (key !== null) headers.push(['Idempotency-Key', key]);
      if (encoding !== null) headers.push(['Content-Encoding', encoding]);
      return {
        kind,
        bytes: buildRequest(target, 'POST', PATH, headers, body),
        forbidden: [MARKER],
      };
    });

/** Bundles with wrong things in the right places. */
export const changedBundles = (target: Target) => push('changed Bundles', target, changedBody);

/** Bundles whose bytes are not what they were. */
export const corruptBundles = (target: Target) =>
  push(
    'corrupt Bundles',
    target,
    fc.tuple(changedBody, corruption).map(([body, corrupt]) => corrupt(body)),
  );

const compressedBody: fc.Arbitrary<Buffer> = fc
  .tuple(
    changedBody,
    weighted<(plain: Buffer, packed: Buffer) => Buffer>(
      [4, (_plain, packed) => packed],
      [4, corruption.map((corrupt) => (_plain, packed) => corrupt(packed))],
      [1, (plain) => plain],
      [1, (_plain, packed) => gzipSync(packed)],
      [1, (_plain, packed) => Buffer.concat([packed, packed])],
      [1, (_plain, packed) => Buffer.concat([packed, Buffer.from('rest')])],
    ),
  )
  .map(([plain, send]) => send(plain, gzipSync(plain)));

const ENCODINGS = ['gzip', 'gzip', 'gzip', 'x-gzip', 'GZIP ', 'deflate', 'br', 'gzip, gzip'];

/** Bundles compressed with gzip, or said to be. */
export const compressedBundles = (target: Target) =>
  push('compressed Bundles', target, compressedBody, fc.constantFrom(...ENCODINGS));

/** Built once: they are large, and the same each time. */
const once = (build: () => Buffer | string, isPlain = false): (() => Buffer) => {
  let bomb: Buffer | null = null;
  return () => {
    bomb ??= isPlain ? Buffer.from(build()) : gzipSync(build());
    return bomb;
  };
};

const BUNDLE = '{"resourceType":"Bundle"';
const ENTRIES = `${BUNDLE},"entry":[`;
const manyKeys = () => Array.from({ length: 300_000 }, (_, n) => `"${MARKER}${n}":${n}`).join();

const bomb: fc.Arbitrary<Buffer> = weighted<() => Buffer>(
  [3, once(() => Buffer.alloc(MAX_BODY_BYTES - 2, ' '))],
  [3, once(() => Buffer.alloc(MAX_BODY_BYTES, '['))],
  [2, once(() => Buffer.alloc(MAX_BODY_BYTES, '"'))],
  [2, once(() => `[${'1,'.repeat(5_000_000)}1]`)],
  [2, once(() => `{"a":"${'\\"'.repeat(9_000_000)}}`)],
  [2, once(() => `{"a":${'9'.repeat(MAX_BODY_BYTES - 9)}}`)],
  [2, once(() => `${ENTRIES}${'{},'.repeat(950_000)}{}]}`)],
  [2, once(() => `${ENTRIES}${`{"resource":${ENTRIES}]}},`.repeat(1_001)}{}]}`)],
  [2, once(() => `${BUNDLE},${manyKeys()}}`)],
  // A hundred times over the limit.
  [
    3,
    once(() => Buffer.concat(Array(2_000).fill(gzipSync(Buffer.alloc(BYTES_IN_MIB, 'a')))), true),
  ],
).map((build) => build());

const tooLarge = once(() => Buffer.alloc(MAX_BODY_BYTES + 1, 'x'), true);

/** Bodies that are small on their way and large when they have arrived, and one that is large at once. */
export const decompressionBombs = (target: Target) =>
  weighted(
    [23, push('decompression bombs', target, bomb, fc.constant('gzip'))],
    [
      1,
      push(
        'decompression bombs',
        target,
        fc.constant(tooLarge).map((build) => build()),
        fc.constant('identity'),
      ),
    ],
  );
