import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { formatWait } from '../../api/pages/text/format-times.ts';
import { WIDTHS } from '../harness/browser.ts';
import { faultsOf } from '../harness/gallery.ts';
import {
  newMember,
  newVisitor,
  PASSWORD,
  signInHere,
  signInVisitor,
  startTestPages,
} from '../harness/pages.ts';

const pages = await startTestPages();
test.after(() => pages.stop());

pages.scriptTest(
  'signing in and out by keyboard only, with the same page as aim',
  { as: 'visitor', at: '/registry' },
  async ({ page }) => {
    assert.is(page.url(), `${pages.service.url}/sign-in?next=%2Fregistry`);
    assert.equal(await faultsOf(page, 'sign-in'), []);

    await page.keyboard.press('Tab');
    assert.is(await page.locator(':focus').innerText(), 'Skip to main content');
    await page.keyboard.press('Tab'); // the product's name
    await page.keyboard.press('Tab');
    await page.keyboard.type('viewer@cedar.example');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/registry');
    assert.is(await page.locator('h1').innerText(), 'Home');

    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter'); // skip to main content
    assert.is(await page.locator(':focus').getAttribute('id'), 'main-content');
    await page.getByRole('button', { name: 'Sign out' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sign-in');
    await page.goBack();
    await page.reload();
    assert.match(page.url(), /\/sign-in/);
  },
);

const ON_A_PHONE = { as: 'Provider', width: WIDTHS.phone, javaScriptEnabled: false } as const;

pages.scriptTest('the menu of a phone opens without script', ON_A_PHONE, async ({ page }) => {
  const menu = page.locator('.rail-menu');
  assert.not.ok(await menu.getByRole('link', { name: 'Records' }).isVisible());
  await menu.locator('summary').click();
  assert.ok(await menu.getByRole('link', { name: 'Records' }).isVisible());
  assert.is(await menu.getByRole('link', { name: 'Members' }).count(), 0);
});

const AT_SIGN_IN = { as: 'visitor', at: '/sign-in' } as const;

pages.scriptTest(
  'a wrong password and an unknown account get the same answer',
  AT_SIGN_IN,
  async ({ page }) => {
    const texts: string[] = [];
    for (const email of ['viewer@cedar.example', 'nobody@cedar.example']) {
      const response = await newVisitor(pages.service.url).signIn(
        { id: '', email },
        'not the password',
      );
      assert.is(response.status, 401);
      texts.push(
        (await response.text()).replaceAll(email, '').replaceAll(/_csrf" value="[\w-]+"/g, ''),
      );
    }
    assert.is(texts[0], texts[1]);

    await signInHere(page, { email: 'nobody@cedar.example' }, 'not the password');
    await page.locator('[data-error-summary]').waitFor();
    assert.ok(
      await page
        .locator('[data-error-summary]')
        .evaluate((node) => node === document.activeElement),
    );
    assert.equal(await faultsOf(page, 'sign-in-wrong'), []);
    assert.is(await page.getByLabel('Email').inputValue(), 'nobody@cedar.example');
    assert.is(await page.getByLabel('Password').inputValue(), '');
  },
);

test('the account is found however its email is typed', async () => {
  const visitor = newVisitor(pages.service.url);
  const answer = await visitor.signIn({ id: '', email: '  Admin@Cedar.Example ' });
  assert.is(answer.status, 303);
  assert.is(answer.headers.get('location'), '/registry');
});

pages.scriptTest(
  'passwords are masked, and a password manager may fill or paste them',
  AT_SIGN_IN,
  async ({ page, open }) => {
    const member = await open('Viewer', { at: '/account/password' });
    const found: string[] = [];
    for (const field of [
      ...(await page.locator('[autocomplete$="password"]').all()),
      ...(await member.locator('[autocomplete$="password"]').all()),
    ]) {
      found.push((await field.getAttribute('name')) ?? '');
      assert.is(await field.getAttribute('type'), 'password');
      const isPasted = await field.evaluate((element) =>
        element.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true })),
      );
      assert.ok(isPasted, 'a script keeps it from being pasted');
    }
    assert.equal(found, ['password', 'old', 'new', 'repeated']);
  },
);

test('empty fields are named, and count as no try', async () => {
  const visitor = newVisitor(pages.service.url);
  const _csrf = await visitor.csrfToken('/sign-in');
  const answer = await visitor.send('/sign-in', { _csrf, email: ' ', password: '' });
  assert.is(answer.status, 422);
  const html = await answer.text();
  for (const id of ['no-email', 'no-password']) assert.match(html, `data-error="${id}"`);
});

