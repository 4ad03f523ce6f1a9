import { request } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Scope } from '../../domain/api-key/events.ts';
import type { ContractStatus } from '../../domain/partner/events.ts';
import { eventually } from '../harness/eventually.ts';
import { newMember, PASSWORD, signInVisitor } from '../harness/pages.ts';
import {
  newPractice,
  post,
  push,
  pushAddress,
  startTestService,
  type TestService,
} from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';
import { type MountedRoute, withMountedRoutes } from '../support/mounted-routes.ts';

/**
 * Every route that is no page, against everybody who may call. A route without an expectation fails
 * the test, and so does one that tells a caller of things that are not the caller's.
 */
const api = suite<Context>('who may call what');

interface Context {
  service: TestService;
  routes: readonly MountedRoute[];
  /** What each caller sends to say who they are. */
  callers: Readonly<Record<Caller, Headers>>;
  /** An ingestion of the practice that all callers but one are of. */
  ingestion: string;
  /** One of another practice. */
  foreignIngestion: string;
}

type Headers = Readonly<Record<string, string>>;

const NOBODY = [
  'nobody',
  'not a token of ours',
  'unknown token',
  'token cut short',
  'another scheme',
  'token as a cookie',
  'session of an Admin',
  'session of the staff',
  'revoked key',
  'revoked key of a partner',
] as const;
const CLOSED = ['partner Pending', 'partner Suspended', 'partner outside the beta'] as const;
const OPEN = [
  'key',
  'key that writes',
  'key that reads',
  'key of another practice',
  'key outside the beta',
  'partner Active',
  'revoked session beside a key',
] as const;
const CALLERS = [...NOBODY, ...CLOSED, ...OPEN] as const;

type Caller = (typeof CALLERS)[number];

/** Status and issue code; the code is null where no OperationOutcome is sent. */
type Answer = readonly [status: number, code: string | null];

const UNAUTHENTICATED: Answer = [401, 'login'];
const FORBIDDEN: Answer = [403, 'forbidden'];

/** What everybody gets who is not named, and what the named ones get. */
interface Expectation {
  readonly nobody: Answer;
  readonly closed: Answer;
  readonly open: Answer;
  readonly but?: Partial<Record<Caller, Answer>>;
}

const forAll = (answer: Answer): Expectation => ({ nobody: answer, closed: answer, open: answer });

const PUSH = '/api/registry/fhir';
const OF_A_RECEIPT: Expectation = {
  nobody: UNAUTHENTICATED,
  closed: FORBIDDEN,
  open: [200, null],
  but: {
    'key that writes': FORBIDDEN,
    'key of another practice': [404, 'not-found'],
  },
};

const NOTHING: Expectation = {
  nobody: UNAUTHENTICATED,
  closed: [404, 'not-found'],
  open: [404, 'not-found'],
};

