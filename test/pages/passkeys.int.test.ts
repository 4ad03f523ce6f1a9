import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  describeCopiedPasskey,
  describeSignIn,
  FACTOR_CHANGES,
} from '../../api/pages/audit/access-text.ts';
import { newAuthenticator } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import {
  type BrowserTestContext,
  newMember,
  newVisitor,
  PASSWORD,
  sharedTestPages,
  signInHere,
  signInVisitor,
  signInWithoutPage,
  type TestAccount,
  type TestVisitor,
} from '../harness/pages.ts';
import { findMessage, type TestPage } from '../harness/test-page.ts';
import { errorIdsOf } from '../support/birth-form.ts';
import { mainOf } from '../support/imports.ts';
import { submit } from '../support/sent-forms.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

/** Browsers keep passkeys for names only; the service listens at 127.0.0.1. */
const LOCALHOST = pages.service.url.replace('127.0.0.1', 'localhost');
const SECURITY = '/account/security';
const SECOND_STEP = '/sign-in/code';

const { practiceId } = pages.practice;

const member = (name: string): Promise<TestAccount> =>
  newMember(pages.service, practiceId, 'Admin', `${name}@passkey.example`);

const factorsOf = async ({ email }: TestAccount) => {
  const members = await pages.service.commands.lists.members(practiceId);
  return members.find((listed) => listed.email === email)?.secondFactor;
};

/** The way to open browsers that a row has. */
type Open = BrowserTestContext['open'];

/** A browser of its own on the page of one's security, at an address that passkeys work at. */
const openSecurity = (open: Open, account: TestAccount): Promise<Page> =>
  open(account, { baseURL: LOCALHOST, at: SECURITY, newSession: true });

/** Looks at a page in another tab: what looks at it would take the authenticator away. */
const looksOf = async (page: Page, path: string, name: string): Promise<readonly string[]> => {
  const tab = await page.context().newPage();
  await tab.goto(path);
  const faults = await faultsOf(tab, name);
  await tab.close();
  return faults;
};

/** Ends the session without showing a page. */
const signOut = (page: Page): Promise<void> => page.context().clearCookies();

/** Shows the password without its page, and goes on to the page of the second step. */
const showPassword = async (page: Page, account: TestAccount): Promise<void> => {
  const next = await signInWithoutPage(page.context(), account);
  assert.is(next, SECOND_STEP);
  await page.goto(next);
};

const usePasskey = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Use your passkey' }).click();

