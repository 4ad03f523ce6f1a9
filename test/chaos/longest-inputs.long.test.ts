import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readSettings, SETTINGS } from '../../api/settings/settings.ts';
import { findVerifiedEmail } from '../../domain/account/single-sign-on/decide.ts';
import {
  parseAddresses,
  parseBackupKey,
  parseInstant,
  parseScopes,
  parseYear,
} from '../../scripts/operator/option-values.ts';
import { SEED } from '../support/runs.ts';
import { assertLinear, hostileTexts } from '../support/slow-texts.ts';
import type { Answer } from './hostile-input/answers.ts';
import { type Connection, openConnection } from './hostile-input/connection.ts';
import { encodeFields } from './hostile-input/forms.ts';
import { type FuzzTarget, startFuzzTarget } from './hostile-input/fuzz-target.ts';
import { HEADER_NAMES } from './hostile-input/headers.ts';
import {
  buildRequest,
  type Field,
  FORM_TYPE,
  type FoundForm,
  MARKER,
  type Session,
} from './hostile-input/request.ts';

/**
 * Each header, cookie, parameter and field of the running service, as long as the HTTP parser and the
 * reader of forms let it through, and longer. A length is looked at before anything else: the answer
 * takes no longer than that to a short value, is no fault, and no line of the log repeats it.
 */
const longest = suite<{ tried: FuzzTarget }>('the longest inputs');

/** Beside the rest of a head, which may have 16 KiB. */
const LONGEST_IN_HEAD = 14_500;
/** What the reader of forms lets through in one field. */
const LONGEST_IN_FORM = 19_900;
const MIB = 1_048_576;

/** What is slow for a pattern that goes back, a comparison of each with each, or the order of accents. */
const PIECES: Readonly<Record<string, string>> = {
  letters: 'a',
  digits: '1',
  spaces: ' ',
  'letters and commas': 'a,',
  commas: ',',
  semicolons: 'a=1; ',
  slashes: '/',
  quotes: '"',
  dots: 'a.',
  escapes: '%25',
  'marks on a letter': '%CC%81%CC%96',
};

const fill = (piece: string, length: number): string =>
  `${MARKER}${piece.repeat(length / piece.length)}`.slice(0, length);

/** One of them, another one in another run: all of them take longer than the rest of these tests. */
const texts = (length: number): readonly (readonly [string, string])[] =>
  Object.entries(PIECES)
    .filter((_, place, all) => place === SEED % all.length)
    .map(([name, piece]) => [name, fill(piece, length)]);

