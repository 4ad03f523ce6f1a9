import type { RequestHandler } from 'express';
import { CompiledQuery } from 'kysely';
import pLimit from 'p-limit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SignedIn } from '../../api/access/signed-in.ts';
import type { Guard } from '../../api/web/guards/seats.ts';
import { FORM_OF_ANOTHER_USER } from '../../api/web/page-problem.ts';
import { ROLES, type Role } from '../../domain/roles.ts';
import {
  ageSessions,
  newMember,
  newVisitor,
  signInVisitor,
  startTestAccounts,
  type TestAccount,
  type TestAccounts,
  type TestVisitor,
} from '../harness/pages.ts';
import { newPractice, openTestConnection, push } from '../harness/service.ts';
import { type MountedRoute, withMountedRoutes } from '../support/mounted-routes.ts';
import { attendedBirth, newPartnerFeed } from '../support/partners.ts';
import { SEED, takeCases } from '../support/runs.ts';

/**
 * Every page and every action against everybody: who is not let in by the design's table is
 * refused, whatever buttons they can see. A route that is not in the table fails the test.
 */
const access = suite<Context>('who may open what');

interface Context {
  pages: TestAccounts;
  routes: readonly MountedRoute[];
  /** Everybody signed in once: argon2 takes its time. */
  visitors: Readonly<Record<Exclude<Who, 'anybody'>, TestVisitor>>;
}

/** `auditor`: a Viewer with the permission. */
type Who = Role | 'auditor' | 'staff' | 'anybody';

const READERS: readonly Who[] = ['Admin', 'Provider', 'Viewer', 'auditor'];
const WRITERS: readonly Who[] = ['Admin', 'Provider', 'Scribe'];
const KEEPERS: readonly Who[] = ['Admin', 'Provider'];
const ADMINS: readonly Who[] = ['Admin'];
const AUDITORS: readonly Who[] = ['Admin', 'auditor'];
const STAFF: readonly Who[] = ['staff'];
const SEATED: readonly Who[] = [...ROLES, 'auditor'];
const SIGNED_IN: readonly Who[] = [...SEATED, 'staff'];
const ANYBODY: readonly Who[] = ['anybody'];