const typeCode = async (page: TestPage, code: string | undefined): Promise<void> => {
  await page.getByLabel('Code').fill(code ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
};

const codesLeft = (page: TestPage): Promise<string> => findMessage(page, 'codes-left').innerText();

/** Adds a passkey on the page of one's security. @returns the recovery codes, if it was the first factor */
const addPasskey = async (page: Page, name = ''): Promise<readonly string[]> => {
  await page.getByLabel('Name of the passkey').fill(name);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.locator('#recovery-codes, .notice--success').waitFor();
  const codes = page.locator('#recovery-codes');
  return (await codes.count()) === 0 ? [] : (await codes.innerText()).trim().split('\n');
};

/** An account whose passkey is in a browser, which is signed out. */
const withPasskey = async (open: Open, name: string) => {
  const account = await member(name);
  const page = await openSecurity(open, account);
  const authenticator = await newAuthenticator(page);
  const codes = await addPasskey(page, 'Work laptop');
  await signOut(page);
  return { account, page, authenticator, codes };
};

/** The first step over plain HTTP, and what a passkey has to sign in the second. */
const begun = async (account: TestAccount) => {
  const visitor = newVisitor(LOCALHOST);
  assert.is((await visitor.signIn(account)).headers.get('location'), SECOND_STEP);
  const _csrf = await visitor.csrfToken(SECOND_STEP);
  const challenge = await visitor.send(`${SECOND_STEP}/passkey`, { _csrf });
  const options = (await challenge.json()) as {
    challenge: string;
    allowCredentials: readonly object[];
  };
  const show = (passkey: string) => visitor.send(SECOND_STEP, { _csrf, passkey });
  return { visitor, options, show };
};

/** Shows a passkey in a browser for a challenge that another session has. */
const signedBy = (page: Page, options: object): Promise<string> =>
  page.evaluate(async (optionsJSON) => {
    const library = Reflect.get(globalThis, 'SimpleWebAuthnBrowser');
    return JSON.stringify(await library.startAuthentication({ optionsJSON }));
  }, options);

/** Makes a passkey in a browser for a challenge that another session has. */
const madeBy = (page: Page, options: object): Promise<string> =>
  page.evaluate(async (optionsJSON) => {
    const library = Reflect.get(globalThis, 'SimpleWebAuthnBrowser');
    return JSON.stringify(await library.startRegistration({ optionsJSON }));
  }, options);

const openKeyRing = async (): Promise<Page> => {
  const context = await pages.browser.newContext(LOCALHOST);
  await signInWithoutPage(context, await member('key-ring'));
  const page = await context.newPage();
  await page.goto(SECURITY);
  await newAuthenticator(page);
  return page;
};

let keyRing: Promise<Page> | null = null;
/** One browser with an authenticator for the rows in which sessions show their passkeys without pages. */
const openedKeyRing = (): Promise<Page> => {
  keyRing ??= openKeyRing();
  return keyRing;
};

/** Someone who has signed in, and what adds a passkey of theirs. */
const registering = async (account: TestAccount) => {
  const visitor = await signInVisitor(LOCALHOST, account);
  const _csrf = await visitor.csrfToken(SECURITY);
  const send = async (path: string, passkey: string): Promise<string> =>
    (await visitor.send(`${SECURITY}/passkeys${path}`, { _csrf, passkey })).text();
  const made = async (more: object = {}): Promise<string> =>
    madeBy(await openedKeyRing(), { ...JSON.parse(await send('/challenge', '')), ...more });
  return { visitor, send, made };
};

/** An account whose passkey is on the key ring. */
const withKeptPasskey = async (name: string) => {
  const account = await member(name);
  const { visitor, send, made } = await registering(account);
  const html = await send('', await made());
  const [, codes = ''] = /id="recovery-codes"[^>]*>([^<]+)</.exec(html) ?? [];
  assert.ok(codes, html);
  return { account, visitor, page: await openedKeyRing(), codes: codes.trim().split(/\s+/) };
};

const isIn = async (visitor: TestVisitor): Promise<boolean> =>
  (await visitor.send('/registry')).status === 200;

pages.browserTest('a passkey is added, and asked for at the next sign-in', async ({ open }) => {
  const account = await member('first');
  const page = await openSecurity(open, account);
  const authenticator = await newAuthenticator(page);
  assert.equal(await looksOf(page, SECURITY, 'passkeys-none'), []);
  const codes = await addPasskey(page, 'Work laptop');
  assert.is(codes.length, 10);
  assert.is(await authenticator.count(), 1);
  await page.getByRole('link', { name: 'I’ve saved these codes' }).click();
  await page
    .getByRole('row', { name: 'Work laptop' })
    .getByRole('cell', { name: 'Never', exact: true })
    .waitFor();
  assert.match(await codesLeft(page), '10 recovery codes');
  assert.equal(await factorsOf(account), ['passkey']);
  assert.equal(await looksOf(page, SECURITY, 'passkeys-one'), []);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in$/);
  await signInHere(page, account);
  await page.waitForURL(/\/sign-in\/code$/);
  assert.equal(await looksOf(page, SECOND_STEP, 'sign-in-passkey'), []);
  await usePasskey(page);
  await page.waitForURL(/\/registry$/);
  await page.goto(SECURITY);
  assert.is(await page.getByRole('cell', { name: 'Never', exact: true }).count(), 0);
});

