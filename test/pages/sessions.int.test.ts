import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { SessionData } from 'express-session';
import { sql } from 'kysely';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createEndSessions } from '../../adapters/postgres/access/end-sessions.ts';
import { createPasswordStore } from '../../adapters/postgres/access/passwords.ts';
import { createSessionStore } from '../../adapters/postgres/access/session-store.ts';
import { type Db, openDatabase } from '../../adapters/postgres/connection/database.ts';
import type { SignedIn } from '../../api/access/signed-in.ts';
import { pageForbidden, signedOut } from '../../api/web/page-problem.ts';
import {
  newVisitor,
  PASSWORD,
  signInVisitor,
  startTestPages,
  type TestAccount,
  type TestPages,
  type TestVisitor,
} from '../harness/pages.ts';
import { isAboutNow } from '../harness/real-time.ts';

let pages: TestPages;
let db: Db;

test.before(async () => {
  pages = await startTestPages();
  db = openDatabase(pages.service.settings.databaseUrl ?? '', 2);
});

test.after(async () => {
  await db.destroy();
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

test('an answer does not wait for a session that cannot be touched', async () => {
  const visitor = await signInVisitor(pages.service.url, pages.members.Viewer);
  await db.transaction().execute(async (transaction) => {
    await transaction.selectFrom('app.session').select('sid').forUpdate().execute();
    const page = await visitor.send('/registry/records');
    assert.is(page.status, 200);
    await page.text();
    // The touch has not ended: the answer did not wait for it.
    const { rows } = await sql`
      select from pg_stat_activity
      where wait_event_type = 'Lock' and query ilike '%session%'`.execute(transaction);
    assert.ok(rows.length > 0, 'it is waited for');
  });
});

test('the cookie is for this host only, out of reach of scripts, and ends with a quarter of an hour of rest', async () => {
  const visitor = await signInVisitor(pages.service.url, pages.members.Admin);
  const answer = await visitor.send('/registry');
  const set = answer.headers.getSetCookie().join();
  assert.match(set, /^registry=/);
  for (const part of [/; Path=\//, /; HttpOnly/, /; SameSite=Lax/]) assert.match(set, part);
  assert.not.match(set, /Domain=/i);
  assert.not.match(set, /Secure/);
  const expires = Date.parse(/Expires=([^;]+)/.exec(set)?.[1] ?? '');
  assert.ok(isAboutNow(expires - 15 * 60_000));
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
  const visitor = await signInVisitor(pages.service.url, pages.members.Viewer);
  const cookie = visitor.cookie();
  const _csrf = await visitor.csrfToken('/registry');
  assert.is((await visitor.send('/sign-out', { _csrf })).headers.get('location'), '/sign-in');
  assert.is((await newVisitor(pages.service.url, cookie).send('/registry')).status, 303);
});

test('a cookie that nobody has signed is no session', async () => {
  await signInVisitor(pages.service.url, pages.members.Viewer);
  const [held] = await sessionsOf(pages.members.Viewer.id);
  const forged = newVisitor(pages.service.url, `registry=s%3A${held?.sid}.AAAA`);
  assert.is((await forged.send('/registry')).status, 303);
});

test('after a quarter of an hour of rest, and after twelve hours in any case, one signs in again', async () => {
  const resting = await signInVisitor(pages.service.url, pages.members.Provider);
  await db
    .updateTable('app.session')
    .set({ expire: new Date(Date.now() - 1_000) })
    .where('account_id', '=', pages.members.Provider.id)
    .execute();
  assert.is((await resting.send('/registry')).status, 303);

  const working = await signInVisitor(pages.service.url, pages.members.Scribe);
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
  await createEndSessions(db)(pages.members.Admin.id);
  assert.is((await one.send('/registry')).status, 303);
  assert.is((await two.send('/registry')).status, 303);
  assert.is((await other.send('/registry')).status, 200);
});

/**
 * Sends half of a form, lets something happen, and sends the rest.
 * @returns status of the answer
 */
const halfSent = async (
  visitor: TestVisitor,
  { path, type, body }: { readonly path: string; readonly type: string; readonly body: string },
  meanwhile: () => Promise<unknown>,
): Promise<number | undefined> => {
  const form = request(`${pages.service.url}${path}`, {
    method: 'POST',
    // An idle connection may close just as it is used again.
    agent: false,
    headers: {
      Cookie: visitor.cookie(),
      'Content-Type': type,
      'Content-Length': body.length,
      Expect: '100-continue',
    },
  });
  const answered = once(form, 'response') as Promise<[IncomingMessage]>;
  form.flushHeaders();
  await once(form, 'continue');
  form.write(body.slice(0, 10));
  // Asked for later and answered: the session of the form has been read by now.
  assert.is((await visitor.send('/registry')).status, 200);
  await meanwhile();
  form.end(body.slice(10));
  const [answer] = await answered;
  answer.resume();
  return answer.statusCode;
};

const decision = (_csrf: string) => ({
  path: '/registry/duplicates/different',
  type: 'application/x-www-form-urlencoded',
  body: new URLSearchParams({ _csrf, newer: 'x', older: 'x' }).toString(),
});

const upload = (token: string) => ({
  path: '/registry/import',
  type: 'multipart/form-data; boundary=line',
  body: `--line\r\nContent-Disposition: form-data; name="_csrf"\r\n\r\n${token}\r\n--line\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\nchart_number\r\n1\r\n--line--\r\n`,
});

const signedInAs = async (account: TestAccount): Promise<TestVisitor> => {
  const visitor = await signInVisitor(pages.service.url, account);
  return visitor;
};

test('a session that ended while a form was sent stays ended, and the form is not taken', async () => {
  const { Provider } = pages.members;
  const endings: Record<string, (visitor: TestVisitor) => Promise<unknown>> = {
    'all sessions ended': () => createEndSessions(db)(Provider.id),
    'signed out': async (visitor) =>
      newVisitor(pages.service.url, visitor.cookie()).send('/sign-out', {
        _csrf: await visitor.csrfToken('/registry'),
      }),
    'own password changed elsewhere': async () => {
      const elsewhere = await signedInAs(Provider);
      const changed = await elsewhere.send('/account/password', {
        _csrf: await elsewhere.csrfToken('/account/password'),
        old: PASSWORD,
        new: `${PASSWORD} anew`,
        repeated: `${PASSWORD} anew`,
      });
      assert.is(changed.status, 303);
      assert.is((await elsewhere.send('/registry')).status, 200);
    },
  };
  const endsWith = async (form: typeof decision, ending: string, end = endings[ending]) => {
    const visitor = await signedInAs(Provider);
    const sent = form(await visitor.csrfToken('/registry'));
    const cookie = visitor.cookie();
    assert.is(await halfSent(visitor, sent, async () => end?.(visitor)), 401, ending);
    assert.is((await newVisitor(pages.service.url, cookie).send('/registry')).status, 303, ending);
  };
  await endsWith(upload, 'all sessions ended');
  for (const ending of Object.keys(endings)) await endsWith(decision, ending);
});

test('a session that ended is not written again, whoever held it', async () => {
  const { Viewer } = pages.members;
  await signedInAs(Viewer);
  const [held] = await sessionsOf(Viewer.id);
  const sid = held?.sid ?? '';
  const store = createSessionStore(db, () => {});
  const loaded = await new Promise<SessionData>((resolve, reject) => {
    store.load(sid, (error: unknown, session) =>
      session === undefined ? reject(error) : resolve(session),
    );
  });
  await createEndSessions(db)(Viewer.id);
  await new Promise((resolve) => store.set(sid, loaded, resolve));
  await new Promise((resolve) => store.touch?.(sid, loaded, () => resolve(null)));
  assert.equal(await sessionsOf(Viewer.id), []);
});

test('no sign-in that is under way outlives a change of the password', async () => {
  const { find, holdAccount } = createPasswordStore(db);
  const store = createSessionStore(db, () => {});
  const accountId = 'an-account-that-many-sign-in-to';
  const change = async (round: number) => {
    await holdAccount(accountId, (account) => account.setPassword(`hash ${round}`));
    await createEndSessions(db)(accountId);
  };
  await change(0);
  const moments: Record<string, number> = { before: 0, after: 0 };
  for (let round = 1; round <= 1_000; round += 1) {
    const sid = `${accountId}-${round}`;
    const signIn = async () => {
      const generation = (await find(accountId))?.generation ?? '';
      // At another point of the change in every round.
      for (let wait = round % 7; wait > 0; wait -= 1) await sql`select 1`.execute(db);
      const cookie = { originalMaxAge: 60_000, expires: new Date(Date.now() + 60_000) };
      const data = { cookie, accountId, generation, startedAt: Date.now() };
      await new Promise((resolve) => store.set(sid, data as SessionData, resolve));
      return generation;
    };
    const [generation] = await Promise.all([signIn(), change(round)]);
    const isOfNow = generation === (await find(accountId))?.generation;
    moments[isOfNow ? 'after' : 'before'] = (moments[isOfNow ? 'after' : 'before'] ?? 0) + 1;
    const kept = await new Promise((resolve) => store.get(sid, (_, data) => resolve(data ?? null)));
    if (!isOfNow) assert.is(kept, null, `round ${round}`);
  }
  // Or the race was never run.
  assert.ok((moments['before'] ?? 0) > 300, JSON.stringify(moments));
});

test('a form of somebody signed out leads back to its page, of our own only', async () => {
  const from = async (referrer: string) => {
    const visitor = newVisitor(pages.service.url);
    const answer = await visitor.send('/registry/duplicates/different', {}, { Referer: referrer });
    assert.is(answer.status, 401);
    const html = await answer.text();
    assert.ok(html.includes(signedOut().text));
    return /<main.*<a href="(\/sign-in[^"]*)">Sign in<\/a>/s.exec(html)?.[1];
  };
  const { url } = pages.service;
  const back = '/sign-in?next=%2Fregistry%2Fduplicates%3Frecord%3Dx';
  assert.is(await from(`${url}/registry/duplicates?record=x`), back);
  assert.is(await from('https://elsewhere.example/registry/duplicates'), '/sign-in');
  assert.is(await from(`${url}/sign-out`), '/sign-in');
  assert.is(await from('not an address'), '/sign-in');
});

test('a change of the practice shows on the next page', async () => {
  const visitor = await signInVisitor(pages.service.url, pages.members.Viewer);
  const hasBanner = async () =>
    (await (await visitor.send('/registry')).text()).includes('class="sandbox-banner ');
  assert.ok(await hasBanner());
  await pages.service.commands.practices.set(pages.practice.practiceId, {
    sandbox: false,
    beta: null,
  });
  assert.not.ok(await hasBanner());
});

test('the staff have no seat in a practice, and members none among the staff', async () => {
  const staff = await signInVisitor(pages.service.url, pages.staff);
  const refused = await staff.send('/registry');
  assert.is(refused.status, 403);
  assert.ok((await refused.text()).includes(pageForbidden({ kind: 'staff' } as SignedIn).text));
  assert.is((await staff.send('/staff')).status, 200);
  const member = await signInVisitor(pages.service.url, pages.members.Admin);
  const refusedToo = await member.send('/staff');
  assert.is(refusedToo.status, 403);
  assert.ok((await refusedToo.text()).includes(pageForbidden(null, true).heading));
  assert.is(
    (await newVisitor(pages.service.url).send('/staff')).headers.get('location'),
    '/sign-in?next=%2Fstaff',
  );
});

test.run();