/** Longest beginnings first, with the actions below each page. */
const TABLE: readonly (readonly [RegExp, readonly Who[]])[] = [
  [/^GET \/sign-in\/sso\/again$/, SIGNED_IN],
  [/^(GET|POST) \/(set-up|sign-in|sign-out|$)/, ANYBODY],
  [/^(GET|POST) \/registry\/capture\/prefill$/, ANYBODY],
  [/^POST \/registry\/capture\/prefill\//, ANYBODY],
  [/^(GET|POST) \/account\//, SIGNED_IN],
  [/^GET \/registry$/, SEATED],
  [/^(GET|POST) \/registry\/records\/(new|check|entered)$/, WRITERS],
  [/^(GET|POST) \/registry\/records\/handed-over/, KEEPERS],
  [/^(GET|POST) \/registry\/records\/:\w+\/correct/, KEEPERS],
  [
    /^(GET|POST) \/registry\/records\/:\w+\/(void|keep|restore|bring-back|questions|missing|needed)$/,
    KEEPERS,
  ],
  [/^GET \/registry\/records\/:\w+\/access(\.csv)?$/, AUDITORS],
  [/^(GET|POST) \/registry\/records\/:\w+\/print$/, READERS],
  [/^POST \/registry\/printed$/, READERS],
  [/^(GET|POST) \/registry\/export$/, KEEPERS],
  [/^(GET \/registry\/records|POST \/registry\/records$)/, READERS],
  [/^GET \/registry\/births/, READERS],
  // A Scribe sees there what they have begun, and nothing of others.
  [/^GET \/registry\/to-do$/, WRITERS],
  [/^POST \/registry\/to-do/, KEEPERS],
  [/^(GET|POST) \/registry\/import\/:\w+\/undo$/, KEEPERS],
  [/^GET \/registry\/import\/:\w+\/records$/, KEEPERS],
  // Only who sees no records hands a row over; only who does compares it.
  [/^(GET|POST) \/registry\/import\/:\w+\/rows\/:\w+\/hand-over$/, ['Scribe']],
  [/^(GET|POST) \/registry\/import\/:\w+\/rows\//, KEEPERS],
  [/^(GET|POST) \/registry\/import/, WRITERS],
  [/^(GET|POST) \/registry\/duplicates/, KEEPERS],
  [/^GET \/registry\/statistics/, READERS],
  [/^(GET|POST) \/registry\/providers\/:\w+\/merge/, ADMINS],
  [/^(GET \/registry\/providers|POST \/registry\/providers$)/, READERS],
  [/^GET \/registry\/integrations$/, KEEPERS],
  [/^(GET|POST) \/registry\/integrations\//, ADMINS],
  [/^(GET|POST) \/registry\/(members|custom-fields|practice)/, ADMINS],
  [/^GET \/registry\/(access-log(\.csv)?|audit)$/, AUDITORS],
  [/^GET \/log\//, [...READERS, ...STAFF]],
  [/^(GET|POST) \/staff/, STAFF],
];

const PAGES = /^\/(registry|staff|account|log|set-up|sign-in|sign-out)?(\/|$)/;

access.before(async (context) => {
  const [pages, routes] = await withMountedRoutes(() => startTestAccounts());
  context.pages = pages;
  context.routes = routes.filter(({ path }) => PAGES.test(path));
  const { service, practice } = pages;
  const auditor = await newMember(service, practice.practiceId, 'Viewer', 'auditor@cedar.example');
  await service.commands.members.setAuditorPermission(practice.practiceId, auditor.id, true);
  const accounts = { ...pages.members, auditor, staff: pages.staff };
  const signedIn = Object.entries(accounts).map(
    async ([who, account]) => [who, await signInVisitor(pages.service.url, account)] as const,
  );
  context.visitors = Object.fromEntries(await Promise.all(signedIn)) as Context['visitors'];
});
access.after(({ pages }) => pages.service.stop());

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

const addressOf = ({ path }: MountedRoute): string => path.replace(/:\w+/g, UNKNOWN_ID);

const mayOpen = ({ method, path }: MountedRoute): readonly Who[] | null =>
  TABLE.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1] ?? null;

/** As much of each person as a guard looks at. */
const PERSONS = [
  ...ROLES.map((role) => [role, { kind: 'member', role, isAuditor: false }] as const),
  ['auditor', { kind: 'member', role: 'Viewer', isAuditor: true }] as const,
  ['staff', { kind: 'staff' }] as const,
];

const isGuard = (handler: RequestHandler): handler is Guard => 'mayEnter' in handler;

/** Who passes the guards at a route; `null` if there are none. */
const admittedAt = ({ handlers }: MountedRoute): readonly Who[] | null => {
  const guards = handlers.filter(isGuard);
  if (guards.length === 0) return null;
  const admitted = PERSONS.filter(([, person]) =>
    guards.every(({ mayEnter }) => mayEnter(person as SignedIn)),
  );
  return admitted.map(([who]) => who);
};

/** One whom a route lets in and one whom it refuses, others for each commit; all in long runs. */
const drawCallers = (route: MountedRoute, number: number): readonly Who[] => {
  const may = mayOpen(route) ?? [];
  const drawFrom = (some: readonly Who[]): readonly Who[] => {
    const from = (SEED + number) % Math.max(some.length, 1);
    return takeCases([...some.slice(from), ...some.slice(0, from)]);
  };
  const everybody = PERSONS.map(([who]) => who);
  return [
    ...drawFrom(everybody.filter((who) => may.includes(who))),
    ...drawFrom(everybody.filter((who) => !may.includes(who))),
  ];
};

const isSignInRedirect = (response: Response): boolean =>
  response.status === 303 && (response.headers.get('location') ?? '').startsWith('/sign-in');

const homeOf = (who: Who): string => (who === 'staff' ? '/staff' : '/registry');

/** Some at once: most of the time of a request is waiting. */
const forEach = async (
  routes: readonly MountedRoute[],
  work: (route: MountedRoute) => Promise<void>,
): Promise<void> => {
  const limit = pLimit(8);
  await Promise.all(routes.map((route) => limit(work, route)));
};

/** What is missing from an answer that no other site may frame, and nobody keep. */
const openIn = ({ headers }: Response): readonly string[] =>
  [
    ['x-frame-options', /^DENY$/i],
    ['content-security-policy', /(?:^|;)\s*frame-ancestors 'none'(?:;|$)/],
    ['cache-control', /^no-store$/],
    ['x-content-type-options', /^nosniff$/],
  ].flatMap(([name, expected]) =>
    (expected as RegExp).test(headers.get(name as string) ?? '') ? [] : [name as string],
  );

access('every route has an expectation', ({ routes }) => {
  assert.ok(routes.length > 40, `only ${routes.length} routes were seen`);
  const without = routes.filter((route) => mayOpen(route) === null);
  assert.equal(without, []);
  const methods = [...new Set(routes.map(({ method }) => method))];
  assert.equal(methods.sort(), ['GET', 'POST'], 'the tests below send these only');
});

access(
  'the menu has each of its pages for everyone who may open it, and for no one else',
  async ({ routes, visitors }) => {
    const menus = new Map<Who, readonly string[]>();
    for (const [who, visitor] of Object.entries(visitors)) {
      const html = await (await visitor.send(homeOf(who as Who))).text();
      const [menu = ''] = /<nav[^>]* aria-label="Places">.*?<\/nav>/s.exec(html) ?? [];
      const hrefs = [...menu.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
      menus.set(who as Who, hrefs);
    }
    assert.ok((menus.get('Admin')?.length ?? 0) > 10, 'no menu was found');
    for (const href of new Set([...menus.values()].flat())) {
      const route = routes.find(({ method, path }) => method === 'GET' && path === href);
      const shown = [...menus].filter(([, menu]) => menu.includes(href)).map(([who]) => who);
      const may = route === undefined ? [] : (mayOpen(route) ?? []);
      assert.equal(shown.toSorted(), may.toSorted(), href);
    }
  },
);

/** What no person sends by a form, or a script alone. */
const NO_FORMS = [
  '/sign-in/sso/:practice/logout',
  '/registry/records/:record/correct/check',
  '/registry/printed',
  '/registry/capture/prefill/check',
];

access('the address of every form has a page: a reload of its answer leads there', ({ routes }) => {
  const pages = routes
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`));
  const without = routes
    .filter(({ method, path }) => method === 'POST' && !pages.some((page) => page.test(path)))
    .map(({ path }) => path);
  assert.equal(without.sort(), NO_FORMS.toSorted());
});

access(
  'a visitor is led to the sign-in, and changes nothing, a key beside it or not',
  async (context) => {
    const { pages, routes } = context;
    const wrong: string[] = [];
    const withKey = { Authorization: `Bearer ${pages.practice.token}` };
    await forEach(routes, async (route) => {
      if (mayOpen(route)?.includes('anybody') ?? false) return;
      const isWithKey = (SEED + routes.indexOf(route)) % 2 === 0;
      for (const headers of takeCases(isWithKey ? [withKey, {}] : [{}, withKey])) {
        const response = await newVisitor(pages.service.url).send(
          addressOf(route),
          route.method === 'GET' ? undefined : { any: 'thing' },
          headers,
        );
        const isRefused =
          route.method === 'GET'
            ? isSignInRedirect(response)
            : [401, 403].includes(response.status);
        if (!isRefused || openIn(response).length > 0)
          wrong.push(`${route.method} ${route.path}: ${response.status} ${openIn(response)}`);
      }
    });
    assert.equal(wrong, []);
  },
);

access('the guards at each route admit whom the table says', ({ routes }) => {
  const wrong = routes.flatMap((route) => {
    // The invited have a form of their own before that of whoever is signed in.
    const sameAddress = routes.filter(
      ({ method, path }) => method === route.method && path === route.path,
    );
    const admitted = sameAddress.map(admittedAt).find((some) => some !== null);
    const may = mayOpen(route) ?? [];
    const expected = may.includes('anybody') ? undefined : may;
    return admitted?.toSorted().join() === expected?.toSorted().join()
      ? []
      : [`${route.method} ${route.path}: ${admitted}`];
  });
  assert.equal(wrong, []);
});

for (const [who] of PERSONS)
  access(`${who}: let in where the table says so, refused elsewhere`, async (context) => {
    const { visitors } = context;
    const routes = context.routes.filter((route, at) => drawCallers(route, at).includes(who));
    const visitor = visitors[who];
    const _csrf = await visitor.csrfToken(homeOf(who));
    const wrong: string[] = [];
    await forEach(routes, async (route) => {
      const may = mayOpen(route) ?? [];
      if (may.includes('anybody') && route.path !== '/registry/capture/prefill') return;
      const response = await visitor.send(
        addressOf(route),
        route.method === 'GET' ? undefined : { _csrf },
      );
      const isRefused = [401, 403].includes(response.status) || isSignInRedirect(response);
      const isExpected = may.includes('anybody') || isRefused !== may.includes(who);
      if (!isExpected || response.status >= 500 || openIn(response).length > 0)
        wrong.push(`${route.method} ${route.path}: ${response.status} ${openIn(response)}`);
    });
    assert.equal(wrong, []);
  });

/** Fields that most forms take: with the token they would do something. */
const TYPED = {
  name: 'Maple',
  label: 'Room',
  type: 'text',
  choices: '',
  role: 'Viewer',
  status: 'Active',
  email: 'new@cedar.example',
  scopes: 'ingest:write',
  form_id: UNKNOWN_ID,
  save: 'save',
  chart_number: 'CSRF-1',
  time_zone: 'America/New_York',
  sandbox: 'false',
  beta: 'false',
  'mother.family_name': 'Marin',
  password: 'a guess of somebody',
  old: 'a',
  new: 'b',
  'mother.given_names': 'Rosa',
  submission: UNKNOWN_ID,
  discard: '',
};

type Attack = readonly [name: string, send: () => Promise<Response>];

/** Refused for its origin, its token or its seat, or shown again to be sent once more. */
const isNotTaken = async (response: Response): Promise<boolean> => {
  const html = await response.text();
  if (response.status === 409) return html.includes(FORM_OF_ANOTHER_USER);
  return response.status === 403
    ? /This form has expired|You are already signed in/.test(html)
    : response.status < 300 && /Nothing is saved yet, but everything you typed is here/.test(html);
};

access(
  'no form is accepted without its token, with that of another account, or from another site',
  async (context) => {
    const { pages, routes, visitors } = context;
    const receipt = await push(pages.service.url, pages.practice.token, attendedBirth({}));
    const record = recordIn(receipt);
    const state = storedIn(pages);
    const stranger = await signInVisitor(pages.service.url, pages.members.Provider);
    const foreign = await stranger.csrfToken('/registry');
    const tokens = new Map<Who, string>();
    for (const [who, visitor] of Object.entries(visitors))
      tokens.set(who as Who, await visitor.csrfToken(homeOf(who as Who)));
    const before = await state.read();
    const wrong: string[] = [];
    const forms = routes.filter(({ method }) => method === 'POST');
    await forEach(forms, async (route) => {
      const who =
        (['Admin', 'staff'] as const).find((one) => mayOpen(route)?.includes(one)) ?? 'Admin';
      const visitor = visitors[who];
      const _csrf = tokens.get(who) ?? '';
      const address = addressOf({ ...route, path: route.path.replace(':record', record) });
      const elsewhere = 'https://elsewhere.example';
      const attacks: readonly [Attack, ...Attack[]] = [
        ['no token', () => visitor.send(address, TYPED)],
        ['the token of another account', () => visitor.send(address, { ...TYPED, _csrf: foreign })],
        ['the token in the address', () => visitor.send(`${address}?_csrf=${_csrf}`, TYPED)],
        [
          'a foreign origin',
          () => visitor.send(address, { ...TYPED, _csrf }, { Origin: elsewhere }),
        ],
        [
          'a site beside ours',
          () => visitor.send(address, { ...TYPED, _csrf }, { 'Sec-Fetch-Site': 'same-site' }),
        ],
        ['plain text', () => visitor.send(address, TYPED, { 'Content-Type': 'text/plain' })],
        ['a form with files', () => sentWithFiles(pages, visitor, address)],
      ];
      const [noToken, ...others] = attacks;
      const from = (SEED + forms.indexOf(route)) % others.length;
      // Another one for each form, and for each commit; all in long runs.
      const drawn = takeCases([...others.slice(from), ...others.slice(0, from)]);
      await Promise.all(
        [noToken, ...drawn].map(async ([attack, send]) => {
          const response = await send();
          // Nobody's pre-fill is in these sessions: there is nothing to save, or to show again.
          const isEmpty = route.path === '/registry/capture/prefill' && response.status === 410;
          // No form: it takes what an identity provider has signed, from nobody's browser.
          const isUnsigned =
            /^\/sign-in\/sso\/.*logout$/.test(route.path) && response.status === 400;
          if (!isEmpty && !isUnsigned && !(await isNotTaken(response)))
            wrong.push(`${route.path}, ${attack}: ${response.status}`);
        }),
      );
    });
    const after = await state.read();
    await state.close();
    assert.ok(forms.length > 30, `only ${forms.length} forms were seen`);
    assert.equal(wrong, []);
    assert.equal(after, before);
    for (const who of ['Admin', 'staff'] as const)
      assert.is((await visitors[who].send(`${homeOf(who)}`)).status, 200, 'still signed in');
  },
);

const sentWithFiles = ({ service }: TestAccounts, visitor: TestVisitor, address: string) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(TYPED)) body.set(name, value);
  body.set('file', new Blob(['chart_number\r\nCSRF-1\r\n']), 'births.csv');
  return fetch(`${service.url}${address}`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { Cookie: visitor.cookie() },
  });
};

const recordIn = (receipt: Awaited<ReturnType<typeof push>>): string => {
  if (receipt.status !== 'completed') throw new Error(`The receipt is ${receipt.status}`);
  const [accepted] = receipt.outcome.accepted;
  if (accepted === undefined) throw new Error(JSON.stringify(receipt.outcome.rejected));
  return accepted.submission_uuid;
};

/** Who looked at what is carried to the log when it can be: it says nothing of what forms did. */
const CHANGES = `(select count(*)::int from eventstore.event where stream not like 'access-%') as events`;

/** How much lies in the log and in the tables that forms write to. */
const storedIn = ({ service }: TestAccounts) => {
  const db = openTestConnection(service);
  const tables = ['app.draft', 'app.staged_import', 'app.used_form'];
  return {
    async read(): Promise<unknown> {
      const counts = tables.map((name) => `(select count(*)::int from ${name}) as "${name}"`);
      const query = `select ${[CHANGES, ...counts].join()}`;
      return (await db.executeQuery(CompiledQuery.raw(query))).rows[0];
    },
    close: () => db.destroy(),
  };
};

access('a thing of another practice looks like one that is not there', async (context) => {
  const { pages, routes, visitors } = context;
  const { service, practice } = pages;
  const other = await newPractice(service.commands);
  const theirs = await thingsIn(pages, other.practiceId, 'elsewhere', other.keyId);
  const ours = await thingsIn(pages, practice.practiceId, 'here', practice.keyId);
  const admin = visitors.Admin;
  const typed = { ...TYPED, _csrf: await admin.csrfToken('/registry') };
  const stranger = await signInVisitor(pages.service.url, theirs.admin);

  const looked = routes.filter(
    ({ path }) =>
      path.startsWith('/registry/') && path.includes(':') && !path.includes(':survivor'),
  );
  const kinds = new Set<string>();
  const wrong: string[] = [];
  const compare = async (route: MountedRoute, foreign: string, missing: string) => {
    const ask = async (address: string) =>
      seen(await admin.send(address, route.method === 'GET' ? undefined : typed));
    const [theirAnswer, noAnswer] = [await ask(foreign), await ask(missing)];
    if (theirAnswer !== noAnswer)
      wrong.push(`${route.method} ${route.path}: ${firstDifference(theirAnswer, noAnswer)}`);
  };
  await forEach(looked, async (route) => {
    const [kind = ''] = /^\/registry\/[\w-]+/.exec(route.path) ?? [];
    const id = theirs.ids[kind];
    if (id === undefined) {
      wrong.push(`${route.path}: the test makes no such thing`);
      return;
    }
    const at = (one: string) => route.path.replace(/:\w+/, one);
    // Whose it is sees it: otherwise all of this says nothing.
    if (route.method === 'GET' && (await stranger.send(at(id))).status === 200) kinds.add(kind);
    await compare(route, at(id), at(unlike(id)));
  });
  const kind = '/registry/providers';
  for (const route of routes.filter(({ path }) => path.includes(':survivor'))) {
    const [own, foreign] = [ours.ids[kind] ?? '', theirs.ids[kind] ?? ''];
    const at = (id: string, survivor: string) =>
      route.path.replace(':id', id).replace(':survivor', survivor);
    await compare(route, at(own, foreign), at(own, unlike(foreign)));
    await compare(route, at(foreign, own), at(unlike(foreign), own));
  }
  assert.equal(wrong, []);
  assert.equal([...kinds].sort(), Object.keys(theirs.ids).sort());
});

/** An answer without what is another each time. */
const seen = async (response: Response): Promise<string> => {
  const html = (await response.text())
    .replaceAll(/_csrf" value="[\w-]+"/g, '')
    // When it was asked for, for a print of it.
    .replace(/<p class="print-only[\s\S]*?<\/p>/, '');
  return withoutIds(`${response.status} ${response.headers.get('location')} ${html}`);
};

const withoutIds = (text: string): string =>
  text.replaceAll(/(?<=[/=":%])[\w-]*(?:[0-9a-f]{8}-[0-9a-f]{4}|[A-Za-z0-9_-]{18})[\w-]*/g, 'ID');

const firstDifference = (one: string, two: string): string => {
  const at = [...one].findIndex((letter, place) => letter !== two[place]);
  return `${one.slice(at - 20, at + 60)} <> ${two.slice(at - 20, at + 60)}`;
};

/** An id of the same shape that nothing has. */
const unlike = (id: string): string => `${id.slice(0, -4)}${id.endsWith('0000') ? '1111' : '0000'}`;

/** One thing of every kind that has an address, in a practice. */
const thingsIn = async (
  pages: TestAccounts,
  practiceId: string,
  where: string,
  keyId: string,
): Promise<{ readonly admin: TestAccount; readonly ids: Readonly<Record<string, string>> }> => {
  const { service } = pages;
  const feed = await newPartnerFeed(service.commands, practiceId);
  const attendant = { identity: `attendant-of-${where}`, name: 'Noor Haddad' };
  const record = recordIn(await push(service.url, feed, attendedBirth({ attendant })));
  const [provider] = await service.commands.providers.list(practiceId);
  const email = `admin@${where}.example`;
  const admin = await newMember(service, practiceId, 'Admin', email);
  const visitor = await signInVisitor(pages.service.url, admin);
  const _csrf = await visitor.csrfToken('/registry');
  await visitor.send('/registry/custom-fields', { _csrf, label: 'Room', type: 'text' });
  const fields = await (await visitor.send('/registry/custom-fields')).text();
  const body = new FormData();
  body.set('_csrf', _csrf);
  body.set('file', new Blob(['chart_number\r\n1\r\n']), 'births.csv');
  const brought = await fetch(`${service.url}/registry/import`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { Cookie: visitor.cookie() },
  });
  return {
    admin,
    ids: {
      '/registry/records': record,
      '/registry/providers': provider?.providerId ?? '',
      '/registry/members': admin.id,
      '/registry/integrations': keyId,
      '/registry/custom-fields':
        /custom-fields\/(?!new|certificate)([\w-]+)/.exec(fields)?.[1] ?? '',
      '/registry/import': (brought.headers.get('location') ?? '').split('/').at(-1) ?? '',
    },
  };
};

/** What somebody at an unattended screen could do harm with, and what leaves the registry as a file. */
const CONFIRMED = [
  'GET /account/security/confirm',
  'GET /registry/access-log.csv',
  'GET /registry/import/:id/refused.csv',
  'GET /registry/import/:id/result.csv',
  'GET /registry/practice/single-sign-on',
  'GET /registry/records/:record/access.csv',
  'POST /account/security/app',
  'POST /account/security/app/code',
  'POST /account/security/app/remove',
  'POST /account/security/codes',
  'POST /account/security/confirm',
  'POST /account/security/passkeys',
  'POST /account/security/passkeys/:passkey/remove',
  'POST /account/security/passkeys/challenge',
  'POST /registry/export',
  'POST /registry/integrations/keys',
  'POST /registry/integrations/keys/:key/addresses',
  'POST /registry/integrations/keys/:key/replace',
  'POST /registry/integrations/keys/:key/revoke',
  'POST /registry/integrations/scribe-key',
  'POST /registry/members',
  'POST /registry/members/:member/auditor',
  'POST /registry/members/:member/password',
  'POST /registry/members/:member/remove',
  'POST /registry/members/:member/seat',
  'POST /registry/practice/second-factor',
  'POST /registry/practice/single-sign-on',
  'POST /registry/practice/single-sign-on/off',
  'POST /staff/partners/:partner/beta',
  'POST /staff/partners/:partner/contract',
  'POST /staff/partners/:partner/keys',
  'POST /staff/partners/:partner/keys/:key/addresses',
  'POST /staff/partners/:partner/keys/:key/revoke',
  'POST /staff/people',
  'POST /staff/people/:person/password',
  'POST /staff/people/:person/remove',
  'POST /staff/practices/:practice/admin',
  'POST /staff/practices/:practice/beta',
  'POST /staff/practices/:practice/keys/:key/revoke',
  'POST /staff/practices/:practice/sandbox',
];

access(
  'what could do harm asks again who it is, ten minutes after the sign-in',
  async (context) => {
    const { pages, routes } = context;
    const asking = new Set<string>();
    for (const [who, account] of [
      ['Admin', pages.members.Admin],
      ['staff', pages.staff],
    ] as const) {
      const visitor = await signInVisitor(pages.service.url, account);
      const _csrf = await visitor.csrfToken(homeOf(who));
      await ageSessions(pages.service, account);
      await forEach(
        routes.filter((route) => mayOpen(route)?.includes(who)),
        async (route) => {
          const sent = route.method === 'GET' ? undefined : { _csrf };
          const html = await (await visitor.send(addressOf(route), sent)).text();
          if (html.includes('<h1>Confirm it is you</h1>'))
            asking.add(`${route.method} ${route.path}`);
        },
      );
    }
    assert.equal([...asking].sort(), CONFIRMED);
  },
);

access.run();