pages.browserTest(
  'several passkeys have names and are removed one by one; recovery codes go with the last',
  async ({ open }) => {
    const account = await member('several');
    const page = await openSecurity(open, account);
    await newAuthenticator(page);
    const [code = ''] = await addPasskey(page, 'Work laptop');
    await page.goto(SECURITY);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('This device already has a passkey for your account').waitFor();
    await newAuthenticator(page, 'usb');
    assert.equal(await addPasskey(page), []);
    assert.match(await findMessage(page, 'passkey-added').innerText(), '“Passkey 2”');
    assert.match(await mainOf(page), 'Work laptop');
    assert.match(await codesLeft(page), '10 recovery codes');
    const recoveryCodes = page.getByRole('heading', { name: 'Recovery codes', exact: true });
    assert.is(await recoveryCodes.count(), 1);
    const EFFECTS = {
      'other-factors': 'Your other ways to sign in and your recovery codes keep working.',
      'password-alone': 'After that, your password alone will sign you in.',
    };
    const remove = async (name: string, effects: keyof typeof EFFECTS): Promise<void> => {
      const row = page.getByRole('row').filter({ hasText: name });
      await row.getByRole('button', { name: 'Remove' }).click();
      assert.match(await findMessage(page, effects).innerText(), EFFECTS[effects]);
      await page.getByRole('button', { name: 'Remove passkey' }).click();
      await page.waitForURL(/\/account\/security$/);
    };
    await remove('Work laptop', 'other-factors');
    assert.is(await page.getByRole('row', { name: 'Passkey 2' }).count(), 1);
    assert.match(await codesLeft(page), '10 recovery codes');
    await remove('Passkey 2', 'password-alone');
    assert.equal(await factorsOf(account), []);
    assert.is(await recoveryCodes.count(), 0);
    const [, _csrf = ''] = /name="_csrf" value="([^"]+)"/.exec(await page.content()) ?? [];
    const shown = await page
      .context()
      .request.post(`${SECURITY}/confirm`, { form: { _csrf, code } });
    assert.is(shown.status(), 422, 'a recovery code of before');
    await signOut(page);
    await signInWithoutPage(page.context(), account);
    await page.goto('/registry');
    await page.waitForURL(/\/registry$/);
  },
);

pages.browserTest(
  'who has lost the passkey signs in with a recovery code, and adds another one',
  async ({ open }) => {
    const { account, page, authenticator, codes } = await withPasskey(open, 'lost');
    await authenticator.lose();
    await showPassword(page, account);
    await typeCode(page, codes[2]);
    await page.waitForURL(/\/registry$/);
    await page.goto(SECURITY);
    await newAuthenticator(page);
    await addPasskey(page, 'New phone');
    assert.is(await page.getByRole('row', { name: 'New phone' }).count(), 1);
    assert.match(await codesLeft(page), '9 recovery codes');
    await signOut(page);
    await showPassword(page, account);
    await typeCode(page, codes[2]);
    assert.equal(await errorIdsOf(page), ['wrong-code']);
    await usePasskey(page);
    await page.waitForURL(/\/registry$/);
  },
);

test('who has lost everything gets a new password of an Admin, and every passkey is off', async () => {
  const { account } = await withKeptPasskey('everything');
  const { oneTimePassword } = await pages.service.commands.members.givePassword(
    practiceId,
    account.id,
  );
  assert.equal(await factorsOf(account), []);
  const again = newVisitor(LOCALHOST);
  const answer = await again.signIn(account, oneTimePassword);
  assert.is(answer.headers.get('location'), '/account/password');
});

test('an answer is good once, for its own session, its own account and this address', async () => {
  const { account, page } = await withKeptPasskey('attacked');
  const own = await begun(account);
  const sent = await signedBy(page, own.options);
  const elsewhere = await begun(account);
  assert.is((await elsewhere.show(sent)).status, 422, 'of another session');

  // The same browser sends it twice at once.
  const answers = await Promise.all([own.show(sent), own.show(sent)]);
  const led = answers.filter((answer) => answer.headers.get('location') === '/registry');
  assert.is(led.length, 1);

  // Whose passkey it is decides, not who has signed in.
  const other = await begun((await withKeptPasskey('other')).account);
  const theirs = await begun(account);
  const { allowCredentials } = other.options;
  const foreign = await signedBy(page, { ...theirs.options, allowCredentials });
  assert.match(await (await theirs.show(foreign)).text(), 'data-error="wrong-passkey"');
  assert.not(await isIn(theirs.visitor));

  const changed = await begun(account);
  const right = JSON.parse(await signedBy(page, changed.options));
  right.response.signature = right.response.signature.replace(/^.{8}/, 'AAAAAAAA');
  assert.is((await changed.show(JSON.stringify(right))).status, 422, 'another signature');
  const again = await begun(account);
  assert.is((await again.show('{}')).status, 422, 'no passkey at all');

  const good = await begun(account);
  const shown = await good.show(await signedBy(page, good.options));
  assert.is(shown.status, 303);
  assert.ok(await isIn(good.visitor));
});

