import { gzipSync } from 'node:zlib';
import type { Random } from '../../../scripts/synthesis/random.ts';
import type { Weights } from '../../../scripts/synthesis/weights.ts';
import { batchOf, realBodies, smallBodies } from '../../harness/push-bodies.ts';
import { type Attempt, type Generator, MARKER, requestOf, type Target } from './attempt.ts';
import { hostileKey, hostileNumber, hostileText } from './hostile-values.ts';

const PATH = '/api/registry/fhir/Bundle';
/** So few that many of them are amended, retracted and revived by each other. */
const CHARTS = 400;
const MOST_CHANGES = 4;
const MEBIBYTE = 1_048_576;
const LARGEST_BODY = 20 * MEBIBYTE;
/** Repeated again and again, a long text would soon be longer than any can be. */
const MOST_REPEATED_BYTES = 8 * MEBIBYTE;

const practitioner = {
  resourceType: 'Practitioner',
  id: 'midwife',
  identifier: [
    { system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' },
    { value: 'partner-provider-7' },
  ],
  name: [{ family: `${MARKER}Weaver`, given: ['Ada'] }],
  qualification: [{ code: { text: 'CNM, MD' } }],
};

const others = [
  { resource: practitioner },
  {
    resource: {
      resourceType: 'Composition',
      status: 'final',
      attester: [{ party: { reference: 'Practitioner/midwife' } }],
      author: [{ reference: 'Practitioner/midwife' }],
    },
  },
  {
    resource: {
      resourceType: 'Consent',
      status: 'active',
      dateTime: '2026-03-10T08:00:00Z',
      provision: { type: 'permit' },
    },
  },
  {
    resource: {
      resourceType: 'Encounter',
      type: [{ coding: [{ code: '19712007' }], text: 'Transfer' }],
      participant: [
        {
          type: [{ coding: [{ code: 'ATND' }] }],
          individual: { reference: 'Practitioner/midwife' },
        },
      ],
    },
  },
];

const small = smallBodies('H-');
const real = realBodies('H-');

/** A Bundle that would be taken, its mother's given name the marker. */
const validBundle = (random: Random): JsonNode => {
  const n = random.whole(0, CHARTS);
  if (random.chance(0.01)) return nodesOf(JSON.parse(real(n)));
  if (random.chance(0.05)) return nodesOf(JSON.parse(batchOf('H-', n, random.whole(0, 5))));
  const bundle = JSON.parse(small(n).replaceAll('"Rosa"', `"${MARKER}"`)) as { entry: unknown[] };
  for (const other of others) if (random.chance(0.4)) bundle.entry.push(other);
  return nodesOf(bundle);
};

const nested = (random: Random): JsonNode => {
  const depth = random.pick([10, 62, 63, 64, 65, 1_000, 50_000]);
  const isArray = random.chance(0.5);
  return raw(
    isArray
      ? '['.repeat(depth) + ']'.repeat(depth)
      : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
  );
};

/** A value of some wrong kind. */
const hostileNode = (random: Random): JsonNode =>
  random.weighted<() => JsonNode>([
    [() => raw(JSON.stringify(hostileText(random))), 40],
    // Escaped it is JSON, as bytes it is not even UTF-8.
    [() => raw(`"${hostileText(random).replaceAll(/["\\\p{Cc}]/gu, '')}"`), 5],
    [() => raw(hostileNumber(random)), 25],
    [() => raw(random.pick(['null', 'true', 'false', '[]', '{}', '[[]]', '[null]', '[{}]'])), 20],
    [() => nested(random), 2],
    [() => raw(`"${MARKER}${'m'.repeat(random.whole(1, 3) * MEBIBYTE)}"`), 0.3],
    [
      () =>
        raw(
          `[${Array(5_000)
            .fill(JSON.stringify(hostileText(random).slice(0, 8)))
            .join()}]`,
        ),
      0.5,
    ],
    [
      () => raw(random.pick(['NaN', 'undefined', '01', '.5', "'a'", '"\u0001"', '"\\x"', '/**/1'])),
      3,
    ],
  ])();

/** Changes a Bundle somewhere. */
const changeSomewhere = (random: Random, bundle: JsonNode): void => {
  const holder = random.pick(holdersIn(bundle));
  if (holder.kind === 'array') {
    const { items } = holder;
    const at = random.whole(0, Math.max(0, items.length - 1));
    const here = items[at];
    const how = random.whole(0, 3);
    if (how === 0 || here === undefined) items.splice(at, 0, hostileNode(random));
    else if (how === 1) items.splice(at, 1, hostileNode(random));
    else if (how === 2) items.splice(at, 1);
    else {
      const most = Math.floor(MOST_REPEATED_BYTES / (writeNode(here).length + 1));
      const times = Math.min(random.pick([1, 2, 25, 200]), most);
      for (let left = times; left > 0; left -= 1) items.push(here);
    }
    return;
  }
  const { entries } = holder;
  const at = random.whole(0, Math.max(0, entries.length - 1));
  const here = entries[at];
  const how = random.whole(0, 5);
  if (how === 0 || here === undefined)
    entries.splice(at, 0, [hostileKey(random), hostileNode(random)]);
  else if (how === 1) entries.splice(at, 1);
  else if (how === 2) entries.push([here[0], hostileNode(random)]);
  else if (how === 3) entries.splice(at, 1, [hostileKey(random), here[1]]);
  else if (how === 4) entries.splice(at, 1, [here[0], { kind: 'array', items: [here[1]] }]);
  else entries.splice(at, 1, [here[0], hostileNode(random)]);
};

const changedText = (random: Random): string => {
  const bundle = validBundle(random);
  for (let left = random.whole(0, MOST_CHANGES); left > 0; left -= 1)
    changeSomewhere(random, bundle);
  return writeNode(bundle);
};

/** Changes the bytes of a body. */
const spoilt = (random: Random, body: Buffer): Buffer => {
  const at = random.whole(0, Math.max(0, body.length - 1));
  const put = (bytes: readonly number[]) =>
    Buffer.concat([body.subarray(0, at), Buffer.from(bytes), body.subarray(at)]);
  switch (random.whole(0, 9)) {
    case 0:
      return body.subarray(0, at);
    case 1:
      return put([0]);
    case 2:
      return put(
        random.pick([[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf8, 0x88], [0xe2, 0x82]]),
      );
    case 3:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]);
    case 4:
      return Buffer.from(`\ufeff${body.toString('utf8')}`, 'utf16le');
    case 5:
      return Buffer.concat([body, random.chance(0.5) ? body : Buffer.from('}]\0 x')]);
    case 6: {
      const copy = Buffer.from(body);
      for (let left = random.whole(1, 20); left > 0; left -= 1)
        copy[random.whole(0, copy.length - 1)] = random.whole(0, 255);
      return copy;
    }
    case 7:
      return Buffer.from(Array.from({ length: random.whole(0, 300) }, () => random.whole(0, 255)));
    case 8:
      return put([...Buffer.from(random.pick(['"', '\\', '{', '[', ']', '}', ',', ':', '\\u']))]);
    default:
      return Buffer.alloc(0);
  }
};

