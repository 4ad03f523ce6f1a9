import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { consoleOf, faultsOf } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import {
  newMember,
  newVisitor,
  PASSWORD,
  sharedTestPages,
  signInWithoutPage,
  type TestAccount,
  type TestVisitor,
} from '../harness/pages.ts';
import { newAuthenticator } from '../support/authenticator.ts';

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

/** A browser of its own at an address that passkeys work at. */
const openAs = async (account: TestAccount): Promise<Page> => {
  const context = await pages.browser.newContext(LOCALHOST);
  const page = await context.newPage();
  await page.goto(await signInWithoutPage(context, account));
  return page;
};

/** Looks at a page in another tab: what looks at it would take the authenticator away. */
const looksOf = async (page: Page, path: string, name: string): Promise<readonly string[]> => {
  const tab = await page.context().newPage();
  await tab.goto(path);
  const faults = await faultsOf(tab, name);
  await tab.close();
  return faults;
};

const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in$/);
};

const showPassword = async (page: Page, account: TestAccount): Promise<void> => {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/sign-in\/code$/);
};

const usePasskey = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Use your passkey' }).click();

const typeCode = async (page: Page, code: string | undefined): Promise<void> => {
  await page.getByLabel('Code').fill(code ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
};

/** Adds a passkey on the page of one's security. @returns the recovery codes, if it was the first factor */
const addPasskey = async (page: Page, name = ''): Promise<readonly string[]> => {
  await page.goto(SECURITY);
  await page.getByLabel('Name of the passkey').fill(name);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.waitForSelector('#recovery-codes, .notice--success');
  const codes = page.locator('#recovery-codes');
  return (await codes.count()) === 0 ? [] : (await codes.innerText()).trim().split('\n');
};

/** An account whose passkey is in a browser, which is signed out. */
const withPasskey = async (name: string) => {
  const account = await member(name);
  const page = await openAs(account);
  const authenticator = await newAuthenticator(page);
  const codes = await addPasskey(page, 'Work laptop');
  await signOut(page);
  return { account, page, authenticator, codes };
};

const mainOf = (page: Page): Promise<string> => page.locator('main').innerText();
const errorsOf = (page: Page): Promise<string> => page.locator('[data-error-summary]').innerText();

/** What a browser would send with its passkey in the second step, held back. */
const heldBack = async (page: Page): Promise<string> => {
  const held = new Promise<string>((resolve) => {
    void page.route(`**${SECOND_STEP}`, async (route) => {
      const fields = new URLSearchParams(route.request().postData() ?? '');
      await route.abort();
      resolve(fields.get('passkey') ?? '');
    });
  });
  await usePasskey(page);
  const sent = await held;
  await page.unroute(`**${SECOND_STEP}`);
  return sent;
};

/** The first step over plain HTTP, and what a passkey has to sign in the second. */
const begun = async (account: TestAccount) => {
  const visitor = newVisitor(LOCALHOST);
  assert.is((await visitor.signIn(account)).headers.get('location'), SECOND_STEP);
  const _csrf = await visitor.csrfToken(SECOND_STEP);
  const challenge = await visitor.send(`${SECOND_STEP}/passkey`, { _csrf });
  const options = (await challenge.json()) as { challenge: string };
  const show = (passkey: string) => visitor.send(SECOND_STEP, { _csrf, passkey });
  return { visitor, options, show };
};

/** Shows a passkey in a browser for a challenge that another session has. */
const signedBy = (page: Page, options: object): Promise<string> =>
  page.evaluate(async (optionsJSON) => {
    const library = Reflect.get(globalThis, 'SimpleWebAuthnBrowser');
    return JSON.stringify(await library.startAuthentication({ optionsJSON }));
  }, options);

const isIn = async (visitor: TestVisitor): Promise<boolean> =>
  (await visitor.send('/registry')).status === 200;

test('a passkey is added, and asked for at the next sign-in', async () => {
  const account = await member('first');
  const page = await openAs(account);
  const messages = consoleOf(page);
  const authenticator = await newAuthenticator(page);
  assert.equal(await looksOf(page, SECURITY, 'passkeys-none'), []);
  const codes = await addPasskey(page, 'Work laptop');
  assert.is(codes.length, 10);
  assert.is(await authenticator.count(), 1);
  await page.getByRole('link', { name: 'I’ve saved these codes' }).click();
  assert.match(await mainOf(page), /Work laptop[\s\S]*You have 10 recovery codes left/);
  assert.equal(await factorsOf(account), ['passkey']);
  assert.equal(await looksOf(page, SECURITY, 'passkeys-one'), []);
  await signOut(page);
  await showPassword(page, account);
  assert.equal(await looksOf(page, SECOND_STEP, 'sign-in-passkey'), []);
  await usePasskey(page);
  await page.waitForURL(/\/registry$/);
  await page.goto(SECURITY);
  assert.not.match(await mainOf(page), /Never/);
  assert.equal(messages, []);
  await page.context().close();
});

test('several passkeys have names and are removed one by one; recovery codes go with the last', async () => {
  const account = await member('several');
  const page = await openAs(account);
  await newAuthenticator(page);
  const [code = ''] = await addPasskey(page, 'Work laptop');
  await page.goto(SECURITY);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('This device already has a passkey for your account').waitFor();
  await newAuthenticator(page, 'usb');
  assert.equal(await addPasskey(page), []);
  assert.match(
    await mainOf(page),
    /“Passkey 2” was added[\s\S]*Work laptop[\s\S]*10 recovery codes/,
  );
  const remove = async (name: string, changes: RegExp): Promise<void> => {
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByRole('button', { name: 'Remove' }).click();
    assert.match(await mainOf(page), changes);
    await page.getByRole('button', { name: 'Remove passkey' }).click();
    await page.waitForURL(/\/account\/security$/);
  };
  await remove('Work laptop', /your recovery codes keep working/);
  assert.match(await mainOf(page), /Passkey 2[\s\S]*10 recovery codes/);
  await remove('Passkey 2', /your password alone opens your account/);
  assert.equal(await factorsOf(account), []);
  assert.not.match(await mainOf(page), /recovery code/);
  const [, _csrf = ''] = /name="_csrf" value="([^"]+)"/.exec(await page.content()) ?? [];
  const shown = await page.context().request.post(`${SECURITY}/confirm`, { form: { _csrf, code } });
  assert.is(shown.status(), 422, 'a recovery code of before');
  await signOut(page);
  await signInWithoutPage(page.context(), account);
  await page.goto('/registry');
  await page.waitForURL(/\/registry$/);
  await page.context().close();
});

