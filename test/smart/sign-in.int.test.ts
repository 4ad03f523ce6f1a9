import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type OperatorCommands, openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { PASSWORD, type TestAccount } from '../harness/pages.ts';
import { startTestLaunches, type TestLaunches } from '../support/launches.ts';
import {
  oidcSettings,
  setUpApp,
  startIdentityProvider,
  type TestProvider,
} from '../support/single-sign-on.ts';

const signIn = suite<{
  launches: TestLaunches;
  commands: OperatorCommands;
  provider: TestProvider;
  accounts: readonly [TestAccount, TestAccount, TestAccount, TestAccount];
}>('a pre-fill and the sign-in');

signIn.before(async (context) => {
  context.provider = await startIdentityProvider();
  context.launches = await startTestLaunches(oidcSettings(context.provider));
  await context.provider.register(`${context.launches.url}/sign-in/sso`);
  context.commands = await openCommands(context.launches.settings, openServiceLog('silent'));
  const practiceId = await context.commands.practices.create({
    name: 'Cedar Birth Center',
    sandbox: true,
    beta: true,
  });
  const newAccount = async (email: string): Promise<TestAccount> => {
    const member = { practiceId, role: 'Provider', email, password: PASSWORD } as const;
    return { email, id: await context.commands.accounts.addMember(member) };
  };
  context.accounts = [
    await newAccount('one@cedar.example'),
    await newAccount('two@cedar.example'),
    await newAccount('three@cedar.example'),
    await newAccount('four@cedar.example'),
  ];
});
signIn.after(async ({ launches, commands, provider }) => {
  await commands.close();
  await launches.stop();
  await provider.stop();
});

/** Says where a birth weight is from that no EHR calls one. */
const FIRST_WEIGHT = /The first weight in the chart/;

/** The name of the browser in the session of a cookie that sees pre-fills; null without one. */
const browserBehind = async ({ db }: TestLaunches, cookie: string): Promise<string | null> => {
  const [, sid = ''] = /^registry=s:([^.]+)\./.exec(decodeURIComponent(cookie)) ?? [];
  const session = await db
    .selectFrom('app.session')
    .select('sess')
    .where('sid', '=', sid)
    .executeTakeFirst();
  const { ehrBrowser = null, seesPrefills = false } = (session?.sess ?? {}) as {
    readonly ehrBrowser?: string;
    readonly seesPrefills?: boolean;
  };
  return seesPrefills ? ehrBrowser : null;
};

const prefillsOf = ({ db }: TestLaunches, browser: string | null) =>
  db
    .selectFrom('app.prefill')
    .select('prefill_id')
    .where('browser', '=', browser ?? '')
    .execute();

signIn('a sign-in keeps the pre-fills of the browser', async ({ launches, accounts }) => {
  const browser = launches.newBrowser();
  await browser.launch('mother-1');
  const before = browser.cookie();
  assert.is((await browser.signIn(accounts[0])).status, 303);
  assert.is.not(browser.cookie(), before);
  assert.is(await browserBehind(launches, before), null);
  const named = await browserBehind(launches, browser.cookie());
  assert.is((await prefillsOf(launches, named)).length, 1);
});

signIn(
  'so does one at an identity provider, with a second factor here',
  async ({ launches, provider, accounts }) => {
    const { email } = accounts[2];
    provider.people.set(email, { email, email_verified: true });
    const before = launches.newBrowser();
    await before.signIn(accounts[2]);
    const code = await setUpApp(before);

    const browser = launches.newBrowser();
    await browser.launch('mother-1');
    const away = (await browser.send('/sign-in/sso')).headers.get('location') ?? '';
    const back = await provider.signIn(away, { subject: email });
    const asked = await browser.send(back.pathname + back.search);
    assert.is(asked.headers.get('location'), '/sign-in/code');
    const _csrf = await browser.csrfToken('/sign-in/code');
    assert.is((await browser.send('/sign-in/code', { _csrf, code })).status, 303);
    const named = await browserBehind(launches, browser.cookie());
    assert.is((await prefillsOf(launches, named)).length, 1);
  },
);

signIn('a launch of somebody signed in leaves them so', async ({ launches, accounts }) => {
  const browser = launches.newBrowser();
  await browser.signIn(accounts[0]);
  const cookie = browser.cookie();
  assert.is((await browser.launch('newborn-1')).status, 303);
  assert.is(browser.cookie(), cookie);
  assert.is((await browser.send('/registry')).status, 200);
  const named = await browserBehind(launches, cookie);
  assert.is((await prefillsOf(launches, named)).length, 1);
});

signIn(
  'a launch that began before the sign-in is finished after it',
  async ({ launches, accounts }) => {
    const browser = launches.newBrowser();
    const callback = await browser.throughEhr(await browser.open('mother-1'));
    await browser.signIn(accounts[0]);
    assert.is((await browser.send(callback)).status, 303);
  },
);

signIn(
  'the practice of whoever signs in says on which day something was',
  async ({ launches, commands }) => {
    const practiceId = await commands.practices.create({
      name: 'Madrone Birth Center',
      sandbox: true,
      beta: true,
    });
    await commands.practices.set(practiceId, {
      sandbox: null,
      beta: null,
      timeZone: 'America/Los_Angeles',
    });
    const email = 'five@madrone.example';
    const member = { practiceId, role: 'Provider', email, password: PASSWORD } as const;
    const id = await commands.accounts.addMember(member);

    const browser = launches.newBrowser();
    const { headers } = await browser.launch('newborn-2');
    const address = headers.get('location') ?? '';
    const shown = async () => (await browser.send(address)).text();
    assert.not.match(await shown(), FIRST_WEIGHT);
    await browser.signIn({ email, id });
    assert.match(await shown(), FIRST_WEIGHT);
  },
);

signIn('another account in the same browser does not get them', async ({ launches, accounts }) => {
  const browser = launches.newBrowser();
  await browser.signIn(accounts[0]);
  await browser.launch('mother-1');
  const _csrf = await browser.csrfToken('/registry');
  const fields = { _csrf, email: accounts[1].email, password: PASSWORD };
  assert.is((await browser.send('/sign-in', fields)).status, 303);
  assert.is(await browserBehind(launches, browser.cookie()), null);
});

signIn('nor does one with a second factor', async ({ launches, accounts }) => {
  const { email } = accounts[3];
  const before = launches.newBrowser();
  await before.signIn(accounts[3]);
  const code = await setUpApp(before);

  const browser = launches.newBrowser();
  await browser.signIn(accounts[0]);
  await browser.launch('mother-1');
  const _csrf = await browser.csrfToken('/registry');
  const first = await browser.send('/sign-in', { _csrf, email, password: PASSWORD });
  assert.is(first.headers.get('location'), '/sign-in/code');
  const second = { _csrf: await browser.csrfToken('/sign-in/code'), code };
  assert.is((await browser.send('/sign-in/code', second)).status, 303);
  assert.is(await browserBehind(launches, browser.cookie()), null);
});

signIn('signing out gives them up', async ({ launches, accounts }) => {
  const browser = launches.newBrowser();
  await browser.launch('mother-1');
  await browser.signIn(accounts[0]);
  const cookie = browser.cookie();
  await browser.send('/sign-out', { _csrf: await browser.csrfToken('/registry') });
  assert.is(await browserBehind(launches, cookie), null);
});

signIn.run();
