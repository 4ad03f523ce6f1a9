import { sql } from 'kysely';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ROLES, type Role } from '../../domain/roles.ts';
import { readCsrfToken } from '../../scripts/demo/http-session.ts';
import { atWidth, consoleOf, openBrowser, type TestBrowser, WIDTHS } from './browser.ts';
import {
  newPractice,
  openTestConnection,
  sharedTestService,
  startTestService,
  type TestPractice,
  type TestService,
} from './service.ts';
import type { TestPage } from './test-page.ts';
import { type CookieJar, createVisit, type Visit } from './visit.ts';

/** The password of every account that these tests make. */
export const PASSWORD = 'a long synthetic passphrase';

/** The end of the address of a record's page. */
export const RECORD = /\/registry\/records\/[0-9a-f-]{36}$/;

/** Someone who can sign in. */
export interface TestAccount {
  readonly id: string;
  readonly email: string;
}

/** A service with a sandbox practice that has a member of every seat, and staff. */
export interface TestAccounts {
  readonly service: TestService;
  readonly practice: TestPractice;
  readonly members: Readonly<Record<Role, TestAccount>>;
  readonly staff: TestAccount;
}

/** Someone who opens a page: a seat of the practice, the staff, an account, or a visitor. */
export type Who = Role | 'staff' | 'visitor' | TestAccount;

/** How a browser opens. */
export interface OpenOptions extends BrowserContextOptions {
  /** Where it goes first; without, to the first page of who has signed in. */
  readonly at?: string;
  /** Width of its window, CSS pixels. */
  readonly width?: number;
  /** Signs in anew, for tests in which a session ends or is counted. */
  readonly newSession?: boolean;
}

/** How a row begins: who opens the page, and what is done before, so that it shows it. */
type Given<Options> = Options & {
  readonly as: Who;
  readonly given?: () => Promise<unknown>;
};

/** How a page opens without a browser. */
export type VisitOptions = Pick<OpenOptions, 'at' | 'newSession'>;

/** What a row of {@link TestPages.browserTest} gets. */
export interface BrowserTestContext {
  /** Opens a browser of its own for someone. */
  open(as: Who, options?: OpenOptions): Promise<Page>;
}

/** What a row of {@link TestPages.scriptTest} gets: `open` opens another browser, of the same person or of another one. */
export interface ScriptTestContext extends BrowserTestContext {
  readonly page: Page;
}

/** The same with pages: as the service sends them, or in a browser. */
export interface TestPages extends TestAccounts {
  readonly browser: TestBrowser;
  /** Opens a page as someone who has signed in, without a browser: no script, style, or screen. */
  visit(as: Who, options?: VisitOptions): Promise<Visit>;
  /** Adds a row that visits a page. */
  pageTest(
    name: string,
    options: Given<VisitOptions>,
    body: (context: { readonly page: Visit }) => Promise<void>,
  ): void;
  /** A browser of its own in which someone has signed in. */
  signIn(account: TestAccount, options?: OpenOptions): Promise<Page>;
  /** The same as {@link scriptTest} for a row that makes the accounts which open its pages. */
  browserTest(name: string, body: (context: BrowserTestContext) => Promise<void>): void;
  /**
   * Adds a row about scripts, keys, layout, print, or focus: it opens a page in a browser. Every browser that it
   * opens is closed at its end, and may have said nothing to the console, from its first page on.
   */
  scriptTest(
    name: string,
    options: Given<OpenOptions>,
    body: (context: ScriptTestContext) => Promise<void>,
  ): void;
  stop(): Promise<void>;
}

/** Gives somebody a seat in a practice. */
export const newMember = async (
  service: TestService,
  practiceId: string,
  role: Role,
  email: string,
): Promise<TestAccount> => ({
  id: await service.commands.accounts.addMember({ practiceId, role, email, password: PASSWORD }),
  email,
});