test('who has lost the passkey signs in with a recovery code, and adds another one', async () => {
  const { account, page, authenticator, codes } = await withPasskey('lost');
  await authenticator.lose();
  await showPassword(page, account);
  await typeCode(page, codes[2]);
  await page.waitForURL(/\/registry$/);
  await newAuthenticator(page);
  await addPasskey(page, 'New phone');
  assert.match(await mainOf(page), /New phone[\s\S]*You have 9 recovery codes left/);
  await signOut(page);
  await showPassword(page, account);
  await typeCode(page, codes[2]);
  assert.match(await errorsOf(page), /is wrong or was used before/);
  await usePasskey(page);
  await page.waitForURL(/\/registry$/);
  await page.context().close();
});

test('who has lost everything gets a new password of an Admin, and every passkey is off', async () => {
  const { account, page } = await withPasskey('everything');
  const { oneTimePassword } = await pages.service.commands.members.givePassword(
    practiceId,
    account.id,
  );
  assert.equal(await factorsOf(account), []);
  const again = newVisitor(LOCALHOST);
  const answer = await again.signIn(account, oneTimePassword);
  assert.is(answer.headers.get('location'), '/account/password');
  await page.context().close();
});

test('an answer is good once, for its own session, its own account and this address', async () => {
  const { account, page } = await withPasskey('attacked');
  await showPassword(page, account);
  const sent = await heldBack(page);
  const elsewhere = await begun(account);
  assert.is((await elsewhere.show(sent)).status, 422, 'of another session');

  // The same browser sends it twice at once.
  const form = await (await page.context().request.get(SECOND_STEP)).text();
  const [, _csrf = ''] = /name="_csrf" value="([^"]+)"/.exec(form) ?? [];
  const post = () =>
    page.context().request.post(SECOND_STEP, { form: { _csrf, passkey: sent }, maxRedirects: 0 });
  const answers = await Promise.all([post(), post()]);
  const led = answers.filter((answer) => answer.headers()['location'] === '/registry');
  assert.is(led.length, 1);

  await page.goto(SECURITY);
  const other = await withPasskey('other');
  await signInWithoutPage(other.page.context(), await member('third'));
  await other.page.goto(SECURITY);
  const theirs = await begun(account);
  const { allowCredentials, ...ofAnybody } = theirs.options as never as Record<string, object>;
  assert.ok(allowCredentials);
  const foreign = await signedBy(other.page, ofAnybody);
  assert.match(await (await theirs.show(foreign)).text(), /does not belong to your account/);
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
  await page.context().close();
  await other.page.context().close();
});

