import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Service, startService } from '../../api/app/service.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { eventually } from '../harness/eventually.ts';
import {
  metricsAt,
  newPractice,
  post,
  seriesValue,
  startTestService,
  type TestPractice,
  type TestService,
} from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';
import { checkContract } from '../support/contract.ts';

const LIMIT = 8;
const OFFICE = ['198.51.100.0/24', '2001:db8::/32'];
const HERE = ['127.0.0.0/8', '::1'];

const bound = suite<{ service: TestService; second: Service; practice: TestPractice }>(
  'keys that are bound to addresses',
);

bound.before(async (context) => {
  // One proxy is trusted: what it says last is where a request came from.
  const changes = { TRUST_PROXY: '1', RATE_LIMIT_PER_MINUTE: String(LIMIT) };
  context.service = await startTestService(changes);
  context.second = await startService(
    { ...context.service.settings, role: 'api' },
    openServiceLog('silent'),
  );
  await context.second.started;
});
bound.after(async ({ service, second }) => {
  await second.stop();
  await service.stop();
});
bound.before.each(async (context) => {
  context.practice = await newPractice(context.service.commands);
});

/** @param from what the one proxy says; null: there is none */
const pushFrom = (url: string, token: string, from: string | null, body: unknown = birthBundle()) =>
  post(url, token, body, from === null ? {} : { 'X-Forwarded-For': from });

const statusFrom = async (...args: Parameters<typeof pushFrom>): Promise<number> => {
  const answer = await pushFrom(...args);
  await answer.arrayBuffer();
  return answer.status;
};

bound('work from there, and are refused elsewhere before their body is read', async (context) => {
  const { service, practice } = context;
  const { token } = await service.commands.keys.mintNative({
    practiceId: practice.practiceId,
    scopes: ['ingest:write', 'ingest:read'],
    name: 'Bound',
    addresses: OFFICE,
  });
  // The first is one of a key that this process does not know yet.
  const refused = await pushFrom(service.url, token, '203.0.113.9', 'no Bundle at all');
  assert.is(refused.status, 403);
  const outcome = await checkContract('/api/registry/fhir/Bundle', 'post', refused);
  const [issue] = (outcome as { issue: { code: string; diagnostics: string }[] }).issue;
  assert.is(issue?.code, 'forbidden');
  assert.match(issue?.diagnostics ?? '', 'may not be used from the address');
  assert.not.match(issue?.diagnostics ?? '', '203.0.113.9');

  assert.is(await statusFrom(service.url, token, '198.51.100.7'), 202);
  // Behind a proxy that speaks IPv6.
  assert.is(await statusFrom(service.url, token, '::ffff:198.51.100.7'), 202);
  assert.is(await statusFrom(service.url, token, '2001:db8:1::5'), 202);
  // Behind proxies that write the caller's port.
  for (const office of ['198.51.100.7:51324', '[2001:db8:1::5]:443', '[::ffff:198.51.100.7]:443'])
    assert.is(await statusFrom(service.url, token, office), 202, office);
  // The key is known by now: its requests are taken before Express.
  for (const elsewhere of [
    '203.0.113.9',
    '2001:db9::1',
    '::ffff:203.0.113.9',
    '203.0.113.9:51324',
    '[2001:db9::1]:443',
    'unknown',
  ])
    assert.is(await statusFrom(service.url, token, elsewhere, 'no Bundle'), 403, elsewhere);
  // What a client writes itself stands before what the proxy writes.
  assert.is(await statusFrom(service.url, token, '198.51.100.7, 203.0.113.10'), 403);
  assert.is(await statusFrom(service.url, token, null), 403);
  const receipt = `${service.url}/api/registry/fhir/ingestions/none`;
  const headers = { Authorization: `Bearer ${token}` };
  const asked = await fetch(receipt, {
    headers: { ...headers, 'X-Forwarded-For': '203.0.113.11' },
  });
  await checkContract('/api/registry/fhir/ingestions/{ingestion}', 'get', asked);
  assert.is(asked.status, 403);
});

bound('are so in every process when the command returns', async (context) => {
  const { service, second, practice } = context;
  const { keyId, token } = practice;
  const everywhere = () =>
    Promise.all([service.url, second.url].map((url) => statusFrom(url, token, null)));
  assert.equal(await everywhere(), [202, 202]);
  await service.commands.keys.setAddresses(keyId, OFFICE);
  assert.equal(await everywhere(), [403, 403]);
  assert.is(await statusFrom(second.url, token, '198.51.100.7'), 202);
  await service.commands.keys.setAddresses(keyId, HERE);
  assert.equal(await everywhere(), [202, 202]);
  await service.commands.keys.setAddresses(keyId, []);
  assert.is(await statusFrom(service.url, token, '203.0.113.12'), 202);
});

bound('lose nothing of their minute to what is tried elsewhere', async (context) => {
  const { service, practice } = context;
  await service.commands.keys.setAddresses(practice.keyId, HERE);
  assert.is(await statusFrom(service.url, practice.token, null), 202);
  const tried: number[] = [];
  for (let n = 0; n < LIMIT + 2; n += 1)
    tried.push(await statusFrom(service.url, practice.token, '203.0.113.20'));
  assert.equal(tried, [...Array.from({ length: LIMIT }, () => 403), 429, 429]);
  for (let n = 1; n < LIMIT; n += 1)
    assert.is(await statusFrom(service.url, practice.token, null), 202, String(n));
  assert.is(await statusFrom(service.url, practice.token, null), 429);
});

bound(
  'leave a count, one note and the last address, however often they are tried',
  async (context) => {
    const { service, practice } = context;
    const { practiceId, keyId, token } = practice;
    const counted = async () =>
      seriesValue(await metricsAt(service.url), 'registry_key_used_elsewhere_total');
    await service.commands.keys.setAddresses(keyId, OFFICE);
    assert.is(await statusFrom(service.url, token, '198.51.100.7'), 202);
    const before = await counted();
    for (let n = 0; n < 5; n += 1)
      assert.is(await statusFrom(service.url, token, `203.0.113.${30 + n}`), 403);
    assert.is(await counted(), before + 5);

    const notes = async () => {
      const query = { person: null, record: null, kind: 'sign-ins' } as const;
      return (await service.commands.accessLog(practiceId, query)).entries;
    };
    await eventually(
      'the first refusal is in the access log',
      async () => (await notes()).length > 0,
    );
    assert.equal(
      (await notes()).map(({ type, rows, actor }) => [type, rows, actor.kind, actor.id]),
      [['KeyRefusedElsewhere', 1, 'key', keyId]],
    );
    const listed = async () =>
      (await service.commands.lists.keysOfPractice(practiceId)).find((key) => key.keyId === keyId);
    await eventually('the key is listed with its addresses', async () => {
      const key = await listed();
      return (key?.addresses.length ?? 0) > 0 && key?.lastRefused !== null;
    });
    const key = await listed();
    assert.equal(key?.addresses, OFFICE);
    assert.is(key?.lastUsedFrom, '198.51.100.7');
    assert.is(key?.lastRefused?.from, '203.0.113.30');
  },
);

bound.run();