/** As an address may have it. */
const inAddress = (text: string): string =>
  text
    .replaceAll(/["; /?#]/g, encodeURIComponent)
    .slice(0, LONGEST_IN_HEAD)
    .replace(/%.?$/, '');

const TOO_LONG_HEAD = 431;
const ANSWERED_WITHIN_MS = 20_000;
/**
 * Reading a megabyte takes some time, on a busy machine up to twelve times that of a short value; a
 * regular expression or sort that is slow takes more than forty times as long.
 */
const MAX_TIMES_AS_LONG = 20;
/** Below it a clock tells more of the machine than of the work. */
const UNMEASURABLE_MS = 20;
/** Pages wait for the database now and then. */
const SENDERS = 4;
/** What takes too long does so each time, and a busy moment of the machine comes once. */
const MAX_TRIES = 12;

/** Sends requests one after the other, and times each. */
const createSender = (port: number) => {
  let connection: Connection | null = null;
  const exchange = async (bytes: Buffer): Promise<Answer | 'closed' | 'silent'> => {
    const isReused = connection?.isOpen() === true;
    if (!isReused) connection = await openConnection(port);
    const to = connection as Connection;
    to.write(bytes);
    const answer = await to.next(ANSWERED_WITHIN_MS);
    if (answer !== 'closed') return answer;
    connection = null;
    return isReused ? exchange(bytes) : answer;
  };
  return {
    async send(bytes: Buffer) {
      const began = performance.now();
      const answer = await exchange(bytes);
      return { answer, ms: performance.now() - began };
    },
    close: (): void => connection?.close(),
  };
};

type Sender = ReturnType<typeof createSender>;

/** Sends a long request, and a short one of the same kind if it took long. @returns what is wrong */
const findFault = async (
  sender: Sender,
  what: string,
  long: Buffer,
  short: Buffer,
): Promise<string | null> => {
  let [longMs, shortMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { answer, ms } = await sender.send(long);
    if (answer === 'silent' || answer === 'closed') return `${what}: ${answer}`;
    // What the HTTP parser refuses, nothing of ours has read.
    if (!(answer.status < 500) || answer.status === TOO_LONG_HEAD)
      return `${what}: ${answer.status}`;
    longMs = Math.min(longMs, ms);
    if (longMs < UNMEASURABLE_MS) return null;
    shortMs = Math.min(shortMs, (await sender.send(short)).ms);
    if (longMs < shortMs * MAX_TIMES_AS_LONG) return null;
  }
  return `${what}: ${longMs.toFixed()} ms, a short one ${shortMs.toFixed()} ms`;
};

longest.before(async (context) => {
  context.tried = await startFuzzTarget({ LOG_LEVEL: 'info' });
});
longest.after(({ tried }) => tried?.single.stop());

const headersOf = ({ cookie }: Session): readonly Field[] => [
  ['Cookie', cookie],
  ['Accept', 'text/html'],
];

longest('each header of each kind of route', async ({ tried: { target, port, logFaults } }) => {
  const [admin] = target.sessions;
  const bearer: Field = ['Authorization', `Bearer ${target.nativeToken}`];
  const routes: readonly (readonly [string, string, readonly Field[], string | null])[] = [
    ['POST', '/api/registry/fhir/Bundle', [bearer, ['Content-Type', 'application/json']], '{}'],
    ['GET', target.known.find((path) => path.includes('/ingestions/')) ?? '/', [bearer], null],
    ['GET', '/registry/records', headersOf(admin), null],
    ['GET', '/sign-in', [], null],
    ['POST', '/registry/records', [...headersOf(admin), ['Content-Type', FORM_TYPE]], 'a=b'],
    ['POST', '/registry/import', [...headersOf(admin), ['Content-Type', FORM_TYPE]], 'a=b'],
    ['GET', '/smart/launch?iss=x&launch=y', [], null],
    ['GET', '/metrics', [], null],
    ['GET', '/health/ready', [], null],
    ['GET', '/openapi.json', [], null],
    ['POST', '/sign-in/sso/logout', [['Content-Type', FORM_TYPE]], 'logout_token=x'],
  ];
  const sender = createSender(port);
  const faults: (string | null)[] = [];
  for (const [method, path, headers, body] of routes)
    for (const name of HEADER_NAMES) {
      const requestWith = (value: string): Buffer =>
        buildRequest(
          target,
          method,
          path,
          [
            ...headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
            [name, value],
          ],
          body,
        );
      const begins = [...new Set(['', BEGINS[name.toLowerCase()] ?? ''])];
      for (const begin of begins)
        for (const [kind, text] of texts(LONGEST_IN_HEAD))
          faults.push(
            await findFault(
              sender,
              `${method} ${path}, ${name}: ${begin}${kind}`,
              requestWith(`${begin}${text}`),
              requestWith(`${begin}${MARKER}`),
            ),
          );
    }
  sender.close();
  assert.equal(faults.filter(Boolean), []);
  assert.equal(logFaults(), []);
});

/** How a value of a header has to begin to be read further. */
const BEGINS: Readonly<Record<string, string>> = {
  authorization: 'Bearer ',
  cookie: 'registry=s%3A',
  'content-type': 'multipart/form-data; boundary=',
  'content-encoding': 'gzip,',
  range: 'bytes=0-0,',
  'if-none-match': 'W/"',
  forwarded: 'for=',
  'x-forwarded-for': '127.0.0.1,',
  traceparent: '00-',
  referer: 'http://127.0.0.1/registry?',
  origin: 'http://',
  host: '127.0.0.1:',
  accept: 'text/html;q=0.1,',
};

const API = fileURLToPath(new URL('../../api', import.meta.url));
const READ_PARAMETER =
  /(?:readQueryText|textOf|only|get|has)\((?:req, |query, )?'([\w-]+)'\)|query\['([\w-]+)'\]/g;

/** Names of parameters that some route reads, as the source has them. */
const listParameters = (): readonly string[] => {
  const names = readdirSync(API, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [...readFileSync(join(API, file), 'utf8').matchAll(READ_PARAMETER)])
    .flatMap(([, called, taken]) => called ?? taken ?? []);
  // Names of headers begin with a capital letter.
  return [...new Set([...names, 'search', 'page'])].filter((name) => /^[a-z]/.test(name));
};

longest('each parameter of each page', async ({ tried: { target, port, logFaults } }) => {
  const names = listParameters();
  assert.ok(names.length > 20, names.join(' '));
  const [admin, staff] = target.sessions;
  const kinds = texts(LONGEST_IN_HEAD);
  let nth = 0;
  const tries: (readonly [string, Buffer, Buffer])[] = [];
  for (const { method, path } of target.routes) {
    if (method !== 'GET' && method !== 'ALL') continue;
    const known = target.known.find((address) => patternOf(path).test(address)) ?? path;
    const session = path.startsWith('/staff') ? staff : admin;
    const requestFor = (address: string): Buffer =>
      buildRequest(target, 'GET', address, headersOf(session));
    for (const [parameter] of path.matchAll(/[:*]\w+/g))
      for (const [kind, text] of kinds)
        tries.push([
          `${path}, ${parameter}: ${kind}`,
          requestFor(path.replace(parameter, () => inAddress(text))),
          requestFor(path.replace(parameter, MARKER)),
        ]);
    for (const name of names) {
      const [kind = '', text = ''] = kinds[nth % kinds.length] ?? [];
      nth += 1;
      tries.push([
        `${path}?${name}: ${kind}`,
        requestFor(`${known}?${name}=${inAddress(text)}`),
        requestFor(`${known}?${name}=${MARKER}`),
      ]);
    }
  }
  const faults: (string | null)[] = [];
  const waiting = tries.values();
  const work = async (): Promise<void> => {
    const sender = createSender(port);
    for (const [what, long, short] of waiting)
      faults.push(await findFault(sender, what, long, short));
    sender.close();
  };
  await Promise.all(Array.from({ length: SENDERS }, work));
  assert.equal(faults.filter(Boolean), []);
  assert.equal(logFaults(), []);
});

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/:\w+|\*\w+|\{.*\}/g, '[^/]+')}$`);

/** Texts of a form. */
const formTexts: readonly (readonly [string, string])[] = [
  ['marks on a letter', fill('\u0301\u0316', LONGEST_IN_FORM)],
  ['letters, commas, and spaces', fill('a, ', LONGEST_IN_FORM)],
  ['spaces and a letter', `${fill(' ', LONGEST_IN_FORM - 1)}a`],
  ['a megabyte of marks', fill('\u0301\u0316', MIB / 6)],
];

longest('each field of each form', async ({ tried: { target, port, logFaults } }) => {
  const sender = createSender(port);
  const faults: (string | null)[] = [];
  let tried = 0;
  for (const session of target.sessions) {
    const post = ({ action, fields }: FoundForm, at: number, value: string): Buffer =>
      buildRequest(
        target,
        'POST',
        action,
        [...headersOf(session), ['Content-Type', FORM_TYPE]],
        encodeFields([
          ['_csrf', session.csrfToken],
          ...fields.map(([name, held], index): Field => [name, index === at ? value : held]),
        ]),
      );
    for (const form of session.forms.filter(({ method }) => method === 'POST'))
      for (const [at, [name]] of form.fields.entries())
        for (const [kind, text] of formTexts) {
          const what = `${form.action}, ${name}: ${kind}`;
          faults.push(await findFault(sender, what, post(form, at, text), post(form, at, MARKER)));
          tried += 1;
        }
    const page = await sender.send(
      buildRequest(target, 'GET', '/account/password', headersOf(session)),
    );
    assert.is(page.answer instanceof Object && page.answer.status, 200, 'still signed in');
  }
  sender.close();
  assert.ok(tried > 400, String(tried));
  assert.equal(faults.filter(Boolean), []);
  assert.equal(logFaults(), []);
});

longest('each part of a form with a file', async ({ tried: { target, port, logFaults } }) => {
  const [admin] = target.sessions;
  const sender = createSender(port);
  const upload = ({
    name = 'file',
    fileName = 'births.csv',
    type = 'text/csv',
    note = '',
  }): Buffer =>
    buildRequest(
      target,
      'POST',
      '/registry/import',
      [...headersOf(admin), ['Content-Type', 'multipart/form-data; boundary=x']],
      [
        ['form-data; name="_csrf"', 'text/plain', admin.csrfToken],
        ['form-data; name="note"', 'text/plain', note],
        [`form-data; name="${name}"; filename="${fileName}"`, type, 'chart_number\r\nF-1\r\n'],
      ]
        .map(
          ([disposition, kind, content]) =>
            `--x\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${kind}\r\n\r\n${content}\r\n`,
        )
        .concat('--x--\r\n')
        .join(''),
    );
  const faults: (string | null)[] = [];
  for (const part of ['name', 'fileName', 'type', 'note'])
    for (const [kind, text] of [...texts(LONGEST_IN_HEAD), ...formTexts])
      faults.push(
        await findFault(
          sender,
          `${part}: ${kind}`,
          upload({ [part]: text.replaceAll('"', "'") }),
          upload({ [part]: MARKER }),
        ),
      );
  sender.close();
  assert.equal(faults.filter(Boolean), []);
  assert.equal(logFaults(), []);
});

const SSO = {
  OIDC_ISSUER: 'https://login.example',
  OIDC_CLIENT_ID: 'registry',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_ALLOWED_DOMAINS: 'hospital.example',
};
const scope = { practiceId: null, allowedDomains: ['hospital.example'] };

/** What reads a text that is no part of a request. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  ...Object.fromEntries(
    Object.values(SETTINGS)
      .flatMap((settings) => Object.values(settings))
      .map(({ name }) => [name, (text: string) => readSettings({ ...SSO, [name]: text })]),
  ),
  '--addresses': parseAddresses,
  '--scopes': parseScopes,
  '--until': parseInstant,
  '--year': parseYear,
  '--signed-by': parseBackupKey,
  'the email of a provider': (email) => findVerifiedEmail({ email, isEmailVerified: true }, scope),
};

const LENGTH = 96_000;

longest('each setting, option of a command, and claim of a provider', () => {
  for (const [name, read] of Object.entries(READERS))
    for (const kind of Object.keys(hostileTexts(8)))
      assertLinear(
        `${name}: ${kind}`,
        LENGTH,
        (length) => hostileTexts(length)[kind] ?? '',
        (text) => {
          try {
            read(text);
          } catch (error) {
            assert.ok(error instanceof Error && error.message.length < LENGTH);
          }
        },
      );
});

longest.run();
