import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isAboutNow } from '../harness/real-time.ts';
import {
  newPractice,
  receiptAddress,
  startTestService,
  type TestService,
} from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';

const front = suite<{ service: TestService }>('push front');

front.before(async (context) => {
  context.service = await startTestService();
});
front.after(async ({ service }) => {
  await service.stop();
});

/** Everything that an answer says, without what is different each time. */
const said = async (answered: Promise<Response>) => {
  const response = await answered;
  const headers = Object.fromEntries(
    [...response.headers]
      .filter(([name]) => !EACH_ITS_OWN.includes(name))
      .map(([name, value]) => [
        name,
        name === 'x-ratelimit-reset' ? isWithinAMinute(value) : value,
      ]),
  );
  const body = (await response.text())
    .replaceAll(/"id":"[^"]+"/g, '"id":"…"')
    .replaceAll(/\/ingestions\/[\w-]+/g, '/ingestions/…');
  return { status: response.status, headers, body };
};
/** Seconds are rounded: the end of one window may be told as either of two. */
const isWithinAMinute = (unixSeconds: string): boolean =>
  isAboutNow((Number(unixSeconds) - 30) * 1_000, 32_000);
const EACH_ITS_OWN = ['date', 'x-correlation-id', 'x-ratelimit-remaining', 'content-location'];

front('it answers as the router does, which has the same address with a slash', async (context) => {
  const { url, commands } = context.service;
  const [both, writing, reading] = [
    await newPractice(commands),
    await newPractice(commands, ['ingest:write']),
    await newPractice(commands, ['ingest:read']),
  ];
  const gone = await newPractice(commands);
  await commands.keys.revoke(gone.keyId);
  const bundle = JSON.stringify(birthBundle());
  const pushed = await fetch(`${url}/api/registry/fhir/Bundle`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${both.token}` },
    body: bundle,
  });
  const held = new URL(receiptAddress(pushed)).pathname;

  const requests: readonly [string, string, RequestInit & { readonly token?: string }][] = [
    ['a Bundle', '/api/registry/fhir/Bundle', { token: both.token, body: bundle }],
    ['no JSON', '/api/registry/fhir/Bundle', { token: both.token, body: '{' }],
    ['no Bundle', '/api/registry/fhir/Bundle', { token: both.token, body: '{}' }],
    [
      'another encoding',
      '/api/registry/fhir/Bundle',
      { token: both.token, body: bundle, headers: { 'Content-Encoding': 'br' } },
    ],
    ['no token', '/api/registry/fhir/Bundle', { body: bundle }],
    ['an unknown token', '/api/registry/fhir/Bundle', { token: 'rgk_unknown', body: bundle }],
    ['a revoked token', '/api/registry/fhir/Bundle', { token: gone.token, body: bundle }],
    ['no scope to write', '/api/registry/fhir/Bundle', { token: reading.token, body: bundle }],
    ['another method', '/api/registry/fhir/Bundle', { token: both.token, method: 'PUT' }],
    ['a receipt', held, { token: both.token, method: 'GET' }],
    ['the head of a receipt', held, { token: both.token, method: 'HEAD' }],
    ['no scope to read', held, { token: writing.token, method: 'GET' }],
    ["another practice's receipt", held, { token: reading.token, method: 'GET' }],
    ['no receipt', `${held}x`, { token: both.token, method: 'GET' }],
  ];
  for (const [name, path, { token, headers, ...init }] of requests) {
    const request = {
      method: 'POST',
      ...init,
      headers: { ...headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    };
    assert.equal(
      await said(fetch(`${url}${path}`, request)),
      await said(fetch(`${url}${path}/`, request)),
      name,
    );
  }
});

front('both count into one bucket, and both refuse when it is full', async () => {
  const service = await startTestService({ RATE_LIMIT_PER_MINUTE: '3' });
  try {
    const { token } = await newPractice(service.commands);
    const ask = (path: string) =>
      said(
        fetch(`${service.url}/api/registry/fhir/ingestions/${path}`, {
          headers: { Authorization: `Bearer ${token}`, Accept: 'application/json' },
        }),
      );
    const statuses = [await ask('a'), await ask('a/'), await ask('a')].map(({ status }) => status);
    assert.equal(statuses, [404, 404, 404]);
    const [inFront, behind] = [await ask('a'), await ask('a/')];
    assert.is(inFront.status, 429);
    assert.equal(
      { ...inFront, headers: { ...inFront.headers, 'retry-after': '' } },
      { ...behind, headers: { ...behind.headers, 'retry-after': '' } },
    );
  } finally {
    await service.stop();
  }
});

front('what is in front is in the metrics by its route', async ({ service: { url, commands } }) => {
  const { token } = await newPractice(commands);
  await fetch(`${url}/api/registry/fhir/ingestions/none`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const metrics = await (await fetch(`${url}/metrics`)).text();
  assert.match(
    metrics,
    /registry_http_request_seconds_count\{method="GET",route="\/api\/registry\/fhir\/ingestions\/:ingestion",status="404"\} [1-9]/,
  );
});

front.run();
