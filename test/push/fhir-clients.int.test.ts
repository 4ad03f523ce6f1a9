import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SERVICE_VERSION } from '../../api/process/version.ts';
import {
  newPractice,
  receiptAddress,
  receiptAt,
  sharedTestService,
  type TestPractice,
  type TestService,
} from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';
import { checkContract } from '../support/contract.ts';

const BASE = '/api/registry/fhir';
const METADATA = `${BASE}/metadata`;
const BUNDLE = `${BASE}/Bundle`;

const clients = suite<{ service: TestService; practice: TestPractice }>('what FHIR clients do');

clients.before(async (context) => {
  context.service = await sharedTestService();
  context.practice = await newPractice(context.service.commands);
});
clients.after(({ service }) => service.stop());

interface Outcome {
  readonly issue: readonly { readonly code: string; readonly diagnostics: string }[];
}

clients('the CapabilityStatement says create of Bundle, and nothing else', async ({ service }) => {
  const answer = await fetch(`${service.url}${METADATA}`);
  assert.is(answer.status, 200);
  const statement = (await checkContract(METADATA, 'get', answer)) as {
    readonly fhirVersion: string;
    readonly format: readonly string[];
    readonly software: unknown;
    readonly implementation: { readonly url: string };
    readonly rest: readonly { readonly mode: string; readonly resource: readonly object[] }[];
  };
  assert.is(statement.fhirVersion, '4.0.1');
  assert.equal(statement.format, ['json']);
  assert.equal(statement.software, { name: 'Birth registry', version: SERVICE_VERSION });
  // R4, cpb-14: an instance says where it is.
  assert.is(statement.implementation.url, `${service.url}${BASE}`);
  assert.equal(
    statement.rest.map(({ mode }) => mode),
    ['server'],
  );
  assert.equal(
    statement.rest.flatMap(({ resource }) =>
      resource.map((one) => {
        const { type, interaction } = one as {
          readonly type: string;
          readonly interaction: readonly { readonly code: string }[];
        };
        return [type, interaction.map(({ code }) => code)];
      }),
    ),
    [['Bundle', ['create']]],
  );
});

clients('the CapabilityStatement may be kept, and is not sent again unchanged', async (context) => {
  const { url } = context.service;
  const first = await fetch(`${url}${METADATA}`);
  assert.is(first.headers.get('cache-control'), 'public, max-age=3600');
  const etag = first.headers.get('etag') ?? '';
  // Without Cache-Control, fetch says no-cache of itself, and nothing is fresh.
  const ask = (tag: string) =>
    fetch(`${url}${METADATA}`, { headers: { 'If-None-Match': tag, 'Cache-Control': '' } });
  const same = await ask(etag);
  assert.equal([same.status, await same.text(), same.headers.get('etag')], [304, '', etag]);
  assert.is((await ask('W/"another"')).status, 200);
  const head = await fetch(`${url}${METADATA}`, { method: 'HEAD' });
  assert.equal([head.status, await head.text(), head.headers.get('etag')], [200, '', etag]);
});

clients('the body of a 202 names the address of the receipt, a replay too', async (context) => {
  const { service, practice } = context;
  const sent = () =>
    fetch(`${service.url}${BUNDLE}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${practice.token}`, 'Idempotency-Key': 'one' },
      body: JSON.stringify(birthBundle()),
    });
  for (const replayed of [null, 'true']) {
    const answer = await sent();
    assert.equal([answer.status, answer.headers.get('idempotent-replayed')], [202, replayed]);
    const { issue } = (await checkContract(BUNDLE, 'post', answer)) as Outcome;
    const named = / (https?:\S+)$/.exec(issue[0]?.diagnostics ?? '')?.[1];
    assert.is(named, receiptAddress(answer));
    assert.is((await receiptAt(named ?? '', practice.token)).status, 'completed');
  }
});

for (const path of [BASE, `${BASE}/`, `${BASE}?_format=json`])
  clients(`a transaction at ${path} is 404, and told where Bundles go`, async (context) => {
    const { service, practice } = context;
    const headers = { Authorization: `Bearer ${practice.token}` };
    const body = JSON.stringify({ ...birthBundle(), type: 'transaction' });
    const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body });
    assert.is(answer.status, 404);
    assert.match(answer.headers.get('content-type') ?? '', 'application/fhir+json');
    const { issue } = (await answer.json()) as Outcome;
    assert.is(issue[0]?.code, 'not-found');
    assert.match(issue[0]?.diagnostics ?? '', `${BUNDLE}.`);
    const stranger = await fetch(`${service.url}${path}`, { method: 'POST', body });
    assert.is(stranger.status, 401);
  });

for (const query of [
  '_pretty=true',
  '_format=json',
  '_format=application/fhir%2Bjson',
  '_format=application/json&_pretty=false',
])
  clients(`?${query} changes nothing about a push and its receipt`, async (context) => {
    const { service, practice } = context;
    const headers = { Authorization: `Bearer ${practice.token}` };
    const body = JSON.stringify(birthBundle());
    const pushed = await fetch(`${service.url}${BUNDLE}?${query}`, {
      method: 'POST',
      headers,
      body,
    });
    assert.is(pushed.status, 202);
    await checkContract(BUNDLE, 'post', pushed);
    const polled = await fetch(`${receiptAddress(pushed)}?${query}`, { headers });
    assert.is(polled.status, 200);
    await checkContract(`${BASE}/ingestions/{ingestion}`, 'get', polled);
    const stated = await fetch(`${service.url}${METADATA}?${query}`);
    assert.is(stated.status, 200);
  });

for (const path of [
  '/openapi.json',
  '/docs',
  '/docs/diagnostics',
  '/docs/codes',
  '/docs/codes.json',
  '/docs/edits',
  '/docs/statistics',
  '/docs/exported-items',
  METADATA,
])
  clients(`another method than GET or HEAD at ${path} is 405`, async ({ service }) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await fetch(`${service.url}${path}`, { method });
      assert.is(answer.status, 405, method);
      assert.is(answer.headers.get('allow'), 'GET, HEAD', method);
      if (!path.startsWith('/docs')) await checkContract(path, 'get', answer);
    }
    assert.is((await fetch(`${service.url}${path}`, { method: 'HEAD' })).status, 200);
  });

for (const [path, allowed] of [
  ['/registry/integrations', 'GET, HEAD'],
  ['/registry/capture/prefill', 'GET, HEAD, POST'],
] as const)
  clients(`another method than ${allowed} at the page ${path} is 405`, async ({ service }) => {
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const answer = await fetch(`${service.url}${path}`, { method });
      assert.equal([answer.status, answer.headers.get('allow')], [405, allowed], method);
      await checkContract(path, 'get', answer);
    }
    const elsewhere = await fetch(`${service.url}/registry/nothing`, { method: 'PUT' });
    assert.is(elsewhere.status, 404);
  });

clients.run();
