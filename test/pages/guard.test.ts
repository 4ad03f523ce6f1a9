import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import express, { Router } from 'express';
import session from 'express-session';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SignedIn } from '../../api/access/signed-in.ts';
import { createPageErrorHandler } from '../../api/pages/layout/page-errors.tsx';
import { sendPage } from '../../api/pages/layout/send-page.tsx';
import { createFormParser } from '../../api/web/form-body.ts';
import { getSeat, getStaff, requireRole, requireStaff } from '../../api/web/guards/seats.ts';
import {
  crossSiteForm,
  formExpired,
  formOfAnotherUser,
  serviceUnavailable,
  signedOut,
} from '../../api/web/page-problem.ts';
import { csrfProtection, getCsrfToken } from '../../api/web/session/csrf.ts';
import { MAX_TOKEN_AGE_MS } from '../../api/web/session/form-token.ts';
import { createSessions } from '../../api/web/session/session.ts';
import {
  beginSession,
  endWithSession,
  getSignedIn,
  loadAccount,
} from '../../api/web/session/signed-in-session.ts';
import type { Role } from '../../domain/roles.ts';
import { eventually } from '../harness/eventually.ts';
import { newVisitor, type TestVisitor } from '../harness/pages.ts';
import { passTime } from '../harness/real-time.ts';

class Away extends Error {}

const memberWith = (role: Role, seatId = 's'): SignedIn => ({
  kind: 'member',
  isAuditor: false,
  memberId: 'm',
  email: 'm@cedar.example',
  name: null,
  role,
  practiceId: 'p',
  seatId,
  practice: {
    name: 'Cedar',
    sandbox: false,
    beta: false,
    requiresSecondFactor: false,
    neededItems: [],
    daysUntilDue: null,
    writesEditFlags: false,
    lastBreakGlass: null,
    timeZone: 'America/New_York',
    clock: '12',
  },
});

// Who each account is now: a test changes it while someone is signed in.
const accounts = new Map<string, SignedIn>();
/** How long the guard of open answers waits for the account `switching`. */
let findsAfter: Promise<unknown> = Promise.resolve();
let beginsToFind = (): void => undefined;
let answersAfter: Promise<unknown> = Promise.resolve();
let beginsToAnswer = (): void => undefined;
let server: Server;
let url: string;
/** When the forms of this service are opened and sent, after the time it really is. */
let laterMs = 0;