/** Starts the service, for tests that need no browser. */
export const startTestAccounts = async (
  changes: Readonly<Record<string, string>> = {},
): Promise<TestAccounts> => accountsOn(await startTestService(changes), 'cedar');

/** Sessions are signed in anew before the pages ask again who it is. */
const KEPT_MS = 5 * 60_000;

let practices = 0;

/** The same on a service that is shared, with a practice and accounts of the file's own. */
export const sharedTestAccounts = async (service = sharedTestService()): Promise<TestAccounts> => {
  practices += 1;
  return accountsOn(await service, `cedar-${practices}`);
};

/** @param host of the addresses of the members */
const accountsOn = async (service: TestService, host: string): Promise<TestAccounts> => {
  const practice = await newPractice(service.commands);
  const seated = await Promise.all(
    ROLES.map(async (role) => {
      const email = `${role.toLowerCase()}@${host}.example`;
      return [role, await newMember(service, practice.practiceId, role, email)] as const;
    }),
  );
  const staffEmail = host === 'cedar' ? 'staff@registry.example' : `staff@${host}.example`;
  const staffId = await service.commands.accounts.addStaff({
    email: staffEmail,
    password: PASSWORD,
  });
  return {
    service,
    practice,
    members: Object.fromEntries(seated) as Record<Role, TestAccount>,
    staff: { id: staffId, email: staffEmail },
  };
};

/** Looks at a page before it loads anything. */
type WatchPage = (page: Page) => void;

/** Contexts without options of their own go from row to row: Chromium starts a process for each new one. */
const keepContexts = (browser: TestBrowser, url: string) => {
  const kept = new Set<BrowserContext>();
  const idle: BrowserContext[] = [];
  return {
    async take(): Promise<BrowserContext> {
      const emptied = idle.pop();
      if (emptied !== undefined) return emptied;
      const context = await browser.newContext(url);
      // The process ends with its last page.
      await context.newPage();
      kept.add(context);
      return context;
    },
    async release(context: BrowserContext): Promise<void> {
      const [first, ...pages] = context.pages();
      if (!kept.has(context) || first === undefined) return context.close();
      for (const page of pages) await page.close();
      const session = await context.newCDPSession(first);
      await session.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'all' });
      await session.detach();
      await context.clearCookies();
      await context.clearPermissions();
      idle.push(context);
    },
  };
};

/** Starts the service and the browser. */
export const startTestPages = async (
  changes: Readonly<Record<string, string>> = {},
): Promise<TestPages> => pagesWith(startTestAccounts(changes));

/** The same on a service that is shared. @param optionsOfBrowser called for each browser that opens */
export const sharedTestPages = (
  service?: Promise<TestService>,
  optionsOfBrowser?: () => BrowserContextOptions,
): Promise<TestPages> => pagesWith(sharedTestAccounts(service), optionsOfBrowser);

