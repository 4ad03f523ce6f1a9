import { sql } from 'kysely';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CONFIRM_AT_PROVIDER } from '../../api/pages/second-factor/step-up.tsx';
import {
  NOT_CONFIRMED,
  SOMEBODY_ELSE,
  signInRefused,
} from '../../api/single-sign-on/sign-in-refused.ts';
import { TOO_MANY_TITLE } from '../../api/web/page-problem.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import { ageSessions, newVisitor, PASSWORD } from '../harness/pages.ts';
import { findMessage } from '../harness/test-page.ts';
import { takeCases } from '../support/runs.ts';
import { type SignInBrowser, setUpApp, startTestSingleSignOn } from '../support/single-sign-on.ts';
import { CLAIM_REFUSALS, WRONG_CLAIMS } from '../support/wrong-claims.ts';

/** People who sign in at a certified provider, and what else a provider, or somebody in between, may send. */
const { pages, provider, db, newBrowser, stop } = await startTestSingleSignOn({
  STAFF_SECOND_FACTOR: 'required',
});
test.after(stop);

const { commands, url } = pages.service;
const { Admin, Viewer, Scribe } = pages.members;
const { practiceId } = pages.practice;
const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout';

/** Somebody at the provider who is nobody here yet. */
const known = (email: string, subject = email): string => {
  provider.people.set(subject, { email, email_verified: true });
  return email;
};

const isSignedIn = async (browser: SignInBrowser): Promise<boolean> =>
  (await browser.send('/account/session')).status === 204;

const rowsOf = async (table: string): Promise<number> => {
  const { rows } = await sql<{ rows: string }>`
    select count(*) as rows from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.rows);
};

const refusalOf = async (answer: Response): Promise<readonly [number, string]> => {
  const [, heading = ''] = /<h1[^>]*>([^<]*)<\/h1>/.exec(await answer.text()) ?? [];
  return [answer.status, heading.trim()];
};

pages.pageTest(
  'a member signs in at the provider in a browser, to the page that they wanted, and out again',
  { as: 'visitor', at: '/registry/members' },
  async ({ page }) => {
    const { host } = new URL(provider.issuer);
    assert.match(await findMessage(page, 'provider').innerText(), host);
    assert.equal(await faultsOf(page, 'sign-in-with-single-sign-on'), []);
    await page.getByRole('link', { name: 'Sign in with single sign-on' }).click();
    await page.getByLabel('Name').fill(Admin.email);
    await page.getByRole('button').click();
    await page.waitForURL(`${url}/registry/members`);
    assert.is(await page.locator('h1').innerText(), 'Members');
    await eventually('the access log says how they signed in', async () => {
      await page.goto('/registry/access-log');
      return (await page.locator('main').innerText()).includes('Signed in with single sign-on');
    });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${url}/sign-in`);
  },
);

/** What a page says that asks a person to sign in at the provider again. */
const ASKS_AGAIN = 'data-message="sign-in-again"';

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

type Confirmation = readonly [
  what: string,
  change: Readonly<Record<string, unknown>>,
  refusal: string | null,
];

/** What a provider says when somebody confirms who they are: a list for each rule, as of tokens. */
const CONFIRMATIONS: readonly (readonly Confirmation[])[] = [
  [
    ['a clock that differs a little confirms', { auth_time: inSeconds(120) }, null],
    ['who signs in there again goes on', {}, null],
    ['a fraction of a second is a time', { auth_time: inSeconds(5) + 0.5 }, null],
  ],
  [['a provider that does not say when confirms nothing', { auth_time: undefined }, NOT_CONFIRMED]],
  [
    ['nor one that says an hour ago', { auth_time: inSeconds(-3_600) }, NOT_CONFIRMED],
    ['nor one that did not ask again', { auth_time: 1_000_000_000 }, NOT_CONFIRMED],
    ['nor one before all times', { auth_time: -1 }, NOT_CONFIRMED],
  ],
  [
    ['nor one whose clock is too far ahead', { auth_time: inSeconds(400) }, NOT_CONFIRMED],
    ['nor one that says tomorrow', { auth_time: inSeconds(86_400) }, NOT_CONFIRMED],
    ['nor a time that never comes', { auth_time: 1e300 }, NOT_CONFIRMED],
    ['nor one as text', { auth_time: String(inSeconds(0)) }, NOT_CONFIRMED],
    ['nor one that is not a number', { auth_time: null }, NOT_CONFIRMED],
  ],
  [['another person confirms nothing', { sub: Scribe.email }, SOMEBODY_ELSE]],
];

