import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MintedKey } from '../../api/commands/manage-keys.ts';
import { SCOPES } from '../../domain/api-key/events.ts';
import type { ContractStatus } from '../../domain/partner/events.ts';
import {
  newPractice,
  poll,
  post,
  receiptAddress,
  startTestService,
  type TestPractice,
  type TestService,
} from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';
import { checkContract } from '../support/contract.ts';

const BUNDLE = '/api/registry/fhir/Bundle';
const INGESTION = '/api/registry/fhir/ingestions/{ingestion}';

interface Feed {
  readonly partnerId: string;
  readonly key: MintedKey;
}

const partners = suite<{ service: TestService; practice: TestPractice }>('partners and their keys');

partners.before(async (context) => {
  context.service = await startTestService();
});
partners.after(async ({ service }) => {
  await service.stop();
});
partners.before.each(async (context) => {
  context.practice = await newPractice(context.service.commands);
});

const newFeed = async (
  { service, practice }: { service: TestService; practice: TestPractice },
  beta: boolean,
  status: ContractStatus,
): Promise<Feed> => {
  const { commands } = service;
  const partnerId = await commands.partners.create({ name: 'Maple EHR', beta, status });
  const order = { partnerId, practiceId: practice.practiceId, name: null, scopes: SCOPES };
  return { partnerId, key: await commands.keys.mintPartner(order) };
};

const submit = ({ url }: TestService, token: string): Promise<Response> =>
  post(url, token, birthBundle());

/** What a request was refused with: status, issue code and diagnostics. */
const refusalOf = async (response: Response) => {
  const { issue } = (await response.json()) as {
    issue: readonly { readonly code: string; readonly diagnostics: string }[];
  };
  return [response.status, issue[0]?.code, issue[0]?.diagnostics ?? ''] as const;
};

/** Why a command was refused; null if it was not. */
const reasonOf = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: Error) => {
      if (error.name !== 'CommandRefused') throw error;
      return error.message;
    },
  );

partners('a partner feed key is refused until its partner is Active and in the beta', async (c) => {
  const { service, practice } = c;
  const feed = await newFeed(c, true, 'Pending');
  const pending = await submit(service, feed.key.token);
  await checkContract(BUNDLE, 'post', pending.clone());
  const [status, code, diagnostics] = await refusalOf(pending);
  assert.equal([status, code], [403, 'forbidden']);
  assert.match(diagnostics, 'is Pending, not Active');
  assert.match(diagnostics, 'service staff');

  await service.commands.partners.set(feed.partnerId, { beta: false, status: 'Active' });
  const outside = await refusalOf(await submit(service, feed.key.token));
  assert.is(outside[0], 403);
  assert.match(outside[2], 'not in the partner-EHR beta');

  await service.commands.partners.set(feed.partnerId, { beta: true, status: null });
  assert.is((await submit(service, feed.key.token)).status, 202);
  assert.is((await submit(service, practice.token)).status, 202);
});

partners('a contract status is in force when the command returns, on both routes', async (c) => {
  const { service, practice } = c;
  const feed = await newFeed(c, true, 'Active');
  const taken = await submit(service, feed.key.token);
  assert.is(taken.status, 202);
  const address = receiptAddress(taken);
  assert.is((await poll(address, feed.key.token)).status, 200);

  await service.commands.partners.set(feed.partnerId, { beta: null, status: 'Suspended' });
  assert.is((await submit(service, feed.key.token)).status, 403);
  const suspended = await poll(address, feed.key.token);
  await checkContract(INGESTION, 'get', suspended);
  assert.is(suspended.status, 403);
  // A native key of the same practice has nothing to do with the partner.
  assert.is((await submit(service, practice.token)).status, 202);
  assert.is((await poll(address, practice.token)).status, 200);

  await service.commands.partners.set(feed.partnerId, { beta: null, status: 'Active' });
  assert.is((await submit(service, feed.key.token)).status, 202);
  assert.is((await poll(address, feed.key.token)).status, 200);
});

partners('the scope comes before the gate, the gate before the body', async (c) => {
  const { service, practice } = c;
  const { commands } = service;
  const partnerId = await commands.partners.create({
    name: 'Birch EHR',
    beta: true,
    status: 'Pending',
  });
  const key = await commands.keys.mintPartner({
    partnerId,
    practiceId: practice.practiceId,
    name: null,
    scopes: ['ingest:write'],
  });
  const [, , scope] = await refusalOf(
    await poll(`${service.url}/api/registry/fhir/ingestions/none`, key.token),
  );
  assert.match(scope, 'ingest:read');
  assert.is((await post(service.url, key.token, 'not JSON')).status, 403);
  // The key itself is authenticated all the same.
  await commands.keys.revoke(key.keyId);
  assert.is((await post(service.url, key.token, 'not JSON')).status, 401);
});

partners('a partner has one live key per practice; revoking it makes room', async (c) => {
  const { service, practice } = c;
  const { keys } = service.commands;
  const feed = await newFeed(c, true, 'Active');
  const order = { partnerId: feed.partnerId, name: null, scopes: SCOPES };
  const here = { ...order, practiceId: practice.practiceId };
  assert.match((await reasonOf(keys.mintPartner(here))) ?? '', feed.key.keyId);

  const elsewhere = await newPractice(service.commands);
  await keys.mintPartner({ ...order, practiceId: elsewhere.practiceId });

  await keys.revoke(feed.key.keyId);
  assert.is((await submit(service, feed.key.token)).status, 401);
  const second = await keys.mintPartner(here);
  assert.is((await submit(service, second.token)).status, 202);
});

partners('of several mintings at once one wins', async (c) => {
  const { service, practice } = c;
  const { keys } = service.commands;
  const feed = await newFeed(c, true, 'Active');
  await keys.revoke(feed.key.keyId);
  const order = {
    partnerId: feed.partnerId,
    practiceId: practice.practiceId,
    name: null,
    scopes: SCOPES,
  };
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => keys.mintPartner(order)));
  const minted = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  assert.is(minted.length, 1);
  for (const one of outcomes)
    if (one.status === 'rejected') assert.is(one.reason.name, 'CommandRefused');
  assert.is((await submit(service, minted[0]?.token ?? '')).status, 202);
});

partners('outside the beta no key is minted; keys minted before keep working', async (c) => {
  const { service, practice } = c;
  const { keys, practices } = service.commands;
  const feed = await newFeed(c, true, 'Active');
  const { practiceId } = practice;
  await practices.set(practiceId, { sandbox: null, beta: false });
  const order = { practiceId, name: null, scopes: SCOPES };
  const other = await service.commands.partners.create({
    name: 'Other EHR',
    beta: true,
    status: 'Active',
  });
  assert.match((await reasonOf(keys.mintNative(order))) ?? '', 'not in the partner-EHR beta');
  assert.match(
    (await reasonOf(keys.mintPartner({ ...order, partnerId: other }))) ?? '',
    'not in the partner-EHR beta',
  );
  assert.is((await submit(service, feed.key.token)).status, 202);
  assert.is((await submit(service, practice.token)).status, 202);
});

partners('the log holds who minted what, and is sound', async ({ service }) => {
  const { problems } = await service.commands.verify();
  assert.equal(problems, []);
  const health = await fetch(`${service.url}/health/ready`);
  assert.is(health.status, 200);
  assert.match(await health.text(), '"parkedStreams":0');
});

partners.run();
