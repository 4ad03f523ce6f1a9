import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  crossSiteForm,
  formOfAnotherUser,
  formOverLimit,
  pageNotFound,
  unreadableForm,
} from '../../api/web/page-problem.ts';
import {
  newVisitor,
  PASSWORD,
  sharedTestPages,
  signInVisitor,
  type TestVisitor,
} from '../harness/pages.ts';
import { sendBirth } from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

const signedIn = async (): Promise<TestVisitor> => {
  const visitor = await signInVisitor(pages.service.url, pages.members.Admin);
  return visitor;
};

const isStillSignedIn = async (visitor: TestVisitor) =>
  (await visitor.send('/registry')).status === 200;

test('a form without a token, or with that of another account, is refused', async () => {
  const visitor = await signedIn();
  const other = await signInVisitor(pages.service.url, pages.members.Provider);
  const foreign = await other.csrfToken('/registry');
  const rows = [
    [{}, crossSiteForm()],
    [{ _csrf: '' }, crossSiteForm()],
    [{ _csrf: foreign }, formOfAnotherUser()],
  ] as const;
  for (const [fields, { status, heading }] of rows) {
    const answer = await visitor.send('/sign-out', fields);
    assert.is(answer.status, status);
    assert.match(await answer.text(), heading);
  }
  assert.ok(await isStillSignedIn(visitor));
});

test('a session that has shown no form yet takes none either', async () => {
  const visitor = await signedIn(); // the answer to a sign-in is a redirect: no form
  assert.is((await visitor.send('/sign-out', {})).status, 403);
});

test('a form from another site is refused, whatever token it holds', async () => {
  const visitor = await signedIn();
  const _csrf = await visitor.csrfToken('/registry');
  const { url } = pages.service;
  const rows: readonly Readonly<Record<string, string>>[] = [
    { Origin: 'https://elsewhere.example' },
    { Origin: 'null' },
    { Origin: 'no address' },
    { Origin: `${url}.elsewhere.example` },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site', Origin: url },
  ];
  for (const headers of rows)
    assert.is((await visitor.send('/sign-out', { _csrf }, headers)).status, 403);
  assert.ok(await isStillSignedIn(visitor));
  const own = { Origin: url, 'Sec-Fetch-Site': 'same-origin' };
  assert.is((await visitor.send('/sign-out', { _csrf }, own)).status, 303);
});

test('nobody can be signed in from another site, or without the token', async () => {
  const fields = { email: pages.members.Viewer.email, password: PASSWORD };
  const blank = newVisitor(pages.service.url);
  for (const path of ['/sign-in', '/sign-in/', '/sign-in?next=%2Fregistry'])
    assert.is((await blank.send(path, fields)).status, 403);
  const visitor = newVisitor(pages.service.url);
  const _csrf = await visitor.csrfToken('/sign-in');
  const headers = { Origin: 'https://elsewhere.example' };
  assert.is((await visitor.send('/sign-in', { ...fields, _csrf }, headers)).status, 403);
});

test('a form with files is taken only where files are asked for', async () => {
  const visitor = await signedIn();
  const body = new FormData();
  body.set('_csrf', await visitor.csrfToken('/registry'));
  const answer = await fetch(`${pages.service.url}/sign-out`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { Cookie: visitor.cookie() },
  });
  assert.is(answer.status, 403);
  assert.ok(await isStillSignedIn(visitor));
});

test('who has not signed in sends short forms only', async () => {
  const typed = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`text${index}`, 'x'.repeat(10_000)]),
  );
  const stranger = await newVisitor(pages.service.url).send('/sign-in', typed);
  assert.is(stranger.status, 413);
  const visitor = await signedIn();
  const known = await visitor.send('/sign-out', { ...typed, _csrf: 'x' });
  assert.is(known.status, 403);
});