test('an answer that was made at another address of the same machine is refused', async () => {
  const { account, page } = await withPasskey('address');
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
  await page.context().close();
});

/** Address of the browser's part of the library. */
const scriptOf = async (account: TestAccount): Promise<string> => {
  const { visitor } = await begun(account);
  const html = await (await visitor.send(SECOND_STEP)).text();
  return LOCALHOST + (/src="([^"]+simplewebauthn\.js)"/.exec(html)?.[1] ?? '');
};

test('five wrong passkeys stop for a while, and so do five wrong of both kinds', async () => {
  const { account, page } = await withPasskey('guessed');
  for (let guess = 0; guess < 3; guess += 1)
    assert.is((await (await begun(account)).show('{}')).status, 422);
  for (let guess = 0; guess < 2; guess += 1) {
    const { visitor } = await begun(account);
    const _csrf = await visitor.csrfToken(SECOND_STEP);
    assert.is((await visitor.send(SECOND_STEP, { _csrf, code: '000000' })).status, 422);
  }
  await showPassword(page, account);
  await usePasskey(page);
  await page.getByRole('heading', { name: 'Too many tries' }).waitFor();
  await page.context().close();
});

test('a passkey that counts fewer uses than before is refused, and noted', async () => {
  const { account, page, authenticator, codes } = await withPasskey('copied');
  for (let use = 0; use < 2; use += 1) {
    await showPassword(page, account);
    await usePasskey(page);
    await page.waitForURL(/\/registry$/);
    await signOut(page);
  }
  await authenticator.setBack();
  await showPassword(page, account);
  await usePasskey(page);
  assert.match(await errorsOf(page), /it may have been copied/);
  await typeCode(page, codes[0]);
  await page.waitForURL(/\/registry$/);
  await eventually('the access log tells of it', async () => {
    await page.goto('/registry/access-log?kind=sign-ins');
    return (await mainOf(page)).includes(
      `Used a passkey of ${account.email} that may be a copy, after the right password`,
    );
  });
  const log = await mainOf(page);
  for (const words of [/Added a passkey/, /Signed in \(passkey\)/, /Signed in \(recovery code\)/])
    assert.match(log, words);
  await page.context().close();
});