for (const [what, change, refusal] of CONFIRMATIONS.flatMap(takeCases))
  test(`ten minutes after a sign-in at a provider: ${what}`, async () => {
    const browser = newBrowser();
    await browser.signInAs(Viewer.email);
    await ageSessions(pages.service, Viewer);
    const setUp = async () => {
      const _csrf = await browser.csrfToken('/account/password');
      return (await browser.send('/account/security/app', { _csrf })).text();
    };
    const asked = await setUp();
    assert.ok(asked.includes(ASKS_AGAIN));
    const away = await browser.begin(`${CONFIRM_AT_PROVIDER}?next=/account/security`);
    const { searchParams } = new URL(away);
    assert.equal([searchParams.get('prompt'), searchParams.get('max_age')], ['login', '0']);
    provider.alter((claims) => ({ ...claims, ...change }));
    const answer = await browser.send(await browser.atProvider(away, Viewer.email));
    provider.alter(null);
    assert.is(answer.status, refusal === null ? 303 : 403);
    if (refusal !== null) assert.ok((await answer.text()).includes(refusal));
    assert.ok(await isSignedIn(browser));
    assert.is((await setUp()).includes(ASKS_AGAIN), refusal !== null);
  });

for (const [what, change, confirms] of [
  ['just now', {}, true],
  ['by a clock that differs a little', { auth_time: inSeconds(120) }, true],
  ['nine minutes ago', { auth_time: inSeconds(-540) }, true],
  ['eleven minutes ago', { auth_time: inSeconds(-660) }, false],
  ['long ago', { auth_time: 1_000_000_000 }, false],
  ['at a time that it does not say', { auth_time: undefined }, false],
] as const)
  test(`a sign-in at a provider, where the person signed in ${what}, ${confirms ? 'confirms' : 'confirms nothing'}`, async () => {
    const browser = newBrowser();
    const away = await browser.begin();
    assert.is(new URL(away).searchParams.get('max_age'), '43200');
    provider.alter((claims) => ({ ...claims, ...change }));
    const back = await browser.atProvider(away, Viewer.email);
    assert.is((await browser.send(back).finally(() => provider.alter(null))).status, 303);
    const setUp = async () => {
      const _csrf = await browser.csrfToken('/account/password');
      return (await browser.send('/account/security/app', { _csrf })).text();
    };
    assert.is((await setUp()).includes(ASKS_AGAIN), !confirms);
    const again = await browser.begin(CONFIRM_AT_PROVIDER);
    assert.is((await browser.send(await browser.atProvider(again, Viewer.email))).status, 303);
    assert.not.ok((await setUp()).includes(ASKS_AGAIN));
  });

test('a confirmation that one browser began is finished by no other, of the same person either', async () => {
  const [one, other] = [newBrowser(), newBrowser()];
  for (const browser of [one, other]) await browser.signInAs(Viewer.email);
  await ageSessions(pages.service, Viewer);
  const back = await one.atProvider(await one.begin(CONFIRM_AT_PROVIDER), Viewer.email);
  assert.is((await other.send(back)).status, 400);
  assert.is((await one.send(back)).status, 303);
});

test('the password opens the account as before', async () => {
  assert.is((await newVisitor(url).signIn(Admin)).status, 303);
});

const AT_ANOTHER_SITE = {
  as: 'visitor',
  at: `${provider.issuer}/.well-known/openid-configuration`,
} as const;

pages.scriptTest(
  'a browser that another site has sent is asked before a sign-in begins',
  AT_ANOTHER_SITE,
  async ({ page }) => {
    await page.evaluate((address) => {
      location.href = address;
    }, `${url}/sign-in/sso?next=/registry/births`);
    const goOn = page.getByRole('link', { name: `Continue to ${new URL(provider.issuer).host}` });
    await goOn.waitFor();
    assert.equal(await faultsOf(page, 'single-sign-on-asked'), []);
    await goOn.click();
    await page.getByLabel('Name').fill(Viewer.email);
    await page.getByRole('button').click();
    await page.waitForURL(`${url}/registry/births`);
  },
);

test('two tabs of a browser sign in without disturbing each other', async () => {
  const browser = newBrowser();
  await browser.send('/sign-in');
  const [one, other] = [
    await browser.begin(),
    await browser.begin('/sign-in/sso?next=/registry/births'),
  ];
  const later = await browser.atProvider(other, Viewer.email);
  const earlier = await browser.atProvider(one, Viewer.email);
  const answer = await browser.send(later);
  assert.is(answer.headers.get('location'), '/registry/births');
  // Signed in by the other tab.
  assert.is((await browser.send(earlier)).headers.get('location'), '/registry');
  assert.ok(await isSignedIn(browser));
});