/** spec "Authentication": the key says it, nothing else does. */
const TABLE: Readonly<Record<string, Expectation>> = {
  [`POST ${PUSH}/Bundle`]: {
    nobody: UNAUTHENTICATED,
    closed: FORBIDDEN,
    open: [202, 'informational'],
    but: { 'key that reads': FORBIDDEN },
  },
  [`GET ${PUSH}/ingestions/:ingestion`]: OF_A_RECEIPT,
  [`GET ${PUSH}/ingestions/:ingestion/proof`]: OF_A_RECEIPT,
  [`ALL ${PUSH}/ingestions/:ingestion/proof`]: {
    nobody: UNAUTHENTICATED,
    closed: [405, 'not-supported'],
    open: [405, 'not-supported'],
  },
  [`ALL ${PUSH}/Bundle`]: {
    nobody: UNAUTHENTICATED,
    closed: [405, 'not-supported'],
    open: [405, 'not-supported'],
  },
  [`ALL ${PUSH}/ingestions/:ingestion`]: {
    nobody: UNAUTHENTICATED,
    closed: [405, 'not-supported'],
    open: [405, 'not-supported'],
  },
  // spec: "There is no endpoint to list or query prior ingestions or records."
  [`GET ${PUSH}/Bundle`]: {
    nobody: UNAUTHENTICATED,
    closed: [405, 'not-supported'],
    open: [405, 'not-supported'],
  },
  [`GET ${PUSH}/metadata`]: forAll([200, null]),
  [`ALL ${PUSH}/metadata`]: forAll([405, 'not-supported']),
  // Nothing is mounted here: only a key is told so.
  [`ALL ${PUSH}`]: NOTHING,
  [`GET ${PUSH}/Bundle/:submission_uuid`]: NOTHING,
  [`GET ${PUSH}/ingestions`]: NOTHING,
  'GET /health/live': forAll([200, null]),
  'GET /health/ready': forAll([200, null]),
  'GET /metrics': forAll([200, null]),
  ...Object.fromEntries(
    [
      '/openapi.json',
      '/docs',
      '/docs/diagnostics',
      '/docs/codes',
      '/docs/codes.json',
      '/docs/edits',
      '/docs/statistics',
      '/docs/exported-items',
    ].flatMap((path) => [
      [`GET ${path}`, forAll([200, null])],
      [`ALL ${path}`, forAll([405, 'not-supported'])],
    ]),
  ),
  'GET /docs/assets/:hash/:name': forAll([404, 'not-found']),
  'GET /assets/{*path}': forAll([404, 'not-found']),
  // Public, and not set up here.
  'GET /smart/launch': forAll([503, 'transient']),
  'GET /smart/callback': forAll([503, 'transient']),
  'ALL /smart/launch': forAll([405, 'not-supported']),
  'ALL /smart/callback': forAll([405, 'not-supported']),
};

const PAGES = /^\/(?:registry|staff|account|log|set-up|sign-in|sign-out)?(?:\/|$)/;
/** Counted by the address, ten in a minute: too few for all callers. */
const CALLBACKS = '/smart/callback';

