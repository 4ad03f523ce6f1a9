import { METHODS } from 'node:http';
import type { Random } from '../../../scripts/synthesis/random.ts';
import {
  type Attempt,
  type Generator,
  MARKER,
  requestOf,
  type Target,
  UNESCAPED_MARKER,
} from './attempt.ts';
import { hostileKey, hostileText, wellFormed } from './hostile-values.ts';

/** Addresses of ours; a colon begins what stands for anything. */
const PLACES: readonly string[] = [
  '/',
  '/openapi.json',
  '/metrics',
  '/health/live',
  '/health/ready',
  '/docs',
  '/docs/diagnostics',
  '/docs/codes',
  '/docs/statistics',
  '/docs/:file',
  '/assets/:file/:file',
  '/api/registry/fhir/Bundle',
  '/api/registry/fhir/ingestions/:id',
  '/api/registry/fhir/:id',
  '/smart/launch',
  '/smart/callback',
  '/sign-in',
  '/sign-out',
  '/account/password',
  '/registry',
  '/registry/records',
  '/registry/records/new',
  '/registry/records/entered',
  '/registry/records/:id',
  '/registry/records/:id/correct',
  '/registry/records/:id/void',
  '/registry/births',
  '/registry/duplicates',
  '/registry/duplicates/:id/:id/different',
  '/registry/statistics',
  '/registry/statistics/figures.csv',
  '/registry/providers',
  '/registry/providers/:id',
  '/registry/providers/:id/merge/:id',
  '/registry/integrations',
  '/registry/integrations/keys/:id/revoke',
  '/registry/import',
  '/registry/import/template.csv',
  '/registry/import/:id',
  '/registry/import/:id/progress/figures',
  '/registry/import/:id/result.csv',
  '/registry/members',
  '/registry/members/:id/seat',
  '/registry/custom-fields',
  '/registry/custom-fields/:id',
  '/registry/capture/prefill',
  '/staff',
  '/staff/practices',
  '/staff/practices/:id',
  '/staff/partners/:id',
  '/staff/partners/:id/keys/:id/revoke',
];

const QUERY_NAMES: readonly string[] = [
  'q',
  'page',
  'name',
  'chart',
  'state',
  'source',
  'flag',
  'year',
  'from',
  'to',
  'period',
  'as_of',
  'place',
  'attendant',
  'next',
  'iss',
  'launch',
  'code',
  'state',
  'error',
  'practice',
];

/** Texts that an address may hold as they are: the rest of the bytes ends it. */
const SEGMENTS: readonly string[] = [
  '%',
  '%0',
  '%zz',
  '%00',
  '%0d%0aX-Injected:%201',
  '%0a',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..%5c..%5c',
  '..',
  '.',
  '...',
  '%c0%ae%c0%ae',
  '%ed%a0%80',
  '%f8%88%80%80%80',
  '%e2%80%ae',
  '%u0041',
  '%25%32%65',
  '__proto__',
  'constructor',
  'null',
  '0',
  '-1',
  '1e999',
  '00000000-0000-4000-8000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  "'%20or%201=1--",
  ';jsessionid=1',
  '*',
  ':id',
  '(.*)',
  '{x}',
  'a'.repeat(10_000),
  '%41'.repeat(4_000),
  '\u00ff\u0080',
  '\ttab',
  '|^`"<>\\',
];

const encoded = (text: string): string => encodeURIComponent(wellFormed(text));

const segment = (random: Random): string =>
  random.chance(0.7) ? random.pick(SEGMENTS) : encoded(hostileText(random)).slice(0, 12_000);

