import { Router } from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROLES, type Role } from '../../domain/member/events.ts';
import type { TestPages, TestVisitor } from '../support/pages.ts';

/**
 * Every page and every action against everybody: who is not let in by the design's table is
 * refused, whatever buttons they can see. A route that is not in the table fails the test.
 */
const access = suite<{ pages: TestPages; routes: readonly MountedRoute[] }>('who may open what');

interface MountedRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

type Who = Role | 'staff' | 'anybody';

const READERS: readonly Who[] = ['Admin', 'Provider', 'Viewer'];
const WRITERS: readonly Who[] = ['Admin', 'Provider', 'Scribe'];
const KEEPERS: readonly Who[] = ['Admin', 'Provider'];
const ADMINS: readonly Who[] = ['Admin'];
const STAFF: readonly Who[] = ['staff'];
const SEATED: readonly Who[] = ROLES;
const SIGNED_IN: readonly Who[] = [...ROLES, 'staff'];
const ANYBODY: readonly Who[] = ['anybody'];

/** Longest beginnings first: the table of design §8, with the actions below each page. */
const TABLE: readonly (readonly [RegExp, readonly Who[]])[] = [
  [/^(GET|POST) \/(sign-in|sign-out|$)/, ANYBODY],
  [/^(GET|POST) \/registry\/capture\/prefill$/, ANYBODY],
  [/^POST \/registry\/capture\/prefill\//, ANYBODY],
  [/^(GET|POST) \/account\//, SIGNED_IN],
  [/^GET \/registry$/, SEATED],
  [/^(GET|POST) \/registry\/records\/(new|check|entered|form-token)$/, WRITERS],
  [/^(GET|POST) \/registry\/records\/:\w+\/correct/, KEEPERS],
  [/^(GET|POST) \/registry\/records\/:\w+\/void$/, KEEPERS],
  [/^GET \/registry\/records/, READERS],
  [/^GET \/registry\/births/, READERS],
  [/^(GET|POST) \/registry\/import/, WRITERS],
  [/^(GET|POST) \/registry\/duplicates/, KEEPERS],
  [/^GET \/registry\/statistics/, READERS],
  [/^(GET|POST) \/registry\/providers\/:\w+\/merge/, ADMINS],
  [/^GET \/registry\/providers/, READERS],
  [/^GET \/registry\/integrations$/, KEEPERS],
  [/^(GET|POST) \/registry\/integrations\//, ADMINS],
  [/^(GET|POST) \/registry\/(members|custom-fields|practice)/, ADMINS],
  [/^(GET|POST) \/staff/, STAFF],
];

const PAGES = /^\/(registry|staff|account|sign-in|sign-out)?(\/|$)/;

access.before(async (context) => {
  const routes: { path: unknown; methods: Readonly<Record<string, boolean>> }[] = [];
  const { route } = Router.prototype as { route: (path: string) => (typeof routes)[number] };
  Object.assign(Router.prototype, {
    route(this: unknown, path: string) {
      const mounted = route.call(this, path);
      routes.push(mounted);
      return mounted;
    },
  });
  const { startTestPages } = await import('../support/pages.ts');
  context.pages = await startTestPages();
  Object.assign(Router.prototype, { route });
  context.routes = routes.flatMap(({ path, methods }) =>
    typeof path === 'string' && PAGES.test(path) && !path.includes('{')
      ? Object.keys(methods).map((method) => ({
          method: method.toUpperCase() as MountedRoute['method'],
          path,
        }))
      : [],
  );
});
access.after(({ pages }) => pages.stop());

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

const addressOf = ({ path }: MountedRoute): string => path.replace(/:\w+/g, UNKNOWN_ID);

const mayOpen = ({ method, path }: MountedRoute): readonly Who[] | null =>
  TABLE.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1] ?? null;

const isSignInRedirect = (response: Response): boolean =>
  response.status === 303 && (response.headers.get('location') ?? '').startsWith('/sign-in');

const answerTo = async (visitor: TestVisitor, route: MountedRoute, home: string) =>
  route.method === 'GET'
    ? visitor.send(addressOf(route))
    : visitor.send(addressOf(route), { _csrf: await visitor.csrfToken(home) });

access('every route has an expectation', ({ routes }) => {
  assert.ok(routes.length > 40, `only ${routes.length} routes were seen`);
  const without = routes.filter((route) => mayOpen(route) === null);
  assert.equal(without, []);
});

access('a visitor is led to the sign-in, and changes nothing', async ({ pages, routes }) => {
  const { newVisitor } = await import('../support/pages.ts');
  const wrong: string[] = [];
  for (const route of routes) {
    if (mayOpen(route)?.includes('anybody') ?? false) continue;
    const response = await newVisitor(pages.service.url).send(
      addressOf(route),
      route.method === 'GET' ? undefined : { any: 'thing' },
    );
    const isRefused =
      route.method === 'GET' ? isSignInRedirect(response) : [401, 403].includes(response.status);
    if (!isRefused) wrong.push(`${route.method} ${route.path}: ${response.status}`);
  }
  assert.equal(wrong, []);
});

for (const who of [...ROLES, 'staff'] as const)
  access(`${who}: let in where the table says so, refused elsewhere`, async ({ pages, routes }) => {
    const { newVisitor } = await import('../support/pages.ts');
    const account = who === 'staff' ? pages.staff : pages.members[who];
    const home = who === 'staff' ? '/staff' : '/registry';
    const visitor = newVisitor(pages.service.url);
    await visitor.signIn(account);
    const wrong: string[] = [];
    for (const route of routes) {
      const may = mayOpen(route) ?? [];
      if (may.includes('anybody')) continue;
      const response = await answerTo(visitor, route, home);
      const isRefused = [401, 403].includes(response.status) || isSignInRedirect(response);
      const isFault = response.status >= 500;
      if (isRefused === may.includes(who) || isFault)
        wrong.push(`${route.method} ${route.path}: ${response.status}`);
    }
    assert.equal(wrong, []);
  });

access.run();