type Header = readonly [string, string];

const TYPES: readonly string[] = [
  'application/fhir+json',
  'application/json; charset=utf-16',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'a/b;;;=',
  '',
];

const headersOf = (random: Random, { nativeToken, partnerToken }: Target): Header[] => [
  ['Authorization', `Bearer ${random.chance(0.7) ? nativeToken : partnerToken}`],
  ['Content-Type', random.chance(0.8) ? 'application/fhir+json' : random.pick(TYPES)],
  ...(random.chance(0.1) ? [['Idempotency-Key', idempotencyKey(random)] as const] : []),
];

const idempotencyKey = (random: Random): string =>
  random.pick(['', ' ', 'once', 'x'.repeat(5_000), '\u00ff\u0080', '__proto__', `${MARKER}key`]);

const attemptOf = (target: Target, headers: readonly Header[], body: Buffer): Attempt => ({
  bytes: requestOf(target, 'POST', PATH, headers, body),
  forbidden: [MARKER],
});

/** Bundles with wrong things in the right places. */
export const changedBundles: Generator = (random, target) =>
  attemptOf(target, headersOf(random, target), Buffer.from(changedText(random)));

/** Bundles whose bytes are not what they were. */
export const spoiltBundles: Generator = (random, target) =>
  attemptOf(target, headersOf(random, target), spoilt(random, Buffer.from(changedText(random))));

/** Bundles packed with gzip, or said to be. */
export const packedBundles: Generator = (random, target) => {
  const plain = Buffer.from(changedText(random));
  const packed = gzipSync(plain);
  const encoding = random.pick([
    'gzip',
    'x-gzip',
    'GZIP ',
    'gzip',
    'gzip',
    'deflate',
    'br',
    'gzip, gzip',
  ]);
  const body = random.weighted<() => Buffer>([
    [() => packed, 4],
    [() => plain, 1],
    [() => spoilt(random, packed), 4],
    [() => gzipSync(packed), 1],
    [() => Buffer.concat([packed, gzipSync(plain)]), 1],
    [() => Buffer.concat([packed, Buffer.from('rest')]), 1],
  ])();
  return attemptOf(target, [...headersOf(random, target), ['Content-Encoding', encoding]], body);
};