test('a form that is too large, or no form, is a page too', async () => {
  const visitor = await signedIn();
  const large = await visitor.send('/sign-out', { _csrf: 'x'.repeat(2_000_000) });
  assert.is(large.status, 413);
  const strange = await visitor.send(
    '/sign-out',
    { a: 'b' },
    { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-7' },
  );
  assert.is(strange.status, 400);
  for (const answer of [large, strange]) {
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(await answer.text(), unreadableForm(400).heading);
  }
});

test('a refused form shows the message of the form before it, which links to a record', async () => {
  const visitor = await signedIn();
  const _csrf = await visitor.csrfToken('/registry');
  const long = { _csrf, reason: 'x'.repeat(30_000) };
  for (const [chartNumber, fields, status] of [
    ['REFUSED-1', long, 413],
    ['REFUSED-2', { reason: 'No token' }, 403],
  ] as const) {
    const id = await sendBirth(pages, birthBundle({ chartNumber }));
    const path = `/registry/records/${id}/void`;
    const voiding = { _csrf, version: '1', seen: '1', reason: 'Entered twice' };
    assert.is((await visitor.send(path, voiding)).status, 303);
    const refused = await visitor.send(path, fields);
    assert.is(refused.status, status);
    assert.match(await refused.text(), `/registry/records/${id}`);
  }
});

test('a form with a longer list than its page is refused with the limit, not shown again', async () => {
  const visitor = await signedIn();
  const sent = (count: number, name: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [name + index, 'x']));
  const children = Object.fromEntries(
    Object.keys(sent(999, '')).map((index) => [`children.${index}.given_names`, 'x']),
  );
  for (const [fields, says] of [
    [children, formOverLimit('children', 999, 20)],
    [sent(2_001, 'x'), formOverLimit('fields', null, 2_000)],
  ] as const) {
    const answer = await visitor.send('/registry/records/new', fields);
    assert.is(answer.status, 413);
    const html = await answer.text();
    assert.match(html, says.text);
    assert.ok(html.length < 100_000, `${html.length} characters`);
  }
});

test('a page says to browsers what it does not need', async () => {
  const member = await signedIn();
  for (const path of ['/sign-in', '/registry', '/registry/nowhere', '/staff', '/']) {
    const visitor = path === '/sign-in' ? newVisitor(pages.service.url) : member;
    const { headers } = await visitor.send(path);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'self'/);
    assert.not.match(policy, /unsafe/);
    for (const part of ["form-action 'self'", "frame-ancestors 'none'", "object-src 'none'"])
      assert.ok(policy.includes(part), part);
    assert.ok(policy.includes("base-uri 'none'"));
    assert.is(headers.get('cache-control'), 'no-store');
    assert.is(headers.get('referrer-policy'), 'same-origin');
    assert.is(headers.get('x-content-type-options'), 'nosniff');
    assert.is(headers.get('x-powered-by'), null);
    assert.is(headers.get('access-control-allow-origin'), null);
    if (headers.get('location') === null)
      assert.is(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.is(headers.get('strict-transport-security'), null);
  }
});

test('errors are pages of one voice, without what was sent', async () => {
  const visitor = await signedIn();
  const missing = await visitor.send('/registry/records/Marin-Rosa/none');
  assert.is(missing.status, 404);
  const html = await missing.text();
  assert.match(html, `<h1>${pageNotFound().heading}</h1>`);
  assert.not.match(html, 'Marin');
  const malformed = await visitor.send('/registry/%E0%A4%A');
  assert.ok([400, 404].includes(malformed.status));
  assert.match(malformed.headers.get('content-type') ?? '', /^text\/html/);
});

test('outside the pages an unknown address keeps the answer of the interface', async () => {
  const answer = await fetch(`${pages.service.url}/nowhere`);
  assert.is(answer.status, 404);
  assert.match(answer.headers.get('content-type') ?? '', /application\/fhir\+json/);
});

test('style, script, fonts and marks are served for a year; nothing else of the packages', async () => {
  const html = await (await newVisitor(pages.service.url).send('/sign-in')).text();
  const addresses = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(
    ([, found]) => found,
  );
  assert.ok(addresses.length >= 4);
  const style = addresses.find((address) => address?.includes('uswds')) ?? '';
  const css = await (await fetch(`${pages.service.url}${style}`)).text();
  const folder = style.slice(0, style.lastIndexOf('/css/'));
  const named = [...css.matchAll(/url\("?\.\.(\/[\w/.-]+)/g)].map(([, path]) => `${folder}${path}`);
  assert.ok(named.length > 30);
  for (const address of [...addresses, ...named]) {
    const answer = await fetch(`${pages.service.url}${address}`);
    assert.is(answer.status, 200, address);
    assert.match(answer.headers.get('cache-control') ?? '', /max-age=31536000, immutable/);
    assert.equal(answer.headers.getSetCookie(), []);
    await answer.arrayBuffer();
  }
  for (const path of [
    '/js/uswds.min.js',
    '/css/../../package.json',
    '/css/%2e%2e%2f%2e%2e%2fpackage.json',
  ])
    assert.is((await fetch(`${pages.service.url}${folder}${path}`)).status, 404, path);
});

test.run();