const pagesWith = async (
  starting: Promise<TestAccounts>,
  optionsOfBrowser: () => BrowserContextOptions = () => ({}),
): Promise<TestPages> => {
  const accounts = await starting;
  const browser = openBrowser();
  const { service } = accounts;
  /** So that each account signs in once. */
  const sessions = new Map<
    string,
    {
      readonly cookies: Awaited<ReturnType<BrowserContext['cookies']>>;
      readonly home: string;
      readonly at: number;
    }
  >();

  const contexts = keepContexts(browser, service.url);

  const newPage = async (
    { at: _at, width = WIDTHS.laptop, newSession: _newSession, ...browserOptions }: OpenOptions,
    watch: WatchPage,
  ): Promise<Page> => {
    const options = { ...optionsOfBrowser(), ...browserOptions };
    const isPlain = Object.keys(options).length === 0;
    const context = await (isPlain
      ? contexts.take()
      : browser.newContext(service.url, width, options));
    const page = await context.newPage();
    if (isPlain && width !== WIDTHS.laptop) await atWidth(page, width);
    watch(page);
    return page;
  };

  const signIn = async (
    account: TestAccount,
    options: OpenOptions = {},
    watch: WatchPage = () => {},
  ): Promise<Page> => {
    const { at, newSession = false } = options;
    const kept = newSession ? undefined : sessions.get(account.id);
    const page = await newPage(options, watch);
    const context = page.context();
    if (kept !== undefined && performance.now() - kept.at < KEPT_MS) {
      await context.addCookies(kept.cookies);
      await page.goto(at ?? kept.home);
      // Its session goes on unless a row before has ended it.
      if (new URL(page.url()).pathname !== '/sign-in') return page;
    }
    const home = await signInWithoutPage(context, account);
    // An account with another step to go has not signed in yet.
    if (!home.startsWith('/sign-in') && !newSession)
      sessions.set(account.id, {
        cookies: await context.cookies(),
        home,
        at: performance.now(),
      });
    await page.goto(at ?? home);
    return page;
  };

  const accountOf = (who: Exclude<Who, 'visitor'>): TestAccount => {
    if (typeof who === 'object') return who;
    return who === 'staff' ? accounts.staff : accounts.members[who];
  };

  const openAs = async (who: Who, options: OpenOptions, watch: WatchPage): Promise<Page> => {
    if (who !== 'visitor') return signIn(accountOf(who), options, watch);
    const page = await newPage(options, watch);
    await page.goto(options.at ?? '/');
    return page;
  };

  const browserTest: TestPages['browserTest'] = (name, body) => {
    test(name, async () => {
      const opened: { readonly page: Page; readonly messages: readonly string[] }[] = [];
      const watch: WatchPage = (page) => {
        opened.push({ page, messages: consoleOf(page) });
      };
      try {
        await body({ open: (who, options = {}) => openAs(who, options, watch) });
        for (const { messages } of opened) assert.equal(messages, []);
      } finally {
        for (const { page } of opened) await contexts.release(page.context());
      }
    });
  };

  /** What each account's browser holds once it has signed in. */
  const visitors = new Map<string, { readonly cookies: CookieJar; readonly home: string }>();

  const visit: TestPages['visit'] = async (who, { at, newSession = false } = {}) => {
    const headers = optionsOfBrowser().extraHTTPHeaders ?? {};
    if (who === 'visitor') {
      const page = createVisit(service.url, { headers });
      await page.goto(at ?? '/');
      return page;
    }
    const account = accountOf(who);
    const kept = newSession ? undefined : visitors.get(account.id);
    if (kept !== undefined) {
      const page = createVisit(service.url, { headers, cookies: structuredClone(kept.cookies) });
      await page.goto(at ?? kept.home);
      // Its session goes on unless a row before has ended it.
      if (new URL(page.url()).pathname !== '/sign-in') return page;
    }
    const page = createVisit(service.url, { headers });
    await page.goto('/sign-in');
    await signInHere(page, account);
    const home = new URL(page.url()).pathname;
    // An account with another step to go has not signed in yet.
    if (!home.startsWith('/sign-in') && !newSession)
      visitors.set(account.id, { cookies: structuredClone(page.cookies), home });
    if (at !== undefined) await page.goto(at);
    return page;
  };

  return {
    ...accounts,
    browser,
    visit,
    pageTest(name, { as, given, ...options }, body) {
      test(name, async () => {
        await given?.();
        await body({ page: await visit(as, options) });
      });
    },
    signIn: (account, options) => signIn(account, options),
    browserTest,
    scriptTest(name, { as, given, ...options }, body) {
      browserTest(name, async ({ open }) => {
        await given?.();
        await body({ page: await open(as, options), open });
      });
    },
    async stop() {
      await browser.close();
      await service.stop();
    },
  };
};

/**
 * Signs in as a browser does, without showing its page: that costs as much as the rest of a test.
 * @returns where the service sends the browser
 */
export const signInWithoutPage = async (
  { request }: BrowserContext,
  { email }: TestAccount,
): Promise<string> => {
  const form = await (await request.get('/sign-in')).text();
  const answer = await request.post('/sign-in', {
    form: { _csrf: readCsrfToken(form), email, password: PASSWORD },
    maxRedirects: 0,
  });
  const { location } = answer.headers();
  if (location === undefined) throw new Error(`Nobody was signed in: ${answer.status()}`);
  return location;
};