pages.browserTest(
  'an answer that was made at another address of the same machine is refused',
  async ({ open }) => {
    const { account, page } = await withPasskey(open, 'address');
    const server = createServer((_req, res) => {
      res.setHeader('Content-Type', 'text/html').end('<h1>Something else</h1>');
    }).listen(0);
    // A test that fails does not wait for it.
    server.unref();
    const { port } = server.address() as AddressInfo;
    await page.goto(`${LOCALHOST}/sign-in`);
    const script = await (await fetch(await scriptOf(account))).text();
    await page.goto(`http://localhost:${port}`);
    const { options, show, visitor } = await begun(account);
    await page.evaluate(script);
    assert.is((await show(await signedBy(page, options))).status, 422);
    assert.not(await isIn(visitor));
    server.close();
  },
);

/** Address of the browser's part of the library. */
const scriptOf = async (account: TestAccount): Promise<string> => {
  const { visitor } = await begun(account);
  const html = await (await visitor.send(SECOND_STEP)).text();
  return LOCALHOST + (/src="([^"]+simplewebauthn\.js)"/.exec(html)?.[1] ?? '');
};

test('five wrong passkeys stop for a while, and so do five wrong of both kinds', async () => {
  const { account, page } = await withKeptPasskey('guessed');
  for (let guess = 0; guess < 3; guess += 1)
    assert.is((await (await begun(account)).show('{}')).status, 422);
  for (let guess = 0; guess < 2; guess += 1) {
    const { visitor } = await begun(account);
    const _csrf = await visitor.csrfToken(SECOND_STEP);
    assert.is((await visitor.send(SECOND_STEP, { _csrf, code: '000000' })).status, 422);
  }
  const { options, show } = await begun(account);
  const answer = await show(await signedBy(page, options));
  assert.match(await answer.text(), '<h1>Too many attempts</h1>');
});

pages.browserTest(
  'a passkey that counts fewer uses than before is refused, and noted',
  async ({ open }) => {
    const { account, page, authenticator, codes } = await withPasskey(open, 'copied');
    for (let use = 0; use < 2; use += 1) {
      await showPassword(page, account);
      await usePasskey(page);
      await page.waitForURL(/\/registry$/);
      await signOut(page);
    }
    await authenticator.setBack();
    await showPassword(page, account);
    await usePasskey(page);
    assert.equal(await errorIdsOf(page), ['copied-passkey']);
    await typeCode(page, codes[0]);
    await page.waitForURL(/\/registry$/);
    await eventually('the access log tells of it', async () => {
      await page.goto('/registry/access-log?kind=sign-ins');
      return (await mainOf(page)).includes(describeCopiedPasskey(account.email));
    });
    const log = await mainOf(page);
    const { 'passkey-added': added } = FACTOR_CHANGES;
    for (const words of [added, describeSignIn(['passkey']), describeSignIn(['recovery-code'])])
      assert.match(log, words);
  },
);

test('a challenge that the browser was given before the password changed opens nothing', async () => {
  const { account, page } = await withKeptPasskey('changed');
  const first = await begun(account);
  await first.show(await signedBy(page, first.options));
  const half = await begun(account);
  const sent = await signedBy(page, half.options);
  const chosen = 'another long synthetic passphrase';
  const changed = await submit(
    first.visitor,
    '/account/password',
    { old: PASSWORD, new: chosen, repeated: chosen },
    'action="/account/password"',
  );
  assert.is(changed.headers.get('location'), '/registry');
  assert.is((await half.show(sent)).status, 422);
  assert.not(await isIn(half.visitor));
});

