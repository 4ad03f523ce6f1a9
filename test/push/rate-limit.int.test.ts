import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request } from 'express';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRateLimitStore } from '../../adapters/postgres/access/rate-limit-store.ts';
import { type Db, openDatabase } from '../../adapters/postgres/connection/database.ts';
import { isDatabaseOutage } from '../../adapters/postgres/connection/outage.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import { type Service, startService } from '../../api/app/service.ts';
import { readBearerToken } from '../../api/http/bearer-token.ts';
import { createAnswerFault, errorMiddleware } from '../../api/http/error-middleware.ts';
import {
  getAddressBucket,
  getTokenBucket,
  rateLimiter,
  TOO_MANY_REQUESTS,
  WINDOW_MS,
} from '../../api/http/rate-limiter.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { eventually, within } from '../harness/eventually.ts';
import { freePort, type Relay, relayTo } from '../harness/ports.ts';
import { startTestPostgres } from '../harness/postgres.ts';
import { isAboutNow, passTime } from '../harness/real-time.ts';
import {
  newPractice,
  poll,
  post,
  receiptAddress,
  startTestService,
  type TestService,
  testSettings,
} from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle } from '../support/bundles.ts';
import { checkContract } from '../support/contract.ts';

const BUNDLE = '/api/registry/fhir/Bundle';
const INGESTION = '/api/registry/fhir/ingestions/{ingestion}';
const METADATA = '/api/registry/fhir/metadata';
const LIMIT = 6;

const remaining = (response: Response): number =>
  Number(response.headers.get('x-ratelimit-remaining') ?? Number.NaN);

// The service ------------------------------------------------------------------------------

interface Served {
  service: TestService;
  second: Service;
}

/** What a row counts in: a token and an octet of addresses that no other row has. */
interface Buckets extends Served {
  readonly token: string;
  readonly attempt: number;
}

const served = suite<Served>('the rate limit of the service');

served.before(async (context) => {
  const limit = { RATE_LIMIT_PER_MINUTE: String(LIMIT), TRUST_PROXY: 'loopback' };
  context.service = await startTestService(limit);
  context.second = await startService(
    { ...context.service.settings, role: 'api' },
    openServiceLog('silent'),
  );
  await context.second.started;
});
served.after(async ({ service, second }) => {
  await second.stop();
  await service.stop();
});

/** A row whose minute ran out on a busy machine begins again, with buckets that nothing has hit. */
const inOneWindow = (claim: string, row: (context: Buckets) => Promise<void>): void => {
  served(claim, async ({ service, second }) => {
    for (;;) {
      const minute = AbortSignal.timeout(WINDOW_MS);
      const { token } = await newPractice(service.commands);
      attempts += 1;
      try {
        await row({ service, second, token, attempt: attempts });
        return;
      } catch (error) {
        if (!minute.aborted) throw error;
      }
    }
  });
};
let attempts = 0;

inOneWindow(
  'submitting and polling share one bucket, and the next request is 429',
  async (context) => {
    const { service, token } = context;
    const first = await post(service.url, token, birthBundle());
    assert.is(first.status, 202);
    await checkContract(BUNDLE, 'post', first);
    assert.is(first.headers.get('x-ratelimit-limit'), String(LIMIT));
    assert.is(remaining(first), LIMIT - 1);
    const address = receiptAddress(first);
    for (let left = LIMIT - 2; left >= 0; left -= 1) {
      const polled = await poll(address, token);
      assert.is(polled.status, 200);
      await checkContract(INGESTION, 'get', polled);
      assert.is(remaining(polled), left);
    }
    for (const [path, method, refused] of [
      [BUNDLE, 'post', await post(service.url, token, birthBundle())],
      [INGESTION, 'get', await poll(address, token)],
    ] as const) {
      assert.is(refused.status, 429);
      await checkContract(path, method, refused);
      assert.is(remaining(refused), 0);
      const seconds = refused.headers.get('retry-after') ?? '';
      assert.match(seconds, /^\d+$/);
      assert.ok(Number(seconds) >= 1 && Number(seconds) <= 60, seconds);
    }
  },
);