/** An address: one of ours, its open places filled with something, or changed somewhere. */
const pathOf = (random: Random, target: Target): string => {
  const links = target.sessions.flatMap((session) => session.links);
  const known = links.length > 0 && random.chance(0.15);
  const place = known ? random.pick(links) : random.pick(PLACES);
  const path = place.replaceAll(/:(?:id|file)/g, () => segment(random));
  return random.weighted<() => string>([
    [() => path, 60],
    [() => `${path}/${segment(random)}`, 8],
    [() => path.replace('/', '//'), 4],
    [() => path.toUpperCase(), 2],
    [() => `${path}/`, 4],
    [() => `/.${path}`, 2],
    [() => `http://elsewhere.example${path}`, 3],
    [() => `//elsewhere.example${path}`, 2],
    [() => `http://${MARKER}:e${path}`, 1],
    [() => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`), 4],
    [() => `${path}#${segment(random)}`, 2],
    [() => `${path};${segment(random)}`, 2],
    [() => `*`, 0.5],
    [() => `/${segment(random)}`, 4],
  ])();
};

const parameter = (random: Random): string => {
  const name = random.chance(0.8) ? random.pick(QUERY_NAMES) : encoded(hostileKey(random));
  const value = random.chance(0.5) ? segment(random) : encoded(hostileText(random));
  return random.weighted<() => string>([
    [() => `${name}=${value}`, 20],
    [() => `${name}[]=${value}`, 2],
    [() => `${name}[__proto__][x]=${value}`, 2],
    [() => name, 1],
    [() => `=${value}`, 1],
    [() => `${name}=${value}&${name}=${value}`, 4],
    [() => `${name}=${encoded(UNESCAPED_MARKER)}`, 6],
  ])();
};

const queryOf = (random: Random): string => {
  if (random.chance(0.5)) return '';
  const parameters = random.chance(0.02)
    ? Array.from({ length: 3_000 }, (_, n) => `a${n}=`)
    : Array.from({ length: random.whole(1, 4) }, () => parameter(random));
  return `?${parameters.join('&').slice(0, 13_000)}`;
};

type Header = readonly [string, string];

/** Headers that our code or the libraries read. */
const NAMES: readonly string[] = [
  'Authorization',
  'Cookie',
  'Accept',
  'Content-Type',
  'Content-Encoding',
  'Idempotency-Key',
  'Origin',
  'Referer',
  'Sec-Fetch-Site',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'Host',
  'Range',
  'X-Forwarded-Proto',
  'If-None-Match',
  'If-Modified-Since',
  'If-Range',
  'Accept-Encoding',
  'Accept-Language',
  'Upgrade',
  'Forwarded',
  'X-Correlation-Id',
  'X-HTTP-Method-Override',
  'traceparent',
  'TE',
  'Trailer',
  'Via',
  'Date',
  'From',
  'Max-Forwards',
  '__proto__',
  'constructor',
];

const VALUES: readonly string[] = [
  '',
  ',',
  ';',
  '=',
  '"',
  '\\',
  '*/*;q=NaN',
  'text/html;level=1;q=0.4, application/json, +json',
  'text/html',
  `${'a/b,'.repeat(2_000)}`,
  `bytes=0-0${',1-1'.repeat(1_000)}`,
  'bytes=-99999999999999999999',
  'bytes=9-1',
  'Basic Og==',
  'Bearer',
  'Bearer  ',
  `Bearer ${' '.repeat(8_000)}x y`,
  `Bearer rgk_${'x'.repeat(8_000)}`,
  `Bearer rgk_${MARKER}`,
  'Bearer \u00ff\u00fe',
  'bearer rgk_\trgk_',
  'registry=',
  'registry=s%3A',
  'registry=s%3Ax.y',
  'registry=j%3A%7B%22__proto__%22%3A1%7D',
  'registry=%',
  `${'registry=x; '.repeat(600)}`,
  '__proto__=1; constructor=2',
  'null',
  'https://elsewhere.example',
  'http://[::1',
  '999.999.999.999',
  '::ffff:1.2.3.4, fe80::1%eth0, unknown, _hidden, "[::1]:80"',
  '127.0.0.1,'.repeat(900),
  'h2c, websocket',
  '100-continue',
  'W/"x", *',
  'Thu, 99 Foo 99999 99:99:99 GMT',
  '\t \t',
  '\u0080\u00ff',
  `${MARKER}value`,
  '%0d%0aX-Injected: 1',
  'x'.repeat(7_000),
];

const header = (random: Random): Header => [random.pick(NAMES), random.pick(VALUES)];

const headersOf = (random: Random, { nativeToken, sessions }: Target): Header[] => {
  const headers: Header[] = [];
  if (random.chance(0.4)) headers.push(['Authorization', `Bearer ${nativeToken}`]);
  if (random.chance(0.5) && sessions.length > 0)
    headers.push(['Cookie', random.pick(sessions).cookie]);
  for (let left = random.whole(0, 3); left > 0; left -= 1) headers.push(header(random));
  return headers;
};

/** What the interface answers must not repeat anything; a page may, written so that it is text. */
const forbiddenAt = (path: string): readonly string[] =>
  /^\/(?:api|health|openapi|metrics|nowhere)/.test(path) ? [MARKER] : [UNESCAPED_MARKER];

/** Requests with strange addresses, queries and headers, well-formed as HTTP. */
export const strangeHeads: Generator = (random, target): Attempt => {
  const path = pathOf(random, target) + queryOf(random);
  const method = random.chance(0.75)
    ? 'GET'
    : random.pick(METHODS.filter((one) => one !== 'CONNECT'));
  const hasBody = method !== 'GET' && method !== 'HEAD' && random.chance(0.5);
  const body = hasBody ? Buffer.from(hostileText(random)) : null;
  // It must not end a session: those who are signed in have to stay so.
  const isLeaving = /sign-out/i.test(path);
  const headers = headersOf(random, target).filter(
    ([name, value]) => !(isLeaving && name === 'Cookie' && value.length > 60),
  );
  return {
    bytes: requestOf(target, method, path, headers, body),
    isHead: method === 'HEAD',
    forbidden: forbiddenAt(path),
  };
};

/** Spoils the head of a request: what is left may be no request, or half of one. */
export const spoiltHeads: Generator = (random, target): Attempt => {
  const path = pathOf(random, target);
  const whole = requestOf(
    target,
    random.pick(['GET', 'POST', 'PUT']),
    path,
    headersOf(random, target),
    random.chance(0.5) ? Buffer.from('{"a":1}') : null,
  );
  const copy = Buffer.from(whole);
  const at = random.whole(0, copy.length - 1);
  const put = (text: string) =>
    Buffer.concat([copy.subarray(0, at), Buffer.from(text, 'latin1'), copy.subarray(at)]);
  const bytes = random.weighted<() => Buffer>([
    [() => copy.subarray(0, at), 2],
    [() => put('\0'), 2],
    [() => put('\r'), 2],
    [() => put('\n'), 2],
    [() => put('\r\n'), 2],
    [() => put('\r\n '), 2],
    [() => put('\u00ff'), 1],
    [() => put(' '), 1],
    [() => put(':'), 1],
    [() => put(`\r\nX-Long: ${'x'.repeat(random.pick([100, 16_000, 70_000]))}\r\n`), 1],
    [() => put(`\r\n${'a: b\r\n'.repeat(random.pick([100, 1_900, 5_000]))}`), 0.5],
    [
      () => {
        copy[at] = random.whole(0, 255);
        return copy;
      },
      4,
    ],
    [() => Buffer.from(copy.toString('latin1').replace('HTTP/1.1', 'HTTP/9.9'), 'latin1'), 1],
    [() => Buffer.from(copy.toString('latin1').replace('HTTP/1.1', 'HTTP/1.0'), 'latin1'), 1],
    [() => Buffer.from(copy.toString('latin1').replace(' HTTP/1.1', ''), 'latin1'), 1],
    [() => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 0.5],
    [() => Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]), 0.5],
  ])();
  return { bytes, isTorn: true, forbidden: forbiddenAt(path) };
};