api.before(async (context) => {
  const [service, routes] = await withMountedRoutes(() =>
    startTestService({ CHECKPOINT_SECONDS: '1' }),
  );
  context.service = service;
  context.routes = routes.filter(({ path }) => !PAGES.test(path));
  const { commands, url } = service;
  const both = ['ingest:write', 'ingest:read'] as const;
  const [{ practiceId }, other, leaving] = await Promise.all([
    newPractice(commands),
    newPractice(commands),
    newPractice(commands),
  ]);
  const mint = (...scopes: readonly Scope[]) =>
    commands.keys.mintNative({ practiceId, scopes, name: null });
  const feedOf = async (status: ContractStatus, beta = true) => {
    const partnerId = await commands.partners.create({ name: 'Maple EHR', beta, status });
    const order = { partnerId, practiceId, name: null, scopes: both };
    return commands.keys.mintPartner(order);
  };
  const member = (n: number) => newMember(service, practiceId, 'Admin', `admin-${n}@cedar.example`);
  const email = 'staff@registry.example';
  const minted = Promise.all([
    mint(...both),
    mint('ingest:write'),
    mint('ingest:read'),
    mint(...both),
    feedOf('Active'),
    feedOf('Pending'),
    feedOf('Suspended'),
    feedOf('Active', false),
    feedOf('Active'),
  ]);
  const signedIn = Promise.all([
    member(1).then((account) => signInVisitor(url, account)),
    member(2).then((account) => signInVisitor(url, account)),
    commands.accounts
      .addStaff({ email, password: PASSWORD })
      .then((id) => signInVisitor(url, { id, email })),
  ]);
  const [full, writing, reading, revoked, revokedFeed, pending, suspended, outside, active] =
    await minted;
  const [admin, gone, staff] = await signedIn;
  const goneCookie = gone.cookie();
  await gone.send('/sign-out', { _csrf: await gone.csrfToken('/registry') });
  const [ours, theirs, leavings] = await Promise.all(
    [full, other, leaving].map(({ token }) => push(url, token, birthBundle())),
  );
  context.ingestion = ours?.id ?? '';
  context.foreignIngestion = theirs?.id ?? '';
  own['key outside the beta'] = leavings?.id ?? '';
  await eventually('checkpoints cover them', async () => {
    const { token } = other;
    const path = `${PUSH}/ingestions/${context.foreignIngestion}/proof`;
    const of = { headers: { Authorization: `Bearer ${token}` } };
    return (await fetch(`${url}${path}`, of)).ok;
  });
  await commands.checkpoint();
  await Promise.all([
    commands.practices.set(leaving.practiceId, { sandbox: null, beta: false }),
    commands.keys.revoke(revoked.keyId),
    commands.keys.revoke(revokedFeed.keyId),
  ]);

  const bearer = ({ token }: { readonly token: string }) => ({ Authorization: `Bearer ${token}` });
  context.callers = {
    nobody: {},
    'not a token of ours': bearer({ token: 'rgk_nobody' }),
    'unknown token': bearer({ token: `rgk_${'A'.repeat(43)}` }),
    'token cut short': bearer({ token: full.token.slice(0, -1) }),
    'another scheme': { Authorization: `Basic ${full.token}` },
    'token as a cookie': {
      Cookie: `registry=${full.token}; token=${full.token}`,
      'X-Api-Key': full.token,
    },
    'session of an Admin': { Cookie: admin.cookie() },
    'session of the staff': { Cookie: staff.cookie() },
    'revoked key': bearer(revoked),
    'revoked key of a partner': bearer(revokedFeed),
    'partner Pending': bearer(pending),
    'partner Suspended': bearer(suspended),
    'partner outside the beta': bearer(outside),
    key: bearer(full),
    'key that writes': bearer(writing),
    'key that reads': bearer(reading),
    'key of another practice': bearer(other),
    'key outside the beta': bearer(leaving),
    'partner Active': bearer(active),
    'revoked session beside a key': { ...bearer(full), Cookie: goneCookie },
  };
});
api.after(({ service }) => service.stop());

/** Ingestions of callers from a practice of their own. */
const own: Partial<Record<Caller, string>> = {};

const codeIn = async (response: Response): Promise<string | null> => {
  const text = await response.text();
  if (!/fhir\+json/.test(response.headers.get('content-type') ?? '')) return null;
  return (JSON.parse(text) as { issue?: readonly { code: string }[] }).issue?.[0]?.code ?? null;
};

/** The plain address may be taken before the router, another spelling of it never is. */
const DOORS = ['', '?_format=json'] as const;

type Address = Pick<MountedRoute, 'method' | 'path'>;

const doorsOf = ({ path }: Address) => (path.startsWith(PUSH) ? DOORS : [DOORS[0]]);

const answerTo = async (
  { service, callers, ingestion }: Context,
  { method, path }: Address,
  caller: Caller,
  door: string,
): Promise<Answer> => {
  const address = path
    .replace(':ingestion', own[caller] ?? ingestion)
    .replace(/:\w+|\{\*path\}/g, 'nothing');
  const response = await fetch(`${service.url}${address}${door}`, {
    method: method === 'ALL' ? 'DELETE' : method,
    redirect: 'manual',
    headers: { ...callers[caller], 'Content-Type': 'application/fhir+json' },
    ...(method === 'POST' ? { body: JSON.stringify(birthBundle()) } : {}),
  });
  return [response.status, await codeIn(response)];
};

const expectedOf = ({ method, path }: Address, caller: Caller): Answer | undefined => {
  const row = TABLE[`${method} ${path}`];
  const named = row?.but?.[caller];
  if (named !== undefined) return named;
  if ((NOBODY as readonly string[]).includes(caller)) return row?.nobody;
  return (CLOSED as readonly string[]).includes(caller) ? row?.closed : row?.open;
};

