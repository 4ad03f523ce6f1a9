import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  newVisitor,
  PASSWORD,
  signInVisitor,
  startTestAccounts,
  type TestAccounts,
  type TestVisitor,
} from '../harness/pages.ts';
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts';

/** Two processes on the same stores: a stolen cookie is as dead in the one as in the other. */
const sessions = suite<{ accounts: TestAccounts; other: ServiceProcess }>(
  'sessions in another process',
);

sessions.before(async (context) => {
  context.accounts = await startTestAccounts();
  const { settings, environment } = context.accounts.service;
  context.other = await startServiceProcess(settings.dataDir, 0, undefined, environment);
});
sessions.after(async ({ accounts, other }) => {
  other.kill('SIGTERM');
  await other.ended;
  await accounts.service.stop();
});

type Both = { readonly accounts: TestAccounts; readonly other: ServiceProcess };

/** What a stolen cookie is good for in both processes: statuses of a page. */
const worthOf = async (
  { accounts, other }: Both,
  cookie: string,
  page = '/registry',
): Promise<readonly number[]> => {
  const statuses: number[] = [];
  for (const url of [accounts.service.url, other.url]) {
    const response = await newVisitor(url, cookie).send(page);
    // To its end: the session is kept with the last byte.
    await response.text();
    statuses.push(response.status);
  }
  return statuses;
};

const changePassword = async (visitor: TestVisitor, old: string, chosen: string) => {
  const _csrf = await visitor.csrfToken('/account/password');
  return visitor.send('/account/password', { _csrf, old, new: chosen, repeated: chosen });
};

sessions('a session of one process is one of the other, until it is signed out', async (both) => {
  const visitor = await signInVisitor(both.accounts.service.url, both.accounts.members.Viewer);
  const stolen = visitor.cookie();
  assert.equal(await worthOf(both, stolen), [200, 200]);
  const _csrf = await visitor.csrfToken('/registry');
  assert.is((await visitor.send('/sign-out', { _csrf })).status, 303);
  assert.equal(await worthOf(both, stolen), [303, 303]);
});

sessions('a new password ends every session but the one it was chosen in', async (both) => {
  const { Provider } = both.accounts.members;
  const owner = await signInVisitor(both.accounts.service.url, Provider);
  const before = owner.cookie();
  const stolen = (await signInVisitor(both.accounts.service.url, Provider)).cookie();
  assert.equal(await worthOf(both, stolen), [200, 200]);
  assert.is((await changePassword(owner, PASSWORD, `${PASSWORD} anew`)).status, 303);
  assert.equal(await worthOf(both, stolen), [303, 303]);
  // The id that it was chosen under is over too: whoever holds a copy of that is out.
  assert.equal(await worthOf(both, before), [303, 303]);
  assert.equal(await worthOf(both, owner.cookie()), [200, 200]);
});

sessions('a one-time password and a lost seat end them all', async (both) => {
  const { Admin, Scribe } = both.accounts.members;
  const admin = await signInVisitor(both.accounts.service.url, Admin);
  const scribe = await signInVisitor(both.accounts.service.url, Scribe);
  const seats = `/registry/members/${Scribe.id}`;
  const handedOver = await admin.send(`${seats}/password`, {
    _csrf: await admin.csrfToken(`${seats}/password`),
    form_id: '00000000-0000-4000-8000-000000000000',
  });
  assert.is(handedOver.status, 200);
  const [, oneTime = ''] =
    /id="one-time-password"[^>]*>([^<]+)</.exec(await handedOver.text()) ?? [];
  assert.equal(await worthOf(both, scribe.cookie()), [303, 303]);

  const again = newVisitor(both.other.url);
  assert.is((await again.signIn(Scribe, oneTime)).headers.get('location'), '/account/password');
  const before = again.cookie();
  assert.is((await changePassword(again, oneTime, `${PASSWORD} chosen`)).status, 303);
  assert.equal(await worthOf(both, before), [303, 303]);
  assert.equal(await worthOf(both, again.cookie(), '/registry/records/new'), [200, 200]);

  const _csrf = await admin.csrfToken(`${seats}/remove`);
  assert.is((await admin.send(`${seats}/remove`, { _csrf })).status, 303);
  assert.equal(await worthOf(both, again.cookie(), '/registry/records/new'), [303, 303]);
});

sessions('neither the id nor the token of before the sign-in is good after it', async (both) => {
  const { accounts } = both;
  const visitor = newVisitor(accounts.service.url);
  const token = await visitor.csrfToken('/sign-in');
  const planted = visitor.cookie();
  const { email } = accounts.members.Admin;
  const answer = await visitor.send('/sign-in', { _csrf: token, email, password: PASSWORD });
  assert.is(answer.status, 303);
  assert.equal(await worthOf(both, planted), [303, 303]);
  assert.is((await visitor.send('/sign-out', { _csrf: token })).status, 410);
  assert.equal(await worthOf(both, visitor.cookie()), [200, 200]);
});

sessions.run();
