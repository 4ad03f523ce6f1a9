import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_ANSWER_NESTING, MAX_ANSWER_VALUES } from '../../adapters/egress/json-body.ts';
import { EHR_LIMITS, type EhrLimits } from '../../adapters/egress/limits.ts';
import { createExchangeCode } from '../../adapters/smart/exchange-code.ts';
import { createPullChart } from '../../adapters/smart/pull-chart.ts';
import { mapped } from '../support/charts.ts';

const busy = suite<{ server: Server; issuer: string; asked: string[] }>('an EHR with moods');

/** Answers a request for a path; each time it is asked for the same once more, the next time. */
let answer: (path: string, time: number) => Answer = () => ({ status: 200 });

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const BYTE_ORDER_MARK = '\ufeff';
const PATIENT = JSON.stringify({ resourceType: 'Patient', id: 'm' });
const EMPTY = JSON.stringify({ resourceType: 'Bundle', type: 'searchset' });

busy.before(async (context) => {
  context.asked = [];
  context.server = createServer((req: IncomingMessage, res: ServerResponse) => {
    const path = (req.url ?? '').slice(1);
    const time = context.asked.filter((one) => one === path).length;
    context.asked.push(path);
    const { status, headers = {}, body } = answer(path, time);
    res.writeHead(status, headers);
    res.end(body ?? (path.startsWith('Patient/') ? PATIENT : EMPTY));
  });
  await new Promise<void>((resolve) => context.server.listen(0, '127.0.0.1', resolve));
  context.issuer = `http://127.0.0.1:${(context.server.address() as AddressInfo).port}`;
});
busy.before.each(({ asked }) => {
  asked.length = 0;
});
busy.after(({ server }) => {
  server.close();
});

const pulledFrom = async (issuer: string, limits: Partial<EhrLimits> = {}) => {
  const pulled = await createPullChart({ ...EHR_LIMITS, ...limits })({
    fhirBaseUrl: issuer,
    token: 't',
    patientId: 'm',
    encounterId: null,
    scope: 'patient/*.read',
    needsPatientBanner: true,
  });
  if (pulled.kind === 'failure') throw new Error(pulled.failure.why);
  return pulled.value;
};

const isObservations = (path: string): boolean => path.startsWith('Observation?');
const observationOf = (patientId: string) => ({
  resourceType: 'Observation',
  id: 'o',
  subject: { reference: `Patient/${patientId}` },
});
const FOUND = JSON.stringify({
  resourceType: 'Bundle',
  entry: [{ resource: observationOf('m') }],
});

busy('an EHR that was asked too often is waited for once', async ({ issuer, asked }) => {
  answer = (path, time) => {
    if (!isObservations(path)) return { status: 200 };
    return time === 0
      ? { status: 429, headers: { 'Retry-After': '1' } }
      : { status: 200, body: FOUND };
  };
  const { observations, unread } = await pulledFrom(issuer);
  assert.equal([observations.length, unread], [1, []]);
  assert.is(asked.filter(isObservations).length, 2);
});

for (const [status, headers, times] of [
  [429, { 'Retry-After': '6' }, 1],
  [429, { 'Retry-After': '0' }, 2],
  [404, {}, 1],
  [408, {}, 1],
  [410, {}, 1],
  [423, {}, 1],
] as const)
  busy(
    `${status} ${JSON.stringify(headers)} to a search is no second volley, and is announced`,
    async ({ issuer, asked }) => {
      answer = (path) => (isObservations(path) ? { status, headers } : { status: 200 });
      const { unread } = await pulledFrom(issuer);
      assert.equal(unread, [{ part: 'Observation', why: 'not-readable' }]);
      assert.is(asked.filter(isObservations).length, times);
    },
  );

busy('an EHR that cannot search by several codes is searched otherwise', async (context) => {
  answer = (path) => ({ status: path.includes('code=') ? 400 : 200 });
  await pulledFrom(context.issuer);
  assert.ok(context.asked.filter(isObservations).length > 1);
});