inOneWindow(
  'a second service on the same database counts into the same bucket',
  async (context) => {
    const { service, second, token } = context;
    const nowhere = '/api/registry/fhir/ingestions/none';
    const answers = await Promise.all(
      Array.from({ length: LIMIT * 4 }, (_, index) =>
        poll(`${index % 2 === 0 ? service.url : second.url}${nowhere}`, token),
      ),
    );
    const passed = answers.filter(({ status }) => status !== 429);
    assert.is(passed.length, LIMIT);
    assert.equal(
      passed.map(remaining).sort((a, b) => a - b),
      Array.from({ length: LIMIT }, (_, index) => index),
    );
  },
);

inOneWindow('every response carries the headers, errors included', async (context) => {
  const { service, token } = context;
  const { url, commands } = service;
  const readOnly = (await newPractice(commands, ['ingest:read'])).token;
  const headers = { Authorization: `Bearer ${token}` };
  const lane = `${url}/api/registry/fhir`;
  const answers = {
    400: await post(url, token, 'no Bundle'),
    401: await post(url, `rgk_${randomUUID()}`, birthBundle()),
    403: await post(url, readOnly, birthBundle()),
    404: await fetch(`${lane}/Patient`, { headers }),
    405: await fetch(`${lane}/Bundle`, { headers, method: 'PUT' }),
    413: await post(url, token, Buffer.alloc(20 * 1024 * 1024 + 1, ' ')),
  };
  for (const [status, response] of Object.entries(answers)) {
    assert.is(response.status, Number(status));
    assert.is(response.headers.get('x-ratelimit-limit'), String(LIMIT), status);
    assert.ok(remaining(response) < LIMIT, status);
    if (status !== '404') await checkContract(BUNDLE, 'post', response);
  }
});

const invented = () => `rgk_${randomBytes(32).toString('base64url')}`;

inOneWindow(
  'invented tokens count for their address, and 401 becomes 429; a key goes on there',
  async ({ service, token, attempt }) => {
    const ask = (bearer: string, address: string) =>
      fetch(`${service.url}/api/registry/fhir/ingestions/none`, {
        headers: { Authorization: `Bearer ${bearer}`, 'X-Forwarded-For': address },
      });
    // It has worked in this process: a hospital behind the same address is not stopped by others.
    assert.is((await ask(token, `203.0.${attempt}.20`)).status, 404);
    for (let sent = 0; sent < LIMIT; sent += 1) {
      const answer = await ask(invented(), `203.0.${attempt}.20`);
      assert.is(answer.status, 401);
      assert.is(remaining(answer), LIMIT - 1 - sent);
    }
    const refused = await ask(invented(), `203.0.${attempt}.20`);
    assert.is(refused.status, 429);
    await checkContract(INGESTION, 'get', refused);
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/);
    assert.is((await ask(token, `203.0.${attempt}.20`)).status, 404);
    assert.is((await ask(invented(), `203.0.${attempt}.21`)).status, 401);
  },
);

inOneWindow(
  'without a token the bucket is the address, as a trusted proxy tells it',
  async (context) => {
    const from = (address: string) =>
      fetch(`${context.service.url}${BUNDLE}`, { headers: { 'X-Forwarded-For': address } });
    for (let sent = 0; sent < LIMIT; sent += 1)
      assert.is((await from(`203.0.${context.attempt}.7`)).status, 401);
    assert.is((await from(`203.0.${context.attempt}.7`)).status, 429);
    assert.is((await from(`203.0.${context.attempt}.8`)).status, 401);
  },
);

inOneWindow(
  'the CapabilityStatement is counted by the address, apart from pushes and keys',
  async ({ service, token, attempt }) => {
    const ask = (address: string) =>
      fetch(`${service.url}${METADATA}`, {
        headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': address },
      });
    for (let left = LIMIT - 1; left >= 0; left -= 1) {
      const answer = await ask(`203.0.${attempt}.40`);
      assert.equal([answer.status, remaining(answer)], [200, left]);
    }
    const refused = await ask(`203.0.${attempt}.40`);
    assert.is(refused.status, 429);
    await checkContract(METADATA, 'get', refused);
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/);
    assert.is((await ask(`203.0.${attempt}.41`)).status, 200);
    // Neither the key nor what the address may fail is used up.
    const headers = { 'X-Forwarded-For': `203.0.${attempt}.40` };
    const pushed = await post(service.url, token, birthBundle(), headers);
    assert.equal([pushed.status, remaining(pushed)], [202, LIMIT - 1]);
    assert.is((await post(service.url, null, birthBundle(), headers)).status, 401);
  },
);