test('who was invited takes the seat by signing in for the first time, and has no password', async () => {
  const email = known('invited@cedar.example');
  await commands.members.invite({ practiceId, email, role: 'Scribe' });
  const browser = newBrowser();
  const answer = await browser.signInAs(email);
  assert.is(answer.status, 303);
  const home = await (await browser.send('/account/security')).text();
  assert.match(home, /data-message="joined">.*?You are now a member of Cedar Birth Center\./s);
  const members = await commands.lists.members(practiceId);
  const seat = members.find((member) => member.email === email);
  assert.is(seat?.role, 'Scribe');
  assert.is(seat?.status, 'seated');
  const again = newBrowser();
  assert.is((await again.signInAs(email)).status, 303);
  assert.ok(await isSignedIn(again));
});

test('an invitation that was taken back, or for somebody with a seat elsewhere, gives none', async () => {
  const withdrawn = known('withdrawn@cedar.example');
  const { memberId } = await commands.members.invite({
    practiceId,
    email: withdrawn,
    role: 'Viewer',
  });
  await commands.members.withdraw(practiceId, memberId);
  assert.equal(await refusalOf(await newBrowser().signInAs(withdrawn)), [
    403,
    'You have no account here',
  ]);

  const twice = known('twice@cedar.example');
  const elsewhere = await commands.practices.create({ name: 'Larch', sandbox: true, beta: false });
  for (const practice of [practiceId, elsewhere])
    await commands.members.invite({ practiceId: practice, email: twice, role: 'Viewer' });
  assert.equal(await refusalOf(await newBrowser().signInAs(twice)), [
    409,
    'Several practices have invited you',
  ]);
});

test('the staff sign in too, and set up a second factor first', async () => {
  const browser = newBrowser();
  await browser.signInAs(pages.staff.email, { amr: ['pwd', 'mfa'] });
  const answer = await browser.send('/staff/practices');
  assert.is(answer.headers.get('location'), '/account/security');
});

for (const [what, person, expected] of [
  [
    'of a domain that is not allowed',
    { email: 'ada@elsewhere.example', email_verified: true },
    [403, 'Your email cannot sign in here'],
  ],
  [
    'of a domain that only ends like one that is',
    { email: 'ada@not-cedar.example', email_verified: true },
    [403, 'Your email cannot sign in here'],
  ],
  [
    'that is not verified',
    { email: Viewer.email, email_verified: false },
    [403, 'Your email is not verified'],
  ],
  ['of which nothing is said', { email: Viewer.email }, [403, 'Your email is not verified']],
  ['that is missing', { email_verified: true }, [403, 'Your single sign-on did not send an email']],
  [
    'without an account',
    { email: 'nobody@cedar.example', email_verified: true },
    [403, 'You have no account here'],
  ],
] as const)
  test(`an email ${what} opens nothing`, async () => {
    provider.people.set(what, person);
    const browser = newBrowser();
    const [sessions, identities] = [await rowsOf('app.session'), await rowsOf('app.sso_identity')];
    const answer = await browser.signInAs(what);
    const html = await answer.clone().text();
    assert.equal(await refusalOf(answer), expected);
    assert.not.match(html, /elsewhere\.example|nobody@|viewer@/);
    assert.not.ok(await isSignedIn(browser));
    assert.is(await rowsOf('app.session'), sessions);
    assert.is(await rowsOf('app.sso_identity'), identities);
  });

const WITHOUT_EMAIL = { email: undefined, email_verified: undefined };

/** A sign-in with a token that has no email, and UserInfo that does. */
const signInByUserInfo = async (
  change: Readonly<Record<string, unknown>>,
  inToken: Readonly<Record<string, unknown>> = WITHOUT_EMAIL,
) => {
  const browser = newBrowser();
  let asked = 0;
  provider.alter((claims) => ({ ...claims, ...inToken }));
  provider.alterUserInfo((claims) => {
    asked += 1;
    return { ...claims, ...change };
  });
  const answer = await browser.signInAs(Viewer.email).finally(() => {
    provider.alter(null);
    provider.alterUserInfo(null);
  });
  return { answer, asked, isIn: await isSignedIn(browser) };
};