/** Made once: they are large, and the same each time. */
const bombs = new Map<string, Buffer>();
const bomb = (name: string, make: () => Buffer): Buffer => {
  const held = bombs.get(name) ?? make();
  bombs.set(name, held);
  return held;
};

const BOMBS: Weights<() => readonly [Buffer, 'gzip' | 'identity']> = [
  // Over the limit a hundred times, of one letter and of white space around a Bundle.
  [() => [bomb('letters', () => repeatedGzip(Buffer.alloc(MEBIBYTE, 'a'), 2_000)), 'gzip'], 3],
  [() => [bomb('spaces', () => gzipSync(Buffer.alloc(LARGEST_BODY - 2, ' '))), 'gzip'], 3],
  [() => [bomb('brackets', () => gzipSync(Buffer.alloc(LARGEST_BODY, '['))), 'gzip'], 3],
  [() => [bomb('commas', () => gzipSync(Buffer.from(`[${'1,'.repeat(5_000_000)}1]`))), 'gzip'], 2],
  [() => [bomb('quotes', () => gzipSync(Buffer.alloc(LARGEST_BODY, '"'))), 'gzip'], 2],
  [
    () => [
      bomb('escapes', () => gzipSync(Buffer.from(`{"a":"${'\\"'.repeat(9_000_000)}`))),
      'gzip',
    ],
    2,
  ],
  [() => [bomb('entries', () => gzipSync(Buffer.from(emptyEntries(1_900_000)))), 'gzip'], 2],
  [() => [bomb('bundles', () => gzipSync(Buffer.from(emptyBundles(1_001)))), 'gzip'], 2],
  [() => [bomb('keys', () => gzipSync(Buffer.from(manyKeys(300_000)))), 'gzip'], 2],
  [
    () => [
      bomb('digits', () => gzipSync(Buffer.from(`{"a":${'9'.repeat(LARGEST_BODY - 9)}}`))),
      'gzip',
    ],
    2,
  ],
  [() => [bomb('plain', () => Buffer.alloc(LARGEST_BODY + 1, 'x')), 'identity'], 1],
];

const repeatedGzip = (piece: Buffer, times: number): Buffer =>
  Buffer.concat(Array<Buffer>(times).fill(gzipSync(piece)));

const emptyEntries = (count: number): string =>
  `{"resourceType":"Bundle","entry":[${'{},'.repeat(count / 2)}{}]}`;

const emptyBundles = (count: number): string =>
  `{"resourceType":"Bundle","entry":[${Array(count)
    .fill('{"resource":{"resourceType":"Bundle","entry":[]}}')
    .join()}]}`;

const manyKeys = (count: number): string =>
  `{"resourceType":"Bundle",${Array.from({ length: count }, (_, n) => `"${MARKER}${n}":${n}`).join()}}`;

/** Bodies that are small on their way and large when they have arrived. */
export const bombBodies: Generator = (random, target) => {
  const [body, encoding] = random.weighted(BOMBS)();
  return attemptOf(target, [...headersOf(random, target), ['Content-Encoding', encoding]], body);
};

/** JSON with what JSON.stringify would not write: keys that stand there twice, texts as they are. */
type JsonNode =
  | { readonly kind: 'object'; readonly entries: (readonly [string, JsonNode])[] }
  | { readonly kind: 'array'; readonly items: JsonNode[] }
  | { readonly kind: 'raw'; readonly text: string };

/** A text that is put into the JSON as it is. */
const raw = (text: string): JsonNode => ({ kind: 'raw', text });

/** The nodes of a value. */
const nodesOf = (value: unknown): JsonNode => {
  if (Array.isArray(value)) return { kind: 'array', items: value.map(nodesOf) };
  if (typeof value !== 'object' || value === null) return raw(JSON.stringify(value));
  const entries = Object.entries(value).map(([key, held]) => [key, nodesOf(held)] as const);
  return { kind: 'object', entries };
};

/** The text of a node. */
const writeNode = (node: JsonNode): string => {
  switch (node.kind) {
    case 'raw':
      return node.text;
    case 'array':
      return `[${node.items.map(writeNode).join(',')}]`;
    case 'object':
      return `{${node.entries
        .map(([key, held]) => `${JSON.stringify(key)}:${writeNode(held)}`)
        .join(',')}}`;
  }
};

/** Every object and array in a node, itself included. */
const holdersIn = (node: JsonNode): Exclude<JsonNode, { kind: 'raw' }>[] => {
  if (node.kind === 'raw') return [];
  const held = node.kind === 'array' ? node.items : node.entries.map(([, one]) => one);
  return [node, ...held.flatMap(holdersIn)];
};