test('a challenge that the browser was given before the password changed opens nothing', async () => {
  const { account, page } = await withPasskey('changed');
  await showPassword(page, account);
  await usePasskey(page);
  await page.waitForURL(/\/registry$/);
  const half = await begun(account);
  await page.goto(SECURITY);
  const sent = await signedBy(page, half.options);
  await page.goto('/account/password');
  const chosen = 'another long synthetic passphrase';
  await page.getByLabel('Old password').fill(PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill(chosen);
  await page.getByLabel('New password once more').fill(chosen);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.waitForURL(/\/registry$/);
  assert.is((await half.show(sent)).status, 422);
  assert.not(await isIn(half.visitor));
  await page.context().close();
});

test('a key is minted once the passkey was shown lately', async () => {
  const account = await member('minting');
  const page = await openAs(account);
  const context = page.context();
  const early = await context.cookies();
  await context.clearCookies();
  await signInWithoutPage(context, account);
  await newAuthenticator(page);
  await addPasskey(page);
  // The session from before the passkey: none was shown in it.
  await context.clearCookies();
  await context.addCookies(early);
  await page.goto('/registry/integrations');
  await page.getByLabel('Name').first().fill('Stepped up');
  await page.getByRole('button', { name: 'Mint key' }).click();
  await page.getByText('Use your second factor again').waitFor();
  assert.equal(await looksOf(page, `${SECURITY}/confirm`, 'confirm-passkey'), []);
  await usePasskey(page);
  // The form goes on with all that was typed.
  await page.locator('#minted-token').waitFor();
  assert.match(await mainOf(page), /rgk_/);
  await page.goto('/registry/integrations');
  assert.match(await mainOf(page), /Stepped up/);
  await context.close();
});

test('one more passkey, and an app, want the factor first', async () => {
  const account = await member('one-more');
  const early = newVisitor(LOCALHOST);
  await early.signIn(account);
  const page = await openAs(account);
  await newAuthenticator(page);
  await addPasskey(page);
  const _csrf = await early.csrfToken(SECURITY);
  for (const path of ['/passkeys/challenge', '/passkeys', '/app', '/codes']) {
    const answer = await early.send(`${SECURITY}${path}`, { _csrf });
    assert.match(await answer.text(), /Nothing has changed yet/, path);
  }
  const id = /passkeys\/([0-9a-f-]{36})\/remove/.exec(
    await (await early.send(SECURITY)).text(),
  )?.[1];
  const remove = await early.send(`${SECURITY}/passkeys/${id}/remove`, { _csrf });
  assert.match(await remove.text(), /Nothing has changed yet/);
  assert.equal(await factorsOf(account), ['passkey']);
  await page.context().close();
});

test('an attestation with a certificate, and an answer to an old challenge, add nothing', async () => {
  const account = await member('registering');
  const page = await openAs(account);
  await newAuthenticator(page);
  await page.goto(SECURITY);
  const html = await page.content();
  const [, _csrf = ''] = /name="_csrf" value="([^"]+)"/.exec(html) ?? [];
  const send = async (path: string, passkey: string): Promise<string> => {
    const form = { _csrf, passkey };
    return (await page.context().request.post(`${SECURITY}/passkeys${path}`, { form })).text();
  };
  const made = async (more: object = {}): Promise<string> => {
    const asked = JSON.parse(await send('/challenge', ''));
    return page.evaluate(
      async (optionsJSON) => {
        const library = Reflect.get(globalThis, 'SimpleWebAuthnBrowser');
        return JSON.stringify(await library.startRegistration({ optionsJSON }));
      },
      { ...asked, ...more },
    );
  };
  assert.match(await send('', await made({ attestation: 'direct' })), /did not send a new passkey/);
  const old = await made();
  await send('/challenge', '');
  assert.match(await send('', old), /did not send a new passkey/);
  assert.match(await send('', old), /That took too long/);
  assert.equal(await factorsOf(account), []);
  assert.match(await send('', await made()), /id="recovery-codes"/);
  assert.equal(await factorsOf(account), ['passkey']);
  await page.context().close();
});

test('without script a recovery code is typed, and adding a passkey says what is missing', async () => {
  const { account, page, codes } = await withPasskey('no-script');
  const context = await pages.browser.newContext(LOCALHOST, 1280, { javaScriptEnabled: false });
  const plain = await context.newPage();
  await showPassword(plain, account);
  assert.match(await mainOf(plain), /Passkeys need a browser that runs scripts/);
  assert.not(await plain.getByRole('button', { name: 'Use your passkey' }).isVisible());
  await typeCode(plain, codes[1]);
  await plain.waitForURL(/\/registry$/);
  await plain.goto(SECURITY);
  await plain.getByRole('button', { name: 'Add a passkey' }).click();
  assert.match(await errorsOf(plain), /Your browser did not send a passkey/);
  await context.close();
  await page.context().close();
});

test('at an address that is a number the page says where passkeys work', async () => {
  const { account, page, codes } = await withPasskey('number');
  const context = await pages.browser.newContext(pages.service.url);
  const tab = await context.newPage();
  await showPassword(tab, account);
  const link = tab.getByRole('link', { name: `${LOCALHOST}/sign-in` });
  assert.is(await link.getAttribute('href'), `${LOCALHOST}/sign-in`);
  assert.is(await tab.getByRole('button', { name: 'Use your passkey' }).count(), 0);
  assert.equal(await faultsOf(tab, 'sign-in-passkey-at-number'), []);
  await typeCode(tab, codes[4]);
  await tab.waitForURL(/\/registry$/);
  await tab.goto(SECURITY);
  assert.match(await mainOf(tab), /Passkeys do not work at a numeric address/);
  assert.is(await tab.getByRole('button', { name: 'Add a passkey' }).count(), 0);
  await context.close();
  await page.context().close();
});

test.run();