test('an email that is not in the id_token is taken from UserInfo', async () => {
  const { answer, asked, isIn } = await signInByUserInfo({});
  assert.equal([answer.status, asked, isIn], [303, 1, true]);
});

test('UserInfo never replaces what the id_token says', async () => {
  const said = { email: Viewer.email, email_verified: true };
  const { asked, isIn } = await signInByUserInfo({ email: Admin.email }, said);
  assert.equal([asked, isIn], [0, true]);
  const unreadable = await signInByUserInfo({}, { email: 7 });
  assert.equal(await refusalOf(unreadable.answer), [
    403,
    'Your single sign-on did not send an email',
  ]);
  const denied = await signInByUserInfo({}, { email: undefined, email_verified: false });
  assert.equal(await refusalOf(denied.answer), [403, 'Your email is not verified']);
});

for (const [what, change, refusal] of [
  ['of another person', { sub: 'another' }, [403, 'You were not signed in']],
  ['without a person', { sub: undefined }, [403, 'You were not signed in']],
  ['without an email', { email: undefined }, [403, 'Your single sign-on did not send an email']],
  [
    'with an email as a list',
    { email: [Viewer.email] },
    [403, 'Your single sign-on did not send an email'],
  ],
  [
    'with an email that is not verified',
    { email_verified: false },
    [403, 'Your email is not verified'],
  ],
  [
    'that does not say it verified the email',
    { email_verified: undefined },
    [403, 'Your email is not verified'],
  ],
  ['with a verification as text', { email_verified: 'true' }, [403, 'Your email is not verified']],
  ['longer than any', { text: 'x'.repeat(300_000) }, [502, 'Single sign-on does not answer']],
  ['with a long list', { list: Array(201).fill('') }, [502, 'Single sign-on does not answer']],
] as const)
  test(`UserInfo ${what} opens nothing`, async () => {
    const { answer, isIn } = await signInByUserInfo(change);
    assert.equal(await refusalOf(answer), refusal);
    assert.not.ok(isIn);
  });

type WrongToken = readonly [
  what: string,
  change: Readonly<Record<string, unknown>>,
  header?: Readonly<Record<string, string>>,
];

/** What is wrong with a token: a list for each rule, of which every run sees the first. */
const WRONG_TOKENS: readonly (readonly WrongToken[])[] = [
  [
    ['another nonce', { nonce: 'of another sign-in' }],
    ['no nonce', { nonce: undefined }],
  ],
  [['a time of issue an hour ago', { iat: inSeconds(-3_600) }]],
  [['another audience', { aud: 'another-client' }]],
  [['another issuer', { iss: 'https://issuer.example' }]],
  [
    ['an end that is past', { exp: inSeconds(-200) }],
    ['no end', { exp: undefined }],
    ['an end as text', { exp: String(inSeconds(300)) }],
  ],
  [['no subject', { sub: undefined }]],
  [
    ['no time of issue', { iat: undefined }],
    ['a time of issue a day ahead', { iat: inSeconds(86_400) }],
    ['a time of issue that clocks do not explain', { iat: inSeconds(400) }],
    ['a time of issue that never comes', { iat: 1e18 }],
    ['a time of issue before all times', { iat: -8e12 }],
    ['a time of issue as text', { iat: String(inSeconds(0)) }],
    ['a time of issue that is not a number', { iat: null }],
  ],
  [
    ['a sign-in a day ahead', { auth_time: inSeconds(86_400) }],
    ['a sign-in that never comes', { auth_time: 1e300 }],
  ],
  [['a start that is to come', { nbf: inSeconds(400) }]],
  [
    ['a foreign party', { azp: 'another-client' }],
    ['a party that is no text', { azp: ['registry'] }],
    ['a foreign party beside us', { aud: ['registry', 'other'], azp: 'other' }],
  ],
  [['a session that is no text', { sid: 7 }]],
  [
    ['the type of a logout', {}, { typ: 'logout+jwt' }],
    ['the long type of a logout', {}, { typ: 'application/logout+jwt' }],
    ['the type of another token', {}, { typ: 'at+jwt' }],
  ],
  [['an end of a session', { events: { [LOGOUT]: {} } }]],
];

for (const [what, change, header] of WRONG_TOKENS.flatMap(takeCases))
  test(`an id_token with ${what} opens nothing`, async () => {
    provider.alter((claims) => ({ ...claims, ...change }), header);
    const browser = newBrowser();
    try {
      assert.equal(await refusalOf(await browser.signInAs(Viewer.email)), [
        403,
        'You were not signed in',
      ]);
    } finally {
      provider.alter(null);
    }
    assert.not.ok(await isSignedIn(browser));
    assert.is((await browser.signInAs(Viewer.email)).status, 303);
  });