pages.browserTest('a key is minted once the passkey was shown lately', async ({ open }) => {
  const account = await member('minting');
  const page = await openSecurity(open, account);
  const context = page.context();
  const early = await context.cookies();
  await context.clearCookies();
  await signInWithoutPage(context, account);
  await page.goto(SECURITY);
  await newAuthenticator(page);
  await addPasskey(page);
  // The session from before the passkey: none was shown in it.
  await context.clearCookies();
  await context.addCookies(early);
  await page.goto('/registry/integrations');
  await page.getByLabel('Name').first().fill('Stepped up');
  await page.getByRole('button', { name: 'Mint key' }).click();
  await findMessage(page, 'factor-again').waitFor();
  assert.equal(await looksOf(page, `${SECURITY}/confirm`, 'confirm-passkey'), []);
  await usePasskey(page);
  // The form goes on with all that was typed.
  await page.locator('#minted-token').waitFor();
  assert.match(await mainOf(page), /rgk_/);
  await page.goto('/registry/integrations');
  assert.match(await mainOf(page), 'Stepped up');
});

test('one more passkey, and an app, want the factor first', async () => {
  const account = await member('one-more');
  const early = await signInVisitor(LOCALHOST, account);
  const { send, made } = await registering(account);
  await send('', await made());
  const _csrf = await early.csrfToken(SECURITY);
  for (const path of ['/passkeys/challenge', '/passkeys', '/app', '/codes']) {
    const answer = await early.send(`${SECURITY}${path}`, { _csrf });
    assert.match(await answer.text(), 'data-message="factor-again"', path);
  }
  const id = /passkeys\/([0-9a-f-]{36})\/remove/.exec(
    await (await early.send(SECURITY)).text(),
  )?.[1];
  const remove = await early.send(`${SECURITY}/passkeys/${id}/remove`, { _csrf });
  assert.match(await remove.text(), 'data-message="factor-again"');
  assert.equal(await factorsOf(account), ['passkey']);
});

test('an attestation with a certificate, and an answer to an old challenge, add nothing', async () => {
  const account = await member('registering');
  const { send, made } = await registering(account);
  const notMade = 'data-error="passkey-not-made"';
  const late = 'data-error="late-passkey"';
  assert.match(await send('', await made({ attestation: 'direct' })), notMade);
  const old = await made();
  await send('/challenge', '');
  assert.match(await send('', old), notMade);
  assert.match(await send('', old), late);
  assert.equal(await factorsOf(account), []);
  assert.match(await send('', await made()), /id="recovery-codes"/);
  assert.equal(await factorsOf(account), ['passkey']);
});

pages.browserTest(
  'without script a recovery code is typed, and adding a passkey says what is missing',
  async ({ open }) => {
    const { account, codes } = await withKeptPasskey('no-script');
    const plain = await open(account, {
      baseURL: LOCALHOST,
      javaScriptEnabled: false,
      newSession: true,
    });
    assert.ok(await findMessage(plain, 'no-script').isVisible());
    assert.not(await plain.getByRole('button', { name: 'Use your passkey' }).isVisible());
    await typeCode(plain, codes[1]);
    await plain.waitForURL(/\/registry$/);
    await plain.goto(SECURITY);
    await plain.getByRole('button', { name: 'Add a passkey' }).click();
    assert.equal(await errorIdsOf(plain), ['no-passkey']);
  },
);

test('at an address that is a number the page says where passkeys work', async () => {
  const { account, codes } = await withKeptPasskey('number');
  const tab = await pages.visit(account, { newSession: true });
  const link = tab.getByRole('link', { name: `${LOCALHOST}/sign-in` });
  assert.is(await link.getAttribute('href'), `${LOCALHOST}/sign-in`);
  assert.is(await tab.getByRole('button', { name: 'Use your passkey' }).count(), 0);
  assert.equal(await faultsOf(tab, 'sign-in-passkey-at-number'), []);
  await typeCode(tab, codes[4]);
  await tab.waitForURL(/\/registry$/);
  await tab.goto(SECURITY);
  await findMessage(tab, 'numeric-address').waitFor();
  assert.is(await tab.getByRole('button', { name: 'Add a passkey' }).count(), 0);
});

test.run();
