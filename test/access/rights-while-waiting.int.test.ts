import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createLeases, type Lease } from '../../adapters/postgres/leases/leases.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores } from '../../api/stores/stores.ts';
import { PageProblem, rightsChanged } from '../../api/web/page-problem.ts';
import { practiceLeaseName } from '../../api/writes/practice-lease.ts';
import { eventually } from '../harness/eventually.ts';
import {
  newMember,
  sharedTestAccounts,
  signInVisitor,
  type TestAccount,
} from '../harness/pages.ts';
import { push } from '../harness/service.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';
import { attendedBirth, newPartnerFeed } from '../support/partners.ts';

/** A form is admitted, then its write waits for the practice lease while the rights of its sender change. */
const { service, practice, members } = await sharedTestAccounts();
const { commands, url } = service;
const { practiceId, token } = practice;
const stores = await openStores(service.settings, 'command', openServiceLog('silent'));
test.after(() => stores.close());

const LEASE_MS = 300_000;

/**
 * Sends the form, changes the rights while its write waits, and releases the lease.
 * @param change gets the answer, which is null if the connection was closed
 */
const sendWhile = async (
  account: TestAccount,
  path: string,
  fields: Readonly<Record<string, string>>,
  change: (sent: Promise<Response | null>) => Promise<unknown>,
): Promise<Response | null> => {
  const visitor = await signInVisitor(url, account);
  const _csrf = await visitor.csrfToken('/registry');
  const leases = createLeases(stores.db, LEASE_MS, null);
  const name = practiceLeaseName(practiceId);
  const holder = randomUUID();
  let taken: Awaited<ReturnType<typeof leases.take>> = null;
  await eventually('the lease is free', async () => {
    taken ??= await leases.take(name, holder);
    return taken !== null;
  });
  if (taken === null) throw new Error('The lease was not taken.');
  const held: Lease = taken;
  const sent = visitor.send(path, { _csrf, ...fields }).catch(() => null);
  try {
    await eventually('the form waits for the lease', async () => {
      const waiting = await stores.db
        .selectFrom('app.lease_request')
        .select('requester')
        .where('name', '=', name)
        .execute();
      return waiting.length > 0;
    });
    await change(sent);
  } finally {
    await leases.release(held, held.highestPosition, true);
  }
  return sent;
};

const newAdmin = () => newMember(service, practiceId, 'Admin', `${randomUUID()}@waits.example`);

const newRecord = async (): Promise<string> => {
  const receipt = await push(url, token, birthBundle({ chartNumber: randomUUID() }));
  const [accepted] = receipt.status === 'completed' ? receipt.outcome.accepted : [];
  if (accepted === undefined) throw new Error('The birth was not recorded.');
  return accepted.submission_uuid;
};

const feed = await newPartnerFeed(commands, practiceId);
const newProviders = async (): Promise<readonly string[]> => {
  const identities = [randomUUID(), randomUUID()];
  const births = identities.map((identity) =>
    attendedBirth({ attendant: { identity } }, { chartNumber: randomUUID() }),
  );
  await push(url, feed, batchOf(births));
  const listed = await commands.providers.list(practiceId);
  return identities.map(
    (identity) => listed.find((one) => one.identity === identity)?.providerId ?? '',
  );
};

/** Forms, and the page that is there as long as nothing has changed. */
const FORMS = {
  'the void of a record': async () => {
    const path = `/registry/records/${await newRecord()}/void`;
    return { path, fields: { version: '1', reason: 'Typed quietly' }, unchanged: path };
  },
  'a merge of providers': async () => {
    const [absorbed = '', survivor = ''] = await newProviders();
    const unchanged = `/registry/providers/${absorbed}`;
    return { path: `${unchanged}/merge/${survivor}`, fields: {}, unchanged };
  },
} as const;

for (const [form, what, change, refusal] of [
  [
    'the void of a record',
    'is refused to an Admin who was made a Viewer',
    ({ id }: TestAccount) => commands.members.changeSeat(practiceId, id, 'Viewer'),
    rightsChanged(),
  ],
  [
    'the void of a record',
    'goes through for an Admin who was made a Provider, who may also do it',
    ({ id }: TestAccount) => commands.members.changeSeat(practiceId, id, 'Provider'),
    null,
  ],
  [
    'the void of a record',
    'is refused to a member who was removed',
    ({ id }: TestAccount) => commands.members.remove(practiceId, id),
    'closed',
  ],
  [
    'a merge of providers',
    'is refused to an Admin who was made a Provider',
    ({ id }: TestAccount) => commands.members.changeSeat(practiceId, id, 'Provider'),
    rightsChanged(),
  ],
  [
    'a merge of providers',
    'is refused to an Admin who was signed out everywhere',
    ({ email }: TestAccount) => commands.accounts.endSessions(email),
    'closed',
  ],
  ['a merge of providers', 'goes through if nothing changes', async () => undefined, null],
] as const)
  test(`${form} that waits ${what}`, async () => {
    const account = await newAdmin();
    const { path, fields, unchanged } = await FORMS[form]();
    const answer = await sendWhile(account, path, fields, async (sent) => {
      await change(account);
      // A process looks for lost sessions at intervals; the write must not come first.
      if (refusal === 'closed') await sent;
    });
    if (refusal === 'closed') assert.is(answer, null);
    else assert.is(answer?.status, refusal?.status ?? 303);
    if (refusal instanceof PageProblem)
      assert.ok((await answer?.text())?.includes(refusal.heading));
    const admin = await signInVisitor(url, members.Admin);
    assert.is((await admin.send(unchanged)).status === 200, refusal !== null);
  });

test.run();