/** @param address as a proxy writes it */
const statusFrom = async ({ service }: Pick<Served, 'service'>, address: string): Promise<number> =>
  (await fetch(`${service.url}${BUNDLE}`, { headers: { 'X-Forwarded-For': address } })).status;

inOneWindow('an IPv6 network of 56 bits is one caller', async (context) => {
  for (let sent = 0; sent < LIMIT; sent += 1)
    assert.is(
      await statusFrom(context, `2001:db8:${context.attempt}:${sent.toString(16)}::9`),
      401,
    );
  assert.is(await statusFrom(context, `2001:db8:${context.attempt}:ff::1`), 429);
  assert.is(await statusFrom(context, `2001:db8:${context.attempt}:100::1`), 401);
});

for (const [claim, spellingsOf] of Object.entries({
  'an IPv4 address': (octet: string) => [
    `203.0.${octet}.31`,
    `203.0.${octet}.31:51324`,
    `203.0.${octet}.31:51325`,
    `::ffff:203.0.${octet}.31`,
  ],
  'an IPv6 address': (octet: string) => [
    `2001:db8:a${octet}::9`,
    `[2001:db8:a${octet}::9]:443`,
    `[2001:db8:a${octet}::9]:444`,
    `2001:DB8:A${octet}:0:0:0:0:9`,
  ],
}))
  inOneWindow(`${claim} is one caller in every spelling`, async (context) => {
    const spellings = spellingsOf(String(context.attempt));
    for (let sent = 0; sent < LIMIT; sent += 1)
      assert.is(await statusFrom(context, spellings[sent % spellings.length] ?? ''), 401);
    for (const spelling of spellings) assert.is(await statusFrom(context, spelling), 429, spelling);
  });

for (const [accept, type] of [
  ['application/json', 'application/json'],
  ['application/fhir+json', 'application/json'],
  ['text/html, application/json;q=0.5', 'application/json'],
  ['*/*', 'text/html'],
  ['text/html', 'text/html'],
  ['application/fhir+xml', 'text/html'],
  [null, 'text/html'],
] as const)
  inOneWindow(`Accept ${accept ?? 'missing'}: the body of a 429 is ${type}`, async (context) => {
    const headers = {
      Authorization: `Bearer ${context.token}`,
      ...(accept === null ? {} : { Accept: accept }),
    };
    const address = new URL(`${context.service.url}/api/registry/fhir/ingestions/none`);
    for (let sent = 0; sent < LIMIT; sent += 1) await getWith(address, headers);
    const { status, contentType, body } = await getWith(address, headers);
    assert.is(status, 429);
    assert.match(contentType, type);
    if (type === 'text/html') assert.match(body, `<p>${TOO_MANY_REQUESTS}</p>`);
    else assert.equal(JSON.parse(body), { message: TOO_MANY_REQUESTS });
  });