test('next= leads only to pages of our own', async () => {
  const rows: readonly [string, string][] = [
    ['/registry/records?state=live', '/registry/records?state=live'],
    ['https://elsewhere.example/registry', '/registry'],
    ['//elsewhere.example/registry', '/registry'],
    ['/\\elsewhere.example/registry', '/registry'],
    ['/registry\\..\\..', '/registry'],
    ['/registry/\n/elsewhere.example', '/registry'],
    ['/registry/../sign-out', '/registry'],
    ['javascript:alert(1)', '/registry'],
    ['registry', '/registry'],
    ['/health/ready', '/registry'],
  ];
  for (const [next, expected] of rows) {
    const visitor = newVisitor(pages.service.url);
    const _csrf = await visitor.csrfToken(`/sign-in?next=${encodeURIComponent(next)}`);
    const answer = await visitor.send('/sign-in', {
      _csrf,
      next,
      email: pages.members.Viewer.email,
      password: PASSWORD,
    });
    assert.is(answer.headers.get('location'), expected, next);
  }
});

test('the address / leads to the sign-in, or home', async () => {
  const visitor = newVisitor(pages.service.url);
  assert.is((await visitor.send('/')).headers.get('location'), '/sign-in');
  await visitor.signIn(pages.staff);
  assert.is((await visitor.send('/')).headers.get('location'), '/staff');
  assert.is((await visitor.send('/sign-in')).headers.get('location'), '/staff');
});

test('signing out leaves no cookie, and no page in the cache of the browser', async () => {
  const visitor = await signInVisitor(pages.service.url, pages.members.Viewer);
  const answer = await visitor.send('/sign-out', { _csrf: await visitor.csrfToken('/registry') });
  assert.is(answer.status, 303);
  assert.is(answer.headers.get('clear-site-data'), '"cache"');
  const [cookie = '', ...others] = answer.headers.getSetCookie();
  assert.equal(others, []);
  const [pair, ...attributes] = cookie.split('; ');
  assert.is(pair, 'registry=');
  assert.equal(attributes.sort(), [
    'Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    'HttpOnly',
    'Path=/',
    'SameSite=Lax',
  ]);
});

test('an address that there is not is a page for a browser, and an outcome for a program', async () => {
  const visitor = newVisitor(pages.service.url);
  for (const path of ['/nowhere', '/api/nowhere', '/favicon.png'])
    for (const [accept, status, type] of [
      ['text/html,application/xhtml+xml,*/*;q=0.8', 404, 'text/html; charset=utf-8'],
      ['*/*', 404, 'application/fhir+json; charset=utf-8'],
      ['application/json', 404, 'application/fhir+json; charset=utf-8'],
    ] as const) {
      const answer = await visitor.send(path, undefined, { Accept: accept });
      assert.equal([answer.status, answer.headers.get('content-type')], [status, type], path);
    }
});

test('after ten tries an account waits, with the right password too; others do not', async () => {
  const { practiceId } = pages.practice;
  const tried = await newMember(pages.service, practiceId, 'Viewer', 'tried@cedar.example');
  const other = await newMember(pages.service, practiceId, 'Viewer', 'other@cedar.example');
  const visitor = newVisitor(pages.service.url);
  assert.is((await visitor.signIn(tried)).status, 303); // its owner's sign-in does not count
  await visitor.send('/sign-out', { _csrf: await visitor.csrfToken('/registry') });
  for (let n = 0; n < 10; n += 1)
    assert.is((await visitor.signIn(tried, 'not the password')).status, 401);
  const refused = await visitor.signIn(tried);
  assert.is(refused.status, 429);
  const waitSeconds = Number(refused.headers.get('retry-after'));
  assert.ok(waitSeconds > 60 && waitSeconds <= 15 * 60, `${waitSeconds} s`);
  const [, wait = ''] = /data-message="wait">([^<]*)</.exec(await refused.text()) ?? [];
  assert.match(wait, `Wait ${formatWait(waitSeconds * 1_000)}, then`);
  assert.is((await visitor.signIn(other)).status, 303);
});

// Never the same day in both, so that one of them is not that of the server.
for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago'])
  test(`the date of failed tries is that of the practice, in ${timeZone}`, async () => {
    const { commands, url } = pages.service;
    const practiceId = await commands.practices.create({
      name: 'Palm Birth Center',
      sandbox: true,
      beta: false,
    });
    await commands.practices.set(practiceId, { timeZone, sandbox: null, beta: null });
    const email = `${timeZone.toLowerCase().replace('/', '.')}@palm.example`;
    const account = await newMember(pages.service, practiceId, 'Viewer', email);
    const dayNow = () =>
      new Date().toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone });
    const visitor = newVisitor(url);
    const days = [dayNow()];
    await visitor.signIn(account, 'not the password');
    days.push(dayNow());
    assert.is((await visitor.signIn(account)).status, 303);
    const home = await (await visitor.send('/registry')).text();
    const [, tries = ''] = /data-message="wrong-passwords">(.*?)<\/p>/s.exec(home) ?? [];
    assert.match(tries, 'There was 1 attempt ');
    assert.ok(days.some((day) => tries.includes(`since ${day}.`)));
  });

test.run();