api('every route has an expectation', ({ routes }) => {
  assert.ok(routes.length > 15, `only ${routes.length} routes were seen`);
  const without = routes.filter((route) => expectedOf(route, 'nobody') === undefined);
  assert.equal(without, []);
});

for (const caller of CALLERS)
  api(`${caller}: what the table says, at every route`, async (context) => {
    const unmounted = ['ingestions', 'Bundle', 'Bundle/:submission_uuid'].map((path) => ({
      method: 'GET',
      path: `${PUSH}/${path}`,
    }));
    const asked = [...context.routes, ...unmounted]
      .filter(({ path }) => path !== CALLBACKS || caller === 'nobody')
      .flatMap((route) => doorsOf(route).map((door) => ({ route, door })));
    const wrong = await Promise.all(
      asked.map(async ({ route, door }) => {
        const found = await answerTo(context, route, caller, door);
        const expected = expectedOf(route, caller);
        return found.join() === expected?.join()
          ? []
          : [`${route.method} ${route.path}${door}: ${found} instead of ${expected}`];
      }),
    );
    assert.equal(wrong.flat(), []);
  });

/** An answer as a caller sees it, without what is another each time. */
const seen = async (response: Response) => ({
  status: response.status,
  body: await response.text(),
  headers: [...response.headers]
    .filter(([name]) => !/^(?:date|x-correlation-id|x-ratelimit-(?:remaining|reset))$/.test(name))
    .sort(([a], [b]) => a.localeCompare(b)),
});

api('an ingestion of another practice looks like one that is not there', async (context) => {
  const { service, callers, ingestion, foreignIngestion } = context;
  const { url } = service;
  const fresh =
    (await pushAddress(url, bearerOf(callers['key of another practice']), birthBundle()))
      .split('/')
      .at(-1) ?? '';
  const ask = async (id: string, door: string, caller: Caller = 'key') =>
    seen(await fetch(`${url}${PUSH}/ingestions/${id}${door}`, { headers: callers[caller] }));
  for (const door of DOORS) {
    const missing = await ask('A'.repeat(fresh.length), door);
    assert.is(missing.status, 404);
    for (const id of [foreignIngestion, fresh])
      for (const caller of ['key', 'key that reads', 'partner Active'] as const)
        assert.equal(await ask(id, door, caller), missing, caller);
    // It is there all the same, for whom it belongs to.
    assert.is((await ask(foreignIngestion, door, 'key of another practice')).status, 200);
    assert.is((await ask(ingestion, door)).status, 200);
  }
});

api('an Idempotency-Key of another practice is as good as new', async ({ service, callers }) => {
  const headers = { 'Idempotency-Key': 'birth-1' };
  const sent = (caller: Caller) =>
    post(service.url, bearerOf(callers[caller]), birthBundle(), headers);
  const [ours, theirs] = [await sent('key'), await sent('key of another practice')];
  assert.equal([ours.status, theirs.status], [202, 202]);
  assert.is.not(ours.headers.get('content-location'), theirs.headers.get('content-location'));
});

api('who is refused learns nothing of the key, and has not been read', async (context) => {
  const { service, callers } = context;
  const large = 'x'.repeat(100_000);
  const answers = await Promise.all(
    NOBODY.map(async (caller) => {
      const headers = { ...callers[caller], 'Idempotency-Key': 'birth-2' };
      return seen(
        await fetch(`${service.url}${PUSH}/Bundle`, { method: 'POST', headers, body: large }),
      );
    }),
  );
  for (const answer of answers) assert.equal(answer, answers[0]);
  assert.is(answers[0]?.status, 401);
  assert.match(JSON.stringify(answers[0]?.headers), /"www-authenticate","Bearer"/);
});

