import { METHODS } from 'node:http';
import fc from 'fast-check';
import type { MountedRoute } from '../../support/mounted-routes.ts';
import { encodeFields } from './forms.ts';
import {
  type Corruption,
  encode,
  hostileKey,
  hostileText,
  insertion,
  overwriting,
  rarely,
  splitWords,
  truncation,
  weighted,
} from './hostile-values.ts';
import {
  buildRequest,
  type Field,
  FORM_TYPE,
  type HostileRequest,
  MARKER,
  type Target,
  UNESCAPED_MARKER,
} from './request.ts';

/** A segment of an address: texts as they are (other bytes would end it), or anything, escaped. */
const hostileSegment: fc.Arbitrary<string> = weighted(
  [
    7,
    fc.constantFrom(
      ...splitWords(String.raw`
        0 -1 1e999 null % %0 %zz %00 %0d%0aX-Injected:%201 %0a %2e%2e%2f%2e%2e%2fetc%2fpasswd
        ..%5c..%5c .. . ... %c0%ae%c0%ae %ed%a0%80 %f8%88%80%80%80 %e2%80%ae %u0041 %25%32%65
        __proto__ constructor 00000000-0000-4000-8000-000000000000
        FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF '%20or%201=1-- ;jsessionid=1 * :id (.*) {x} |^${'`'}"<>\ `),
      'a'.repeat(10_000),
      '%41'.repeat(4_000),
      '\u00ff\u0080',
      '\ttab',
    ),
  ],
  [3, hostileText.map((text) => encode(text).slice(0, 12_000))],
);

const segmentsOf = (path: string): readonly string[] => path.split('/').slice(1);
const isParameter = (segment: string): boolean => /^:|\*/.test(segment);

/** What stands in the place of a parameter in the known addresses that begin as the route does. */
const findRealIds = (known: readonly string[], pattern: readonly string[]): readonly string[] => {
  const ids = known.flatMap((address) => {
    const segments = segmentsOf(address);
    const isSame = pattern
      .slice(0, -1)
      .every((part, at) => isParameter(part) || part === segments[at]);
    const id = segments[pattern.length - 1];
    return isSame && id !== undefined && id !== '' ? [id] : [];
  });
  return [...new Set(ids)];
};

/** The address of a route, with real ids and hostile values for its parameters. */
const fillPath = ({ known }: Target, { path }: MountedRoute): fc.Arbitrary<string> => {
  const segments = segmentsOf(path);
  const filled = segments.map((segment, at) => {
    if (/\*/.test(segment))
      return fc.array(hostileSegment, { minLength: 1, maxLength: 2 }).map((all) => all.join('/'));
    if (!isParameter(segment)) return fc.constant(segment);
    const ids = findRealIds(known, segments.slice(0, at + 1));
    return ids.length === 0 ? hostileSegment : fc.oneof(fc.constantFrom(...ids), hostileSegment);
  });
  return fc.tuple(...filled).map((parts) => `/${parts.join('/')}`);
};

/** Writes an address in another way, or makes another of it. */
const pathChange = weighted<(path: string) => string>(
  [120, (path) => path],
  [16, hostileSegment.map((segment) => (path) => `${path}/${segment}`)],
  [8, (path) => path.replace('/', '//')],
  [4, (path) => path.toUpperCase()],
  [8, (path) => `${path}/`],
  [4, (path) => `/.${path}`],
  [6, (path) => `http://elsewhere.example${path}`],
  [4, (path) => `//elsewhere.example${path}`],
  [2, (path) => `http://${MARKER}:e${path}`],
  [8, (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)],
  [4, hostileSegment.map((segment) => (path) => `${path}#${segment}`)],
  [4, hostileSegment.map((segment) => (path) => `${path};${segment}`)],
  [1, () => '*'],
  [8, hostileSegment.map((segment) => () => `/${segment}`)],
);

const QUERY_NAMES = splitWords(`
  q page name chart state source flag year from to period as_of place attendant next iss launch code
  error practice`);

const queryParameter = fc
  .record({
    name: weighted([8, fc.constantFrom(...QUERY_NAMES)], [2, hostileKey.map(encode)]),
    value: weighted([1, hostileSegment], [1, hostileText.map(encode)]),
    write: weighted<(name: string, value: string) => string>(
      [20, (name, value) => `${name}=${value}`],
      [2, (name, value) => `${name}[]=${value}`],
      [2, (name, value) => `${name}[__proto__][x]=${value}`],
      [1, (name) => name],
      [1, (_name, value) => `=${value}`],
      [4, (name, value) => `${name}=${value}&${name}=${value}`],
      [6, (name) => `${name}=${encode(UNESCAPED_MARKER)}`],
    ),
  })
  .map(({ name, value, write }) => write(name, value));

const query = weighted(
  [50, ''],
  [
    49,
    fc
      .array(queryParameter, { minLength: 1, maxLength: 4 })
      .map((parameters) => `?${parameters.join('&').slice(0, 13_000)}`),
  ],
  [
    1,

    `?${Array.from({ length: 3_000 }, (_, n) => `a${n}=`)
      .join('&')
      .slice(0, 13_000)}`,
  ],
);

/** Headers that our code or the libraries read. */
export const HEADER_NAMES = splitWords(`
  Authorization Cookie Accept Content-Type Content-Encoding Idempotency-Key Origin Referer
  Sec-Fetch-Site X-Forwarded-For X-Forwarded-Host Host Range X-Forwarded-Proto If-None-Match
  If-Modified-Since If-Range If-Match Prefer Accept-Encoding Accept-Language Upgrade Forwarded X-Correlation-Id
  X-HTTP-Method-Override traceparent TE Trailer Via Date From Max-Forwards __proto__ constructor`);

const VALUES: readonly string[] = [
  '',
  ...splitWords(String.raw`
    , ; = " \ */*;q=NaN text/html bytes=-99999999999999999999 bytes=9-1 Bearer registry=
    registry=s%3A registry=s%3Ax.y registry=j%3A%7B%22__proto__%22%3A1%7D registry=% null
    https://elsewhere.example http://[::1 999.999.999.999 100-continue`),
  'text/html;level=1;q=0.4, application/json, +json',
  'a/b,'.repeat(2_000),
  `bytes=0-0${',1-1'.repeat(1_000)}`,
  'Basic Og==',
  'Bearer  ',
  `Bearer ${' '.repeat(8_000)}x y`,
  `Bearer rgk_${'x'.repeat(8_000)}`,
  `Bearer rgk_${MARKER}`,
  'Bearer \u00ff\u00fe',
  'bearer rgk_\trgk_',
  'registry=x; '.repeat(600),
  '__proto__=1; constructor=2',
  '::ffff:1.2.3.4, fe80::1%eth0, unknown, _hidden, "[::1]:80"',
  '127.0.0.1,'.repeat(900),
  'h2c, websocket',
  'W/"x", *',
  'Thu, 99 Foo 99999 99:99:99 GMT',
  '\t \t',
  '\u0080\u00ff',
  `${MARKER}value`,
  '%0d%0aX-Injected: 1',
  'x'.repeat(7_000),
];

const hostileHeaders: fc.Arbitrary<Field[]> = fc.array(
  fc.tuple(fc.constantFrom(...HEADER_NAMES), fc.constantFrom(...VALUES)),
  { maxLength: 3 },
);

/** Who sends a request, if anybody. */
const senderOf = ({ nativeToken, sessions }: Target) =>
  fc.record({
    token: weighted([6, null], [4, nativeToken]),
    session: rarely(2, fc.constantFrom(...sessions)),
  });

type Sender = ReturnType<typeof senderOf> extends fc.Arbitrary<infer T> ? T : never;

const headersOf = ({ token, session }: Sender, others: readonly Field[]): Field[] => [
  ...(token === null ? [] : [['Authorization', `Bearer ${token}`] as const]),
  ...(session === null ? [] : [['Cookie', session.cookie] as const]),
  ...others,
];

/** What the API answers must not repeat anything; a page may, escaped. */
const forbiddenAt = (path: string): readonly string[] =>
  /^\/(?:api|health|openapi|metrics|nowhere)/.test(path) ? [MARKER] : [UNESCAPED_MARKER];

const OTHER_METHODS = METHODS.filter((method) => method !== 'CONNECT');

/** Fields of a form with any name that some form has. */
const formFields = ({ sessions }: Target) => {
  const fields = sessions.flatMap(({ forms }) => forms.flatMap((form) => form.fields));
  const names = fc.constantFrom(...new Set(fields.map(([name]) => name)));
  return fc.array(fc.tuple(names, hostileText), { maxLength: 6 });
};

/** Requests to a route with unusual addresses, queries and headers, well-formed as HTTP. */
export const unusualHeaders = (target: Target, route: MountedRoute): fc.Arbitrary<HostileRequest> =>
  fc
    .record({
      filled: fillPath(target, route),
      change: pathChange,
      search: query,
      method: weighted(
        [15, route.method === 'ALL' ? 'PUT' : route.method],
        [5, fc.constantFrom(...OTHER_METHODS)],
      ),
      sender: senderOf(target),
      others: hostileHeaders,
      text: hostileText,
      fields: route.method === 'POST' ? formFields(target) : fc.constant([]),
      how: fc.constantFrom('without a body', 'text', 'form', 'form'),
    })
    .map(({ filled, change, search, method, sender, others, text, fields, how }) => {
      const path = change(filled) + search;
      // It must not end a session: whoever is signed in has to stay so.
      const session = /sign-out/i.test(path) ? null : sender.session;
      const headers = headersOf({ ...sender, session }, others);
      // With the token of its session: a handler that is reached reads the fields.
      const isForm = how === 'form' && session !== null && method === 'POST';
      if (isForm) headers.unshift(['Content-Type', FORM_TYPE]);
      const content = isForm ? encodeFields([['_csrf', session.csrfToken], ...fields]) : text;
      const hasBody = method !== 'GET' && method !== 'HEAD' && how !== 'without a body';
      return {
        kind: 'unusual headers',
        bytes: buildRequest(target, method, path, headers, hasBody ? content : null),
        isHead: method === 'HEAD',
        forbidden: forbiddenAt(path),
      };
    });

const replaceText =
  (searched: string, by: string): Corruption =>
  (whole) =>
    Buffer.from(whole.toString('latin1').replace(searched, by), 'latin1');

/** Malforms the head of a request: what is left may be no request, or half of one. */
const malformation = weighted<Corruption>(
  [4, truncation],
  [20, insertion(fc.constantFrom('\0', '\r', '\n', '\r\n', '\r\n '))],
  [6, insertion(fc.constantFrom('\xff', ' ', ':'))],
  [
    2,
    insertion(fc.constantFrom(100, 16_000, 70_000).map((n) => `\r\nX-Long: ${'x'.repeat(n)}\r\n`)),
  ],
  [1, insertion(fc.constantFrom(100, 1_900, 5_000).map((n) => `\r\n${'a: b\r\n'.repeat(n)}`))],
  [8, overwriting(1)],
  [2, replaceText('HTTP/1.1', 'HTTP/9.9')],
  [2, replaceText('HTTP/1.1', 'HTTP/1.0')],
  [2, replaceText(' HTTP/1.1', '')],
  [1, () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
  [1, () => Buffer.from('\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', 'latin1')],
);

/** Requests to any route whose head is malformed. */
export const malformedHeaders = (target: Target): fc.Arbitrary<HostileRequest> =>
  fc
    .record({
      filled: fc.oneof(...target.routes.map((route) => fillPath(target, route))),
      change: pathChange,
      method: fc.constantFrom('GET', 'POST', 'PUT'),
      sender: senderOf(target),
      others: hostileHeaders,
      body: rarely(2, '{"a":1}'),
      malform: malformation,
    })
    .map(({ filled, change, method, sender, others, body, malform }) => {
      const path = change(filled);
      const whole = buildRequest(target, method, path, headersOf(sender, others), body);
      return {
        kind: 'malformed headers',
        bytes: malform(whole),
        isTorn: true,
        forbidden: forbiddenAt(path),
      };
    });