busy('a byte order mark before an answer is dropped', async ({ issuer }) => {
  answer = (path) => {
    if (path.startsWith('Patient/')) return { status: 200, body: BYTE_ORDER_MARK + PATIENT };
    return { status: 200, body: BYTE_ORDER_MARK + (isObservations(path) ? FOUND : EMPTY) };
  };
  const { observations, unread } = await pulledFrom(issuer);
  assert.equal([observations.length, unread], [1, []]);
});

/** A page of these entries that leads to another one. */
const pageOf = (entry: unknown, time: number): string =>
  JSON.stringify({
    resourceType: 'Bundle',
    entry,
    link: [{ relation: 'next', url: `Observation?page=${time}` }],
  });

busy('entries about another person are counted, but not kept', async ({ issuer }) => {
  const entry = ['x', 'm', 'y'].map((id) => ({ resource: observationOf(id) }));
  const body = JSON.stringify({ resourceType: 'Bundle', entry });
  answer = (path) => (isObservations(path) ? { status: 200, body } : { status: 200 });
  const { observations, others, unread } = await pulledFrom(issuer);
  assert.equal([observations, others, unread], [[observationOf('m')], 2, []]);
});

for (const [severity, mode, unread] of [
  ['error', 'outcome', [{ part: 'Observation', why: 'failed' }]],
  ['fatal', undefined, [{ part: 'Observation', why: 'failed' }]],
  ['warning', 'outcome', []],
] as const)
  busy(`an outcome beside the matches, ${severity}: ${unread.length} gaps`, async ({ issuer }) => {
    const outcome = { resourceType: 'OperationOutcome', issue: [{ severity, code: 'exception' }] };
    const entry = [{ resource: observationOf('m') }, { resource: outcome, search: { mode } }];
    const body = JSON.stringify({ resourceType: 'Bundle', entry });
    answer = (path) => (isObservations(path) ? { status: 200, body } : { status: 200 });
    const pulled = await pulledFrom(issuer);
    assert.equal([pulled.observations.length, pulled.unread], [1, unread]);
  });

busy('an error alone is a gap, unless other searches give the values', async ({ issuer }) => {
  const issue = [{ severity: 'error', code: 'not-supported' }];
  const resource = { resourceType: 'OperationOutcome', issue };
  const body = JSON.stringify({ resourceType: 'Bundle', entry: [{ resource }] });
  answer = (path) => (isObservations(path) ? { status: 200, body } : { status: 200 });
  assert.equal((await pulledFrom(issuer)).unread, [{ part: 'Observation', why: 'failed' }]);
  answer = (path) => {
    if (!isObservations(path)) return { status: 200 };
    return { status: 200, body: path.includes('code=') ? body : FOUND };
  };
  assert.equal((await pulledFrom(issuer)).unread, []);
});

busy('entries of other types are not kept', async ({ issuer }) => {
  const entry = [{}, { resource: { resourceType: 'Basic' } }];
  const body = JSON.stringify({ resourceType: 'Bundle', entry });
  answer = (path) => (isObservations(path) ? { status: 200, body } : { status: 200 });
  const { observations, others } = await pulledFrom(issuer);
  assert.equal([observations, others], [[], 0]);
});

for (const [name, entry, kept] of [
  ['that is no object', ['Observation'], null],
  ['whose resource is no object', [{ resource: 'Observation' }], 'Observation'],
  ['whose resource has no type', [{ resource: { id: '1' } }], { id: '1' }],
  [
    'whose type is misspelled',
    [{ resource: { resourceType: 'observation' } }],
    { resourceType: 'observation' },
  ],
  [
    'that names no patient',
    { resource: { resourceType: 'Observation', subject: 'Patient/m' } },
    { resourceType: 'Observation', subject: 'Patient/m' },
  ],
] as const)
  busy(`an entry ${name} is kept, so that the page can name it`, async ({ issuer }) => {
    const body = JSON.stringify({ resourceType: 'Bundle', entry });
    answer = (path) => (isObservations(path) ? { status: 200, body } : { status: 200 });
    const pulled = await pulledFrom(issuer);
    assert.equal([pulled.observations, pulled.others], [[kept], 0]);
    assert.equal(mapped(pulled).unread, [{ part: 'Observation', why: 'other-type' }]);
  });