api('no answer may be kept, framed, or taken for something else by a browser', async (context) => {
  const { service, routes } = context;
  for (const { method, path } of routes.filter((route) => route.method === 'GET')) {
    const address = path.replace(':ingestion', context.ingestion).replace(/:\w+|\{.*\}/g, 'x');
    const { headers } = await fetch(`${service.url}${address}`, { headers: context.callers.key });
    const caching = path === `${PUSH}/metadata` ? 'public, max-age=3600' : 'no-store';
    assert.is(headers.get('cache-control'), caching, `${method} ${path}`);
    assert.is(headers.get('x-content-type-options'), 'nosniff', `${method} ${path}`);
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path);
    assert.match(headers.get('content-type') ?? '', /; ?charset=utf-8$/i, `${method} ${path}`);
    assert.is(headers.get('access-control-allow-origin'), null, `${method} ${path}`);
  }
});

api('an address that a caller only claims to come from counts for nothing', async ({ service }) => {
  const statuses: number[] = [];
  for (let n = 0; n < 11; n += 1) {
    const headers = { 'X-Forwarded-For': `198.51.100.${n}`, Forwarded: `for=198.51.100.${n}` };
    statuses.push((await fetch(`${service.url}${CALLBACKS}`, { headers })).status);
  }
  // No proxy is trusted here: all of them came from one address, and the callback takes ten.
  assert.is(statuses.at(-1), 429);
});

api('no page of these can be framed, that of a 429 included', async ({ service, routes }) => {
  const framed: string[] = [];
  let pages = 0;
  for (const { path } of routes) {
    const { headers } = await fetch(`${service.url}${path}`, { headers: { Accept: 'text/html' } });
    if (!/^text\/html/.test(headers.get('content-type') ?? '')) continue;
    pages += 1;
    const policy = headers.get('content-security-policy') ?? '';
    if (!/(?:^|; *)frame-ancestors 'none'/.test(policy)) framed.push(path);
  }
  assert.ok(pages > 5, `only ${pages} pages were seen`);
  assert.equal(framed, []);
});

/** Sends a path as it stands; fetch would tidy it up. @returns status and Location */
const asItStands = (
  { url }: TestService,
  path: string,
  method = 'GET',
): Promise<readonly [number, string]> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    // An idle connection may close just as it is used again.
    request({ hostname, port, path, method, agent: false }, (response) => {
      response.resume();
      resolve([response.statusCode ?? 0, response.headers.location ?? '']);
    })
      .on('error', reject)
      .end();
  });

api('TRACE is not answered', async ({ service }) => {
  for (const path of ['/', '/sign-in', '/docs', '/health/live', `${PUSH}/Bundle`]) {
    const [status] = await asItStands(service, path, 'TRACE');
    assert.ok([401, 404, 405].includes(status), `${path}: ${status}`);
  }
});

api('no address leads a browser to another host', async ({ service }) => {
  const evil = 'evil.example';
  for (const path of [
    `//${evil}/registry`,
    `//${evil}/..`,
    `/\\${evil}/registry`,
    `/registry//${evil}`,
    `/%2f%2f${evil}/registry`,
    `/%5c${evil}/registry`,
    `/registry/..//${evil}`,
    `/;//${evil}`,
    `http://${evil}/registry`,
    `http://${evil}//${evil}/registry`,
    `https://${evil}/`,
    `/?next=//${evil}`,
    `/sign-in?next=//${evil}`,
    `/sign-in/?next=//${evil}`,
    `/docs//${evil}`,
    `/registry/import/%2f%2f${evil}/confirm`,
    `//${evil}/docs`,
    `/account/password?next=//x`,
  ]) {
    const [status, location] = await asItStands(service, path);
    const { host } = new URL(location, `${service.url}/`);
    assert.is(host, new URL(service.url).host, `${path}: ${status} ${location}`);
  }
});

const bearerOf = (headers: Headers): string => (headers['Authorization'] ?? '').slice(7);

api.run();