for (const [what, change, header] of [
  ['a clock that differs a little', { iat: inSeconds(120), auth_time: inSeconds(120) }],
  ['a time of issue some minutes ago', { iat: inSeconds(-300), nbf: inSeconds(-300) }],
  ['fractions of a second', { iat: inSeconds(0) + 0.25, auth_time: inSeconds(0) + 0.25 }],
  ['ourselves as its party', { azp: provider.clientId, aud: [provider.clientId] }],
  ['its type', {}, { typ: 'JWT' }],
  ['its long type', {}, { typ: 'application/jwt' }],
] as const)
  test(`an id_token with ${what} opens the account`, async () => {
    provider.alter((claims) => ({ ...claims, ...change }), header);
    const browser = newBrowser();
    const answer = await browser.signInAs(Viewer.email).finally(() => provider.alter(null));
    assert.is(answer.status, 303);
    assert.ok(await isSignedIn(browser));
  });

for (const [claim, refusal] of CLAIM_REFUSALS)
  test(`an id_token whose ${claim} has a wrong form opens nothing`, async () => {
    for (const form of takeCases<unknown>(WRONG_CLAIMS[claim])) {
      provider.alter((claims) => ({ ...claims, [claim]: form }));
      const browser = newBrowser();
      const answer = await browser.signInAs(Viewer.email).finally(() => provider.alter(null));
      assert.equal(await refusalOf(answer), [403, refusal], JSON.stringify(form));
      assert.not.ok(await isSignedIn(browser));
    }
  });

test('an id_token that another key has signed opens nothing', async () => {
  await provider.signWithForeignKey(true);
  const browser = newBrowser();
  try {
    assert.equal(await refusalOf(await browser.signInAs(Viewer.email)), [
      403,
      'You were not signed in',
    ]);
  } finally {
    await provider.signWithForeignKey(false);
  }
});