test.before(async () => {
  const app = express();
  app.use(
    ...createSessions({
      store: new session.MemoryStore(),
      secret: 'a secret',
      isSecure: false,
      now: () => new Date(Date.now() + laterMs),
    }),
    loadAccount(
      async (id) => accounts.get(id) ?? null,
      () => new Date(),
    ),
    endWithSession(async (id) => {
      if (id === 'switching') {
        beginsToFind();
        await findsAfter;
      }
      return accounts.get(id) ?? null;
    }),
    createFormParser((res) => getSignedIn(res) !== null),
  );
  // It takes as long as the test wants.
  app.post('/slowly/:status', async (req, res) => {
    beginsToAnswer();
    await answersAfter;
    res.status(Number(req.params.status)).send('answer');
  });
  // An answer that takes long: its first part, and no end.
  app.get('/endless', (_req, res) => {
    res.write('begun');
  });
  // It begins another session while the guard asks about the first one.
  app.get('/begin-slowly/:account', async (req, res) => {
    const asked = new Promise<void>((resolve) => {
      beginsToFind = resolve;
    });
    await asked;
    await beginSession(req, req.params.account, '1', new Date());
    res.redirect(303, '/registry');
  });
  app.get('/begin/:account', async (req, res) => {
    await beginSession(req, req.params.account, '1', new Date());
    res.redirect(303, '/registry');
  });
  app.use(csrfProtection);
  app.use(
    Router()
      .get('/registry', requireRole('Admin', 'Provider'), (_req, res) => {
        res.send(getSeat(res).role);
      })
      .post('/registry', requireRole('Admin'), (_req, res) => {
        res.send('done');
      })
      .get('/staff', requireStaff, (_req, res) => {
        res.send(getStaff(res).staffId);
      })
      .get('/unguarded', (_req, res) => {
        res.send(getSeat(res).role);
      })
      .get('/token', (req, res) => {
        res.send(getCsrfToken(req, res));
      })
      .get('/busy', (req, res) => {
        sendPage(req, res, { title: 'Busy', children: null }, 503);
      })
      .get('/away', () => {
        throw new Away('secret detail');
      }),
  );
  app.use(
    createPageErrorHandler(
      (error) => error instanceof Away,
      () => undefined,
    ),
  );
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

test.after(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('a visitor is sent to sign in, and back; what they post is not taken', async () => {
  const visitor = newVisitor(url);
  const asked = await visitor.send('/registry?year=2026&place=home');
  assert.is(asked.status, 303);
  assert.is(
    asked.headers.get('location'),
    '/sign-in?next=%2Fregistry%3Fyear%3D2026%26place%3Dhome',
  );
  const posted = await visitor.send('/registry', { family_name: 'Marin' });
  assert.is(posted.status, 401);
  const html = await posted.text();
  assert.match(html, `<h1>${signedOut().heading}</h1>`);
  assert.not.match(html, 'Marin');
});

test('a changed seat is in force with the next request, a lost one ends the session', async () => {
  const visitor = newVisitor(url);
  accounts.set('changing', memberWith('Admin'));
  await visitor.send('/begin/changing');
  assert.is(await (await visitor.send('/registry')).text(), 'Admin');
  accounts.set('changing', memberWith('Provider'));
  assert.is(await (await visitor.send('/registry')).text(), 'Provider');
  accounts.set('changing', memberWith('Viewer'));
  assert.is((await visitor.send('/registry')).status, 403);
  accounts.delete('changing');
  assert.is((await visitor.send('/registry')).status, 303);
  accounts.set('changing', memberWith('Admin'));
  assert.is((await visitor.send('/registry')).status, 303);
});

test('a form is accepted from the account that opened it, in each of its sessions', async () => {
  accounts.set('opener', memberWith('Admin', 'opener'));
  accounts.set('attacker', memberWith('Admin', 'attacker'));
  const begin = async (account: string) => {
    const visitor = newVisitor(url);
    await visitor.send(`/begin/${account}`);
    return visitor;
  };
  const readToken = async (visitor: TestVisitor) => (await visitor.send('/token')).text();
  const opener = await begin('opener');
  const browser = newVisitor(url);
  const own = await readToken(opener);
  const tokens = {
    attacker: await readToken(await begin('attacker')),
    visitor: await readToken(browser),
    anotherVisitor: await readToken(newVisitor(url)),
  };
  const answerTo = async (sender: TestVisitor, _csrf: string) => {
    const answer = await sender.send('/registry', { _csrf, family_name: 'Marin' });
    const html = await answer.text();
    assert.not.match(html, 'Marin');
    return [answer.status, /<h1>(.*?)<\/h1>/.exec(html)?.[1] ?? html];
  };
  assert.equal(await answerTo(opener, own), [200, 'done']);
  assert.equal(await answerTo(await begin('opener'), own), [200, 'done']);
  await browser.send('/begin/opener');
  assert.equal(await answerTo(browser, own), [200, 'done']);
  const refusals = [
    [tokens.attacker, formOfAnotherUser()],
    [tokens.visitor, formExpired()],
    [tokens.anotherVisitor, formExpired()],
    [`A${own}`, crossSiteForm()],
    ['', crossSiteForm()],
  ] as const;
  for (const [token, { status, heading }] of refusals)
    assert.equal(await answerTo(browser, token), [status, heading]);
  const script = await browser.send('/registry', {}, { 'X-CSRF-Token': tokens.attacker });
  assert.is(script.status, formOfAnotherUser().status);
  laterMs = MAX_TOKEN_AGE_MS + 1_000;
  assert.equal(await answerTo(await begin('opener'), own), [410, formExpired().heading]);
  laterMs = 0;
});

test('members are no staff, and staff no members', async () => {
  accounts.set('member', memberWith('Admin'));
  accounts.set('staff', {
    kind: 'staff',
    staffId: 's',
    email: 's@registry.example',
    name: null,
    seatId: 't',
  });
  const member = newVisitor(url);
  await member.send('/begin/member');
  assert.is((await member.send('/staff')).status, 403);
  const staff = newVisitor(url);
  await staff.send('/begin/staff');
  assert.is((await staff.send('/registry')).status, 403);
  assert.is(await (await staff.send('/staff')).text(), 's');
});

test('a route that forgot its guard shows nothing, an outage is a 503 without its details', async () => {
  const unguarded = await newVisitor(url).send('/unguarded');
  assert.is(unguarded.status, 500);
  const away = await newVisitor(url).send('/away');
  assert.is(away.status, 503);
  assert.is(away.headers.get('retry-after'), '2');
  assert.not.match(await away.text(), 'secret detail');
});

test('a page that asks for patience says for how long', async () => {
  const busy = await newVisitor(url).send('/busy');
  assert.equal([busy.status, busy.headers.get('retry-after')], [503, '30']);
});

test('while sessions cannot be read, a page says so; no session is taken for none', async () => {
  class AwayStore extends session.MemoryStore {
    override get(_sid: string, callback: (error: unknown) => void): void {
      callback(new Away());
    }
  }
  const isAway = (error: unknown) => error instanceof Away;
  const app = express();
  app.use(
    ...createSessions({
      store: new AwayStore(),
      secret: 'a secret',
      isSecure: false,
      now: () => new Date(),
    }),
  );
  app.use((_req, res) => {
    res.send('let through');
  });
  app.use(createPageErrorHandler(isAway, () => undefined));
  const away = createServer(app);
  await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve));
  const { port } = away.address() as AddressInfo;
  const visitor = newVisitor(url);
  accounts.set('member', memberWith('Admin'));
  await visitor.send('/begin/member');
  const answer = await newVisitor(`http://127.0.0.1:${port}`, visitor.cookie()).send('/registry');
  away.closeAllConnections();
  away.close();
  assert.is(answer.status, 503);
  assert.match(await answer.text(), `<h1>${serviceUnavailable().heading}</h1>`);
});

test('who loses the seat loses an answer that is under way within a second, others do not', async () => {
  const [leaving, staying] = [newVisitor(url), newVisitor(url)];
  for (const [id, visitor] of [
    ['leaving', leaving],
    ['staying', staying],
  ] as const) {
    accounts.set(id, memberWith('Admin'));
    await visitor.send(`/begin/${id}`);
  }
  const readToEnd = (answer: Response): Promise<unknown> => answer.text().catch(() => undefined);
  const cut = readToEnd(await leaving.send('/endless'));
  const kept = readToEnd(await staying.send('/endless'));
  accounts.delete('leaving');
  const looks = mock.method(accounts, 'get');
  await cut;
  // The first look after that ends it, and nothing looks less often than once in a second.
  const ofLeaving = looks.mock.calls.filter((call) => call.arguments[0] === 'leaving');
  looks.mock.restore();
  assert.is(ofLeaving.length, 1);
  // Two more looks.
  assert.is(await Promise.race([kept, passTime(900).then(() => 'goes on')]), 'goes on');
});

for (const [status, what] of [
  [401, 'is refused'],
  [200, 'is not answered'],
] as const)
  test(`a form whose sender lost the seat before its answer ${what}`, async () => {
    const visitor = newVisitor(url);
    accounts.set('leaving', memberWith('Admin'));
    await visitor.send('/begin/leaving');
    let answerNow = (): void => undefined;
    answersAfter = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    const hasBegun = new Promise<void>((resolve) => {
      beginsToAnswer = resolve;
    });
    const answer = visitor.send(`/slowly/${status}`, { any: 'form' }).then(
      (one) => one.status,
      () => 'closed',
    );
    await hasBegun;
    accounts.delete('leaving');
    const looks = mock.method(accounts, 'get');
    await eventually('a look', () =>
      looks.mock.calls.some((call) => call.arguments[0] === 'leaving'),
    );
    looks.mock.restore();
    answerNow();
    assert.is(await answer, status === 401 ? status : 'closed');
  });

for (const [what, next] of [
  ['another account', 'another'],
  ['the same account again', 'switching'],
] as const)
  test(`a request that signs in ${what} keeps its connection`, async () => {
    const visitor = newVisitor(url);
    accounts.set('switching', memberWith('Viewer'));
    accounts.set('another', memberWith('Admin'));
    await visitor.send('/begin/switching');
    let find = (): void => undefined;
    findsAfter = new Promise<void>((resolve) => {
      find = resolve;
    });
    const sockets: Socket[] = [];
    server.once('request', ({ socket }) => sockets.push(socket));
    assert.is((await visitor.send(`/begin-slowly/${next}`)).status, 303);
    accounts.delete('switching');
    find();
    await setImmediate();
    assert.equal(
      sockets.map(({ destroyed }) => destroyed),
      [false],
    );
  });

test.run();
