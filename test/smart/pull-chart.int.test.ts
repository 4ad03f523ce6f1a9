import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EHR_LIMITS, type EhrLimits } from '../../adapters/egress/limits.ts';
import { createDiscoverEhr } from '../../adapters/smart/discover.ts';
import { createExchangeCode, createLaunchSecrets } from '../../adapters/smart/exchange-code.ts';
import { createPullChart } from '../../adapters/smart/pull-chart.ts';
import {
  type CodeExchange,
  type EhrAccess,
  LAUNCH_SCOPES,
} from '../../domain/mapping/us-core/ports.ts';
import { type SimulatedEhr, startEhr } from '../../scripts/ehr-simulator/start-ehr.ts';

const pull = suite<{ ehr: SimulatedEhr }>('reading a chart within limits');

const SERVICE = 'http://127.0.0.1:1';

pull.before(async (context) => {
  context.ehr = await startEhr();
  context.ehr.register(SERVICE);
});
pull.before.each(({ ehr }) => {
  ehr.behave({});
});
pull.after(({ ehr }) => ehr.stop());

/** Goes through a launch without the service. */
const exchanged = async (
  ehr: SimulatedEhr,
  limits: EhrLimits,
  spoil: (callback: URLSearchParams) => void = () => undefined,
): Promise<CodeExchange> => {
  const found = await createDiscoverEhr(limits)(ehr.issuer);
  if (found.kind === 'failure') throw new Error(found.failure.why);
  const server = found.value;
  const { state, verifier, challenge } = await createLaunchSecrets();
  const redirectUri = `${SERVICE}/smart/callback`;
  const launch = new URL(ehr.launchUrl(SERVICE, 'mother-1')).searchParams.get('launch') ?? '';
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: ehr.clientId,
    redirect_uri: redirectUri,
    state,
    launch,
    scope: LAUNCH_SCOPES,
    aud: ehr.issuer,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const back = await fetch(`${server.authorizationEndpoint}?${query}`, { redirect: 'manual' });
  const callback = new URL(back.headers.get('location') ?? '').searchParams;
  spoil(callback);
  const exchange = createExchangeCode({ clientId: ehr.clientId, redirectUri }, limits);
  return exchange({ fhirBaseUrl: ehr.issuer, server, verifier }, state, callback);
};

const accessTo = async (ehr: SimulatedEhr): Promise<EhrAccess> => {
  const one = await exchanged(ehr, EHR_LIMITS);
  if (one.kind !== 'access') throw new Error(one.kind);
  return one.access;
};

/** @returns rows of Observations, what is missing, and how long it took */
const observationsWithin = async (ehr: SimulatedEhr, limits: Partial<EhrLimits>) => {
  const access = await accessTo(ehr);
  ehr.takeRequests();
  const began = performance.now();
  const pulled = await createPullChart({ ...EHR_LIMITS, ...limits })(access);
  if (pulled.kind === 'failure') throw new Error(pulled.failure.why);
  const { observations, unread } = pulled.value;
  return { rows: observations.length, unread, ms: performance.now() - began };
};

pull('a page that never ends is given up; the rest of the chart is there', async ({ ehr }) => {
  ehr.behave({ observations: 'silent' });
  const { rows, unread, ms } = await observationsWithin(ehr, { pageMs: 300 });
  assert.equal([rows, unread], [0, [{ part: 'Observation', why: 'not-readable' }]]);
  // Before the service's own limits would have ended it, however slow the machine is.
  assert.ok(ms < EHR_LIMITS.pageMs, `${ms} ms`);
});

pull('the whole chart has a deadline of its own', async ({ ehr }) => {
  ehr.behave({ observations: 'endless' });
  // Nothing else ends it.
  const { unread } = await observationsWithin(ehr, { chartMs: 400, pages: 1e9, rows: 1e9 });
  assert.equal(unread[0], { part: 'Observation', why: 'incomplete' });
});

pull('no more pages and rows are read than the limits say', async ({ ehr }) => {
  assert.equal(
    (({ rows, unread }) => [rows, unread])(await observationsWithin(ehr, { pages: 2 })),
    [8, [{ part: 'Observation', why: 'incomplete' }]],
  );
  assert.equal((({ rows, unread }) => [rows, unread])(await observationsWithin(ehr, { rows: 5 })), [
    5,
    [{ part: 'Observation', why: 'incomplete' }],
  ]);
});

pull('without a Patient there is no chart', async ({ ehr }) => {
  ehr.behave({ patient: 'silent' });
  const pulled = await createPullChart({ ...EHR_LIMITS, pageMs: 300 })(await accessTo(ehr));
  assert.is(pulled.kind === 'failure' && pulled.failure.why, 'timeout');
});

pull('a token endpoint that never ends is given up', async ({ ehr }) => {
  ehr.behave({ token: 'silent' });
  const one = await exchanged(ehr, { ...EHR_LIMITS, tokenMs: 300 });
  assert.is(one.kind === 'failure' && one.failure.why, 'timeout');
});

pull('an EHR that is not there is unreachable', async ({ ehr }) => {
  const found = await createDiscoverEhr(EHR_LIMITS)('http://127.0.0.1:1/fhir');
  assert.is(found.kind === 'failure' && found.failure.why, 'unreachable');
  const access = { ...(await accessTo(ehr)), fhirBaseUrl: 'http://127.0.0.1:1/fhir' };
  const pulled = await createPullChart(EHR_LIMITS)(access);
  assert.is(pulled.kind === 'failure' && pulled.failure.why, 'unreachable');
});

pull('an answer of another authorization server is not taken (RFC 9207)', async ({ ehr }) => {
  const foreign = await exchanged(ehr, EHR_LIMITS, (callback) =>
    callback.set('iss', 'https://elsewhere.example'),
  );
  assert.is(foreign.kind, 'unusable');
  const own = await exchanged(ehr, EHR_LIMITS, (callback) => callback.set('iss', ehr.issuer));
  assert.is(own.kind, 'access');
});

pull('a code of another launch is refused by the EHR', async ({ ehr }) => {
  const one = await exchanged(ehr, EHR_LIMITS, (callback) => callback.set('code', 'another'));
  assert.is(one.kind === 'failure' && one.failure.why, 'refused');
});

pull('neither a strange address nor a client that leaves ends the simulator', async ({ ehr }) => {
  const { hostname, port } = new URL(ehr.url);
  const leaving = connect(Number(port), hostname);
  leaving.end('POST /token HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\ncode');
  await new Promise((resolve) => leaving.once('close', resolve).resume());
  assert.is((await fetch(`${ehr.url}//`)).status, 400);
  assert.is((await fetch(ehr.url)).status, 200);
});

pull.run();
