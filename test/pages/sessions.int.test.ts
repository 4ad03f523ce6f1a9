import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { type Db, openDatabase } from '../../adapters/postgres/database.ts';
import { endSessionsIn } from '../../adapters/postgres/session-store.ts';
import { newVisitor, startTestPages, type TestPages } from '../support/pages.ts';

let pages: TestPages;
let db: Db;
let stopHosting: () => Promise<void>;

test.before(async () => {
  pages = await startTestPages();
  const hosted = await hostPostgres({ dataDir: pages.service.settings.dataDir });
  db = openDatabase(hosted.url, 2);
  stopHosting = async () => {
    await db.destroy();
    await hosted.stop();
  };
});

test.after(async () => {
  await stopHosting();
  await pages.stop();
});

const sessionsOf = (accountId: string) =>
  db
    .selectFrom('app.session')
    .select(['sid', 'sess'])
    .where('account_id', '=', accountId)
    .execute();

test('a visitor who only looks leaves no session behind', async () => {
  const visitor = newVisitor(pages.service.url);
  for (const path of ['/registry', '/', '/registry/nowhere']) {
    const response = await visitor.send(path);
    assert.equal(response.headers.getSetCookie(), [], path);
  }
  const posted = await visitor.send('/sign-out', {});
  assert.equal(posted.headers.getSetCookie(), []);
});

test('the cookie is for this host only, out of reach of scripts, and ends with half an hour of rest', async () => {
  const answer = await newVisitor(pages.service.url).signIn(pages.members.Admin);
  const set = answer.headers.getSetCookie().join();
  assert.match(set, /^registry=/);
  for (const part of [/; Path=\//, /; HttpOnly/, /; SameSite=Lax/]) assert.match(set, part);
  assert.not.match(set, /Domain=/i);
  assert.not.match(set, /Secure/);
  const expires = Date.parse(/Expires=([^;]+)/.exec(set)?.[1] ?? '');
  assert.ok(Math.abs(expires - Date.now() - 30 * 60_000) < 60_000);
});

test('signing in makes a new session id: one that was planted is worth nothing', async () => {
  const attacker = newVisitor(pages.service.url);
  await attacker.csrfToken('/sign-in');
  const planted = attacker.cookie();
  const victim = newVisitor(pages.service.url, planted);
  assert.is((await victim.signIn(pages.members.Admin)).status, 303);
  assert.is.not(victim.cookie(), planted);
  assert.is((await victim.send('/registry')).status, 200);
  assert.is((await newVisitor(pages.service.url, planted).send('/registry')).status, 303);
});

test('signing out ends the session for good', async () => {
  const visitor = newVisitor(pages.service.url);
  await visitor.signIn(pages.members.Viewer);
  const cookie = visitor.cookie();
  const _csrf = await visitor.csrfToken('/registry');
  assert.is((await visitor.send('/sign-out', { _csrf })).headers.get('location'), '/sign-in');
  assert.is((await newVisitor(pages.service.url, cookie).send('/registry')).status, 303);
});

test('a cookie that nobody has signed is no session', async () => {
  const visitor = newVisitor(pages.service.url);
  await visitor.signIn(pages.members.Viewer);
  const [held] = await sessionsOf(pages.members.Viewer.id);
  const forged = newVisitor(pages.service.url, `registry=s%3A${held?.sid}.AAAA`);
  assert.is((await forged.send('/registry')).status, 303);
});

test('after half an hour of rest, and after twelve hours in any case, one signs in again', async () => {
  const resting = newVisitor(pages.service.url);
  await resting.signIn(pages.members.Provider);
  await db
    .updateTable('app.session')
    .set({ expire: new Date(Date.now() - 1_000) })
    .where('account_id', '=', pages.members.Provider.id)
    .execute();
  assert.is((await resting.send('/registry')).status, 303);

  const working = newVisitor(pages.service.url);
  await working.signIn(pages.members.Scribe);
  const [held] = await sessionsOf(pages.members.Scribe.id);
  const startedAt = Date.now() - 12 * 60 * 60_000;
  await db
    .updateTable('app.session')
    .set({ sess: JSON.stringify({ ...(held?.sess as object), startedAt }) })
    .where('sid', '=', held?.sid ?? '')
    .execute();
  assert.is((await working.send('/registry')).status, 303);
  assert.equal(await sessionsOf(pages.members.Scribe.id), []);
});

test('all sessions of an account can be ended, and no others', async () => {
  const one = newVisitor(pages.service.url);
  const two = newVisitor(pages.service.url);
  const other = newVisitor(pages.service.url);
  await one.signIn(pages.members.Admin);
  await two.signIn(pages.members.Admin);
  await other.signIn(pages.members.Viewer);
  await endSessionsIn(db)(pages.members.Admin.id);
  assert.is((await one.send('/registry')).status, 303);
  assert.is((await two.send('/registry')).status, 303);
  assert.is((await other.send('/registry')).status, 200);
});

test('a change of the practice shows on the next page', async () => {
  const visitor = newVisitor(pages.service.url);
  await visitor.signIn(pages.members.Viewer);
  const hasBanner = async () =>
    /Sandbox: synthetic/.test(await (await visitor.send('/registry')).text());
  assert.ok(await hasBanner());
  await pages.service.commands.practices.set(pages.practice.practiceId, {
    ...{ sandbox: false, beta: null },
  });
  assert.not.ok(await hasBanner());
});

test('the staff have no seat in a practice, and members none among the staff', async () => {
  const staff = newVisitor(pages.service.url);
  await staff.signIn(pages.staff);
  assert.is((await staff.send('/registry')).status, 403);
  assert.is((await staff.send('/staff')).status, 200);
  const member = newVisitor(pages.service.url);
  await member.signIn(pages.members.Admin);
  assert.is((await member.send('/staff')).status, 403);
  assert.is(
    (await newVisitor(pages.service.url).send('/staff')).headers.get('location'),
    '/sign-in?next=%2Fstaff',
  );
});

test.run();