served('a service that is still starting: 503, headers included', async () => {
  const directory = temporaryDirectory('starting');
  const settings = testSettings(directory.path, {
    DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/registry`,
    REGISTRY_SECRET: 'a secret of thirty-two bytes or more',
    RATE_LIMIT_PER_MINUTE: String(LIMIT),
  });
  const starting = await startService(settings, openServiceLog('silent'));
  const refused = await post(starting.url, null, birthBundle());
  assert.is(refused.status, 503);
  await checkContract(BUNDLE, 'post', refused);
  assert.is(refused.headers.get('x-ratelimit-limit'), String(LIMIT));
  await starting.stop();
  directory.remove();
});

/** Without what `fetch` adds of itself: it always sends Accept. */
const getWith = (
  address: URL,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; contentType: string; body: string }> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(address, { headers }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on('end', () => {
        const contentType = response.headers['content-type'] ?? '';
        resolve({ status: response.statusCode ?? 0, contentType, body });
      });
    });
    request.on('error', reject);
    request.end();
  });

served.run();

// The limiter and its store ----------------------------------------------------------------

/** A window that no machine is too slow for. */
const AN_HOUR_MS = 3_600_000;

interface Stores {
  postgres: { url: string; stop(): Promise<void> };
  relay: Relay;
  db: Db;
  away: Db;
}

const limiter = suite<Stores>('a limiter on Postgres');

limiter.before(async (context) => {
  context.postgres = await startTestPostgres();
  context.db = openDatabase(context.postgres.url, 8);
  await migrate(context.db as never);
  const url = new URL(context.postgres.url);
  context.relay = await relayTo(Number(url.port));
  url.port = String(context.relay.port);
  context.away = openDatabase(url.href, 2);
});
limiter.after(async ({ postgres, relay, db, away }) => {
  await relay.close();
  await away.destroy();
  await db.destroy();
  await postgres.stop();
});

const bucketOfBearer = (req: Request): string => {
  const token = readBearerToken(req);
  return token === null ? getAddressBucket(req) : getTokenBucket(token);
};

const serve = async (
  db: Db,
  parts: { readonly name: string; readonly limit: number; readonly windowMs: number },
  bucketOf: (req: Request) => string = bucketOfBearer,
): Promise<{ url: string; server: Server }> => {
  const { name, limit, windowMs } = parts;
  const store = createRateLimitStore(db, name, windowMs);
  const app = express()
    .use(rateLimiter({ store, limit, windowMs, getBucket: bucketOf }))
    .use((_req, res) => {
      res.json({});
    })
    .use(errorMiddleware(createAnswerFault(isDatabaseOutage, () => undefined)));
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
};

const stop = (server: Server): void => {
  server.closeAllConnections();
  server.close();
};

limiter('when the window is over the bucket is full again', async ({ db }) => {
  const { url, server } = await serve(db, { name: 'window', limit: 2, windowMs: AN_HOUR_MS });
  const statuses = async () => [
    (await fetch(url)).status,
    (await fetch(url)).status,
    (await fetch(url)).status,
  ];
  assert.equal(await statuses(), [200, 200, 429]);
  const refused = await fetch(url);
  const seconds = Number(refused.headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 3600, `${seconds}`);
  await sql`update app.rate_limit set resets_at = clock_timestamp()
    where bucket like 'window:%'`.execute(db);
  assert.equal(await statuses(), [200, 200, 429]);
  stop(server);
});

limiter('limiters of different names do not count for each other', async ({ db }) => {
  const parts = { limit: 1, windowMs: AN_HOUR_MS };
  const one = await serve(db, { name: 'one', ...parts }, getAddressBucket);
  const other = await serve(db, { name: 'other', ...parts }, getAddressBucket);
  assert.equal([(await fetch(one.url)).status, (await fetch(one.url)).status], [200, 429]);
  assert.is((await fetch(other.url)).status, 200);
  stop(one.server);
  stop(other.server);
});

limiter('hits from many processes at once all get numbers of their own', async ({ db }) => {
  const stores = Array.from({ length: 4 }, () => createRateLimitStore(db, 'exact', AN_HOUR_MS));
  const buckets = ['a', 'b', 'c'];
  const hits = await Promise.all(
    Array.from({ length: 1_200 }, async (_, index) => {
      const bucket = buckets[index % buckets.length] ?? '';
      const store = stores[Math.floor(index / buckets.length) % stores.length];
      return { bucket, totalHits: (await store?.increment(bucket))?.totalHits ?? 0 };
    }),
  );
  for (const bucket of buckets)
    assert.equal(
      hits
        .filter((hit) => hit.bucket === bucket)
        .map(({ totalHits }) => totalHits)
        .sort((a, b) => a - b),
      Array.from({ length: 400 }, (_, index) => index + 1),
    );
});

limiter('a hit taken back or a bucket emptied counts no more', async ({ db }) => {
  const store = createRateLimitStore(db, 'undone', AN_HOUR_MS);
  await store.increment('a');
  await store.increment('a');
  await store.decrement('a');
  assert.is((await store.increment('a')).totalHits, 2);
  await store.resetKey('a');
  assert.is((await store.increment('a')).totalHits, 1);
});

limiter('a window of before the clock was set back does not last', async ({ db }) => {
  const store = createRateLimitStore(db, 'clock', AN_HOUR_MS);
  await store.increment('a');
  await sql`update app.rate_limit set hits = 500, resets_at = resets_at + interval '1 day'
    where bucket like 'clock%'`.execute(db);
  const { totalHits, resetTime } = await store.increment('a');
  assert.is(totalHits, 1);
  assert.ok(isAboutNow(Number(resetTime) - AN_HOUR_MS));
  assert.is((await store.increment('a')).totalHits, 2);
});

limiter('neither tokens nor addresses stand in the table; expired rows go', async ({ db }) => {
  const parts = { name: 'gone', limit: 9 };
  const { url, server } = await serve(db, { ...parts, windowMs: AN_HOUR_MS });
  const headers = { Authorization: 'Bearer rgk_secret' };
  await fetch(url, { headers });
  await fetch(url);
  const held = async () =>
    (
      await sql<{ bucket: string }>`
        select bucket from app.rate_limit where bucket like 'gone:%'`.execute(db)
    ).rows.map(({ bucket }) => bucket);
  const buckets = await held();
  assert.is(buckets.length, 2);
  assert.not.match(buckets.join(), /rgk_|127\.0\.0\.1/);
  await sql`update app.rate_limit set resets_at = clock_timestamp()
    where bucket like 'gone:%'`.execute(db);
  const cleaning = await serve(db, { ...parts, windowMs: 200 }, getAddressBucket);
  await eventually('the row of the token is gone', async () => {
    await fetch(cleaning.url);
    return !(await held()).some((bucket) => bucket.startsWith('gone:token'));
  });
  stop(cleaning.server);
  stop(server);
});

limiter('rows of tens of thousands of invented tokens all go at once', async ({ db }) => {
  const windowMs = 200;
  const store = createRateLimitStore(db, 'invented', windowMs);
  await sql`
    insert into app.rate_limit (bucket, hits, resets_at)
    select 'invented:' || n, 1, clock_timestamp() from generate_series(1, 25000) n`.execute(db);
  await passTime(windowMs);
  // The window of the store is over: this hit, and no later one, has the table cleaned.
  await store.increment('one');
  const left = async () =>
    Number(
      (
        await sql<{ count: string }>`
          select count(*) as count from app.rate_limit where bucket like 'invented:%'`.execute(db)
      ).rows[0]?.count,
    );
  // The hit itself may be over as well by then.
  await eventually('all are gone', async () => (await left()) <= 1);
});

limiter('the database away: 503, neither 429 nor unlimited, headers included', async (context) => {
  const { url, server } = await serve(context.away, {
    name: 'away',
    limit: 1,
    windowMs: AN_HOUR_MS,
  });
  assert.is((await fetch(url)).status, 200);
  await context.relay.cut();
  const refused = await fetch(url);
  assert.is(refused.status, 503);
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  assert.is(refused.headers.get('x-ratelimit-limit'), '1');
  assert.is(remaining(refused), 0);
  const outcome = (await refused.json()) as { issue: { code: string }[] };
  assert.is(outcome.issue[0]?.code, 'transient');
  await context.relay.mend();
  context.relay.freeze();
  // It hangs until it is mended below.
  const both = within(
    'nobody waits for a database that hangs',
    Promise.all([fetch(url), fetch(url)]),
  );
  assert.equal(
    (await both).map(({ status }) => status),
    [503, 503],
  );
  await context.relay.mend();
  // The pool may hand out one more connection that the cut has broken.
  let status = 503;
  await eventually('the database is back', async () => {
    ({ status } = await fetch(url));
    return status !== 503;
  });
  assert.is(status, 429);
  stop(server);
});

limiter.run();