/** Fills in the sign-in that a page shows. */
export const signInHere = async (
  page: TestPage,
  { email }: Pick<TestAccount, 'email'>,
  password = PASSWORD,
): Promise<void> => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

/** As if all who are signed in to an account had done so eleven minutes ago. */
export const ageSessions = async (service: TestService, { id }: TestAccount): Promise<void> => {
  const db = openTestConnection(service);
  try {
    await sql`
      update app.session set sess = sess || (
        select jsonb_object_agg(key, value::text::bigint - 660000)
        from jsonb_each(sess) where key in ('startedAt', 'confirmedAt'))
      where account_id = ${id}`.execute(db);
  } finally {
    await db.destroy();
  }
};

/** Signs out as a browser does, without showing a page. */
export const signOutWithoutPage = async ({ request }: BrowserContext): Promise<void> => {
  const page = await (await request.get('/registry')).text();
  const answer = await request.post('/sign-out', {
    form: { _csrf: readCsrfToken(page) },
    maxRedirects: 0,
  });
  if (answer.status() !== 303) throw new Error(`Nobody was signed out: ${answer.status()}`);
};

/** A session over plain HTTP, for what a browser would not send. */
export interface TestVisitor {
  /** GET or, with fields, POST of a form; redirects are not followed. */
  send(
    path: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** The token of the forms on a page. */
  csrfToken(path: string): Promise<string>;
  /** Searches the records. @returns the answer to the address that the search leads to */
  searchRecords(fields: Readonly<Record<string, string>>): Promise<Response>;
  /** Signs in with the shared password unless another is given. @returns the answer to the form */
  signIn(account: TestAccount, password?: string): Promise<Response>;
  /** The session cookie as it would be sent. */
  cookie(): string;
}

/** A visitor with a cookie jar of one cookie. */
export const newVisitor = (url: string, planted = ''): TestVisitor => {
  let cookie = planted;
  const visitor: TestVisitor = {
    async send(path, fields, headers = {}) {
      const response = await fetch(`${url}${path}`, {
        method: fields === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: { ...(cookie === '' ? {} : { Cookie: cookie }), ...headers },
        ...(fields === undefined ? {} : { body: new URLSearchParams(fields) }),
      });
      const set = response.headers.getSetCookie().find((one) => /^(__Host-)?registry=/.test(one));
      if (set !== undefined) cookie = set.split(';')[0] ?? '';
      return response;
    },
    async csrfToken(path) {
      return readCsrfToken(await (await visitor.send(path)).text());
    },
    async searchRecords(fields) {
      // A page that shows no records.
      const _csrf = await visitor.csrfToken('/account/password');
      const answer = await visitor.send('/registry/records', { _csrf, ...fields });
      return visitor.send(answer.headers.get('location') ?? '');
    },
    async signIn({ email }, password = PASSWORD) {
      const _csrf = await visitor.csrfToken('/sign-in');
      return visitor.send('/sign-in', { _csrf, email, password });
    },
    cookie: () => cookie,
  };
  return visitor;
};

/** A visitor who has signed in, in a session of its own. */
export const signInVisitor = async (
  url: string,
  account: TestAccount,
  password = PASSWORD,
): Promise<TestVisitor> => {
  const visitor = newVisitor(url);
  assert.is((await visitor.signIn(account, password)).status, 303);
  return visitor;
};

/** Visitors by account, each of whom signs in once. */
export const keepVisitors = (url: string): ((account: TestAccount) => Promise<TestVisitor>) => {
  const visitors = new Map<string, Promise<TestVisitor>>();
  return (account) => {
    const visitor = visitors.get(account.id) ?? signInVisitor(url, account);
    visitors.set(account.id, visitor);
    return visitor;
  };
};