const TOO_DEEP = MAX_ANSWER_NESTING;
const TOO_MANY = MAX_ANSWER_VALUES;
for (const [name, entry] of [
  ['nested too deep', `${'['.repeat(TOO_DEEP)}${']'.repeat(TOO_DEEP)}`],
  ['with too many values', `[${'1,'.repeat(TOO_MANY)}1]`],
  ['that is not JSON', '[{]}'],
])
  busy(`a page ${name} is not read, and is announced`, async ({ issuer }) => {
    const body = `{"resourceType":"Bundle","entry":${entry}}`;
    answer = (path) => (path.startsWith('Condition?') ? { status: 200, body } : { status: 200 });
    const { conditions, unread } = await pulledFrom(issuer);
    assert.equal([conditions, unread], [[], [{ part: 'Condition', why: 'not-readable' }]]);
  });

busy('brackets and commas in a text are no values', async ({ issuer }) => {
  const display = `\\"${'[{,'.repeat(TOO_MANY)}\\`;
  const resource = { ...observationOf('m'), code: { coding: [{ display }] } };
  const body = JSON.stringify({ resourceType: 'Bundle', entry: [{ resource }] });
  answer = (path) => (isObservations(path) ? { status: 200, body } : { status: 200 });
  const { observations, unread } = await pulledFrom(issuer);
  assert.equal([observations, unread], [[resource], []]);
});

busy('the pages of one chart have a limit together', async ({ issuer, asked }) => {
  const resource = { ...observationOf('m'), note: 'x'.repeat(1_000) };
  answer = (path) =>
    path.startsWith('Observation')
      ? { status: 200, body: pageOf([{ resource }], asked.length) }
      : { status: 200 };
  const { observations, unread } = await pulledFrom(issuer, { chartBytes: 3_500 });
  assert.is(observations.length, 2);
  assert.equal(unread, [{ part: 'Observation', why: 'incomplete' }]);
  // The page that exceeds the limit is the last one.
  assert.is(asked.filter((path) => path.startsWith('Observation')).length, 3);
});

busy('a page has a limit of entries', async ({ issuer, asked }) => {
  const entry = [{}, {}, { resource: observationOf('m') }, { resource: observationOf('m') }];
  answer = (path) =>
    path.startsWith('Observation')
      ? { status: 200, body: pageOf(entry, asked.length) }
      : { status: 200 };
  const { observations, unread } = await pulledFrom(issuer, { pageEntries: 3 });
  assert.is(observations.length, 1);
  assert.equal(unread, [{ part: 'Observation', why: 'incomplete' }]);
});

for (const jwksUri of [null, 'jwks'])
  busy(`members of a token that are null are absent (keys: ${jwksUri})`, async ({ issuer }) => {
    const token = {
      access_token: 't',
      token_type: 'Bearer',
      patient: 'm',
      scope: null,
      refresh_token: null,
      id_token: null,
      expires_in: null,
      encounter: null,
    };
    answer = () => ({ status: 200, body: BYTE_ORDER_MARK + JSON.stringify(token) });
    const exchange = createExchangeCode(
      { clientId: 'c', redirectUri: 'https://registry.example/smart/callback' },
      EHR_LIMITS,
    );
    const server = {
      issuer: jwksUri === null ? null : issuer,
      authorizationEndpoint: `${issuer}/authorize`,
      tokenEndpoint: `${issuer}/token`,
      jwksUri: jwksUri === null ? null : `${issuer}/${jwksUri}`,
      idTokenAlgorithms: null,
    };
    const callback = new URLSearchParams({ code: 'c', state: 's' });
    const exchanged = await exchange(
      { fhirBaseUrl: issuer, server, verifier: 'v'.repeat(43) },
      's',
      callback,
    );
    assert.is(exchanged.kind === 'access' && exchanged.access.patientId, 'm');
    assert.is(exchanged.kind === 'access' && exchanged.access.scope, null);
  });

busy.run();