test('a provider that has changed its keys is asked for them again, and not with every token', async () => {
  assert.is((await newBrowser().signInAs(Viewer.email)).status, 303);
  const before = provider.keysAsked();
  await provider.changeKeys();
  await eventually(
    'the new key opens accounts',
    async () => (await newBrowser().signInAs(Viewer.email)).status === 303,
  );
  assert.is(provider.keysAsked(), before + 1);
  // Names of keys that there are not: anybody could invent them, had they a token.
  const token = await provider.logoutToken({ sub: 'x' }, { typ: 'logout+jwt', kid: 'made-up' });
  for (let times = 0; times < 20; times += 1)
    await fetch(`${url}/sign-in/sso/logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    });
  assert.ok(provider.keysAsked() <= before + 3, `asked ${provider.keysAsked() - before} times`);
});

test('a callback is good once, in the browser that began it', async () => {
  const [browser, another] = [newBrowser(), newBrowser()];
  await another.send('/sign-in');
  const back = await browser.atProvider(await browser.begin(), Viewer.email);
  const over = [400, 'This sign-in is over'];
  assert.equal(await refusalOf(await another.send(back)), over);
  assert.equal(await refusalOf(await newVisitor(url).send(back)), over);
  assert.is((await browser.send(back)).status, 303);
  await browser.send('/sign-out', { _csrf: await browser.csrfToken('/account/security') });
  assert.equal(await refusalOf(await browser.send(back)), over);

  for (const [name, value] of [
    ['state', ''],
    ['state', 'made-up'],
    ['code', ''],
  ] as const) {
    const fresh = newBrowser();
    const callback = new URL(await fresh.atProvider(await fresh.begin(), Viewer.email), url);
    if (value === '') callback.searchParams.delete(name);
    else callback.searchParams.set(name, value);
    const answer = await fresh.send(callback.pathname + callback.search);
    assert.equal(await refusalOf(answer), over, `${name} ${value}`);
  }
});

test('who declines at the provider reads a fixed sentence, and nothing of the provider’s', async () => {
  const answer = await newBrowser().signInAs('');
  const html = await answer.text();
  assert.is(answer.status, 403);
  assert.ok(html.includes(signInRefused('declined').text));
  for (const theirs of ['text of the provider', 'access_denied']) assert.not(html.includes(theirs));
});

test('begun sign-ins leave no rows behind, and are limited for each address', async () => {
  const tables = ['app.session', 'app.sso_identity', 'app.sso_logout'];
  const countAll = () => Promise.all(tables.map(rowsOf));
  const before = await countAll();
  const statuses = new Map<number, number>();
  const all = 200;
  for (let times = 0; times < all; times += 1) {
    const { status } = await newVisitor(url).send('/sign-in/sso', undefined, {
      'X-Forwarded-For': `198.51.100.${times % 2}`,
    });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  assert.equal(await countAll(), before);
  assert.ok((statuses.get(303) ?? 0) >= 120);
  assert.is((statuses.get(303) ?? 0) + (statuses.get(429) ?? 0), all);
  assert.ok((statuses.get(429) ?? 0) > 0);
});

test('callbacks that come to nothing are limited for their address', async () => {
  const browser = newBrowser();
  let answer = new Response();
  for (let times = 0; times < 51; times += 1) {
    const away = new URL(await browser.begin().catch(() => `${url}/?state=`));
    const state = away.searchParams.get('state') ?? '';
    answer = await browser.send(
      `/sign-in/sso/callback?code=made-up&state=${encodeURIComponent(state)}`,
    );
  }
  assert.equal(await refusalOf(answer), [429, TOO_MANY_TITLE]);
});

test('a sign-in that is under way while the account is removed opens nothing', async () => {
  const email = known('removed@cedar.example');
  const password = PASSWORD;
  const id = await commands.accounts.addMember({ practiceId, role: 'Viewer', email, password });
  const browser = newBrowser();
  provider.beforeToken(() => commands.members.remove(practiceId, id));
  try {
    assert.equal(await refusalOf(await browser.signInAs(email)), [403, 'You have no account here']);
  } finally {
    provider.beforeToken(null);
  }
  assert.not.ok(await isSignedIn(browser));
});

test('nor one of an account that was signed out everywhere while its owner was at the provider', async () => {
  const browser = newBrowser();
  const back = await browser.atProvider(await browser.begin(), Viewer.email);
  await commands.accounts.endSessions(Viewer.email);
  assert.equal(await refusalOf(await browser.send(back)), [403, 'You were not signed in']);
  assert.is((await browser.signInAs(Viewer.email)).status, 303);
  await commands.accounts.endSessions(Viewer.email);
  assert.not.ok(await isSignedIn(browser));
});

test('an email that the provider gives to another person does not open the account, before an Admin resets it', async () => {
  const email = known('recycled@cedar.example', 'the first owner');
  const password = PASSWORD;
  const id = await commands.accounts.addMember({ practiceId, role: 'Viewer', email, password });
  const first = newBrowser();
  assert.is((await first.signInAs('the first owner')).status, 303);
  provider.people.set('the next owner', { email, email_verified: true });
  const refused = await newBrowser().signInAs('the next owner');
  assert.equal(await refusalOf(refused), [403, 'This account belongs to someone else']);
  await commands.members.givePassword(practiceId, id);
  assert.not.ok(await isSignedIn(first));
  assert.is((await newBrowser().signInAs('the next owner')).status, 303);
  assert.equal(await refusalOf(await newBrowser().signInAs('the first owner')), [
    403,
    'This account belongs to someone else',
  ]);
});

test('a second factor here is asked for, unless one was shown at the provider', async () => {
  const browser = newBrowser();
  await browser.signInAs(Scribe.email);
  await setUpApp(browser);

  const without = newBrowser();
  const asked = await without.signInAs(Scribe.email, { amr: ['pwd'] });
  assert.is(asked.headers.get('location'), '/sign-in/code');
  assert.not.ok(await isSignedIn(without));
  assert.is(
    (await newBrowser().signInAs(Scribe.email, { amr: ['pwd', 'otp'] })).headers.get('location'),
    '/registry',
  );
});

test('what came to nothing stands in the access log, without a value', async () => {
  await newBrowser().signInAs('of a domain that is not allowed');
  const query = { person: null, record: null, kind: 'sign-ins' } as const;
  const refusedOf = async (practice: string | null) => {
    const { entries } = await commands.accessLog(practice, query);
    return entries.filter(({ type }) => type === 'SingleSignOnRefused');
  };
  for (const expected of ['domain-not-allowed', 'wrong-token', 'declined', 'email-not-verified'])
    await eventually(expected, async () =>
      (await refusedOf(null)).some(({ detail }) => detail === expected),
    );
  // Of a member, the practice learns of it.
  const [entry] = (await refusedOf(practiceId)).filter(
    ({ detail }) => detail === 'ended-meanwhile',
  );
  assert.is(entry?.accountId, Viewer.id);
});

test.run();
