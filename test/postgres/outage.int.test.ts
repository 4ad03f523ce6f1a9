import { rejects } from 'node:assert/strict';
import { sql } from 'kysely';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDatabase } from '../../adapters/postgres/connection/database.ts';
import { isDatabaseOutage } from '../../adapters/postgres/connection/outage.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import { formatFault } from '../../api/app/fault-messages.ts';
import { startService } from '../../api/app/service.ts';
import { singleFlight } from '../../api/health/health-probe.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { REFUSED_CERTIFICATES, showBeforePostgres } from '../harness/certificates.ts';
import { startTestPostgres, type TestPostgres } from '../harness/postgres.ts';
import { testSettings } from '../harness/service.ts';

const outage = suite<{ postgres: TestPostgres }>('what counts as an outage of the database');

outage.before(async (context) => {
  context.postgres = await startTestPostgres();
});
outage.after(({ postgres }) => postgres.stop());

const faultOf = (query: Promise<unknown>): Promise<unknown> =>
  query.then(
    () => assert.unreachable('the query should fail'),
    (error: unknown) => error,
  );

outage('a query on a connection that has gone, as the rollback after it', async ({ postgres }) => {
  const client = new pg.Client({ connectionString: postgres.url });
  client.on('error', () => undefined);
  await client.connect();
  const other = new pg.Client({ connectionString: postgres.url });
  await other.connect();
  const [{ pid }] = (await client.query('select pg_backend_pid() as pid')).rows as [
    { pid: number },
  ];
  const cutOff = faultOf(client.query('select pg_sleep(60)'));
  await other.query('select pg_terminate_backend($1)', [pid]);
  assert.ok(isDatabaseOutage(await cutOff));
  assert.ok(isDatabaseOutage(await faultOf(client.query('rollback'))));
  await client.end();
  assert.ok(isDatabaseOutage(await faultOf(client.query('rollback'))));
  await other.end();
});

/** Addresses of the database that cannot work, each wrong in one way. */
const REFUSED: Readonly<Record<string, (url: URL) => void>> = {
  'a wrong password': (url) => {
    url.password = 'Unmistakable';
  },
  'no password': (url) => {
    url.password = '';
  },
  'an account that is not there': (url) => {
    url.username = 'Unmistakable';
  },
  'a database that is not there': (url) => {
    url.pathname = 'Unmistakable';
  },
  'TLS where the server has none': (url) => {
    url.searchParams.set('sslmode', 'verify-full');
  },
};

const isSentence = (error: unknown, sentence: RegExp): boolean => {
  assert.ok(isDatabaseOutage(error));
  assert.match(formatFault(error), sentence);
  assert.not.match(formatFault(error), 'Unmistakable');
  return true;
};

for (const [name, change] of Object.entries(REFUSED))
  outage(`${name} has its own sentence, at a start too`, async ({ postgres }) => {
    const url = new URL(postgres.url);
    change(url);
    const db = openDatabase(url.href, 1);
    await rejects(migrate(db as never), (error) =>
      isSentence(error, /^Postgres answers, but refuses the connection.* DATABASE_URL/),
    );
    await db.destroy();
    const settings = testSettings(postgres.directory, {
      DATABASE_URL: url.href,
      REGISTRY_SECRET: 'of a test, and longer than thirty-two bytes',
    });
    const service = await startService(settings, openServiceLog('silent'));
    await rejects(service.started, (error) => isSentence(error, /^Postgres answers, but refuses/));
    await service.stop();
  });

for (const { name, certificate, isKnown } of REFUSED_CERTIFICATES)
  outage(`a certificate ${name} has its own sentence, at a start too`, async ({ postgres }) => {
    const url = new URL(postgres.url);
    const shown = await showBeforePostgres(Number(url.port), certificate);
    url.port = String(shown.port);
    url.searchParams.set('sslmode', 'verify-full');
    if (isKnown) url.searchParams.set('sslrootcert', certificate.cert);
    const sentence = /^The certificate of Postgres cannot be trusted/;
    const db = openDatabase(url.href, 1);
    isSentence(await faultOf(sql`select 1`.execute(db)), sentence);
    const ask = singleFlight(async () => sql`select 1`.execute(db));
    assert.equal(await ask(), { fault: 'database-certificate-refused' });
    await db.destroy();
    const settings = testSettings(postgres.directory, {
      DATABASE_URL: url.href,
      REGISTRY_SECRET: 'of a test, and longer than thirty-two bytes',
    });
    const service = await startService(settings, openServiceLog('silent'));
    await rejects(service.started, (error) => isSentence(error, sentence));
    await service.stop();
    shown.stop();
  });

outage('a server that takes no writes says so', async ({ postgres }) => {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('set default_transaction_read_only = on');
  isSentence(
    await faultOf(client.query('create table unwritten ()')),
    /^Postgres answers, but takes no writes\..*standby/,
  );
  await client.end();
});

outage('a database without a free connection says so', async ({ postgres }) => {
  const clients: pg.Client[] = [];
  const connectOnce = async (): Promise<unknown> => {
    const client = new pg.Client({ connectionString: postgres.url });
    client.on('error', () => undefined);
    clients.push(client);
    return client.connect().then(
      () => null,
      (error: unknown) => error,
    );
  };
  try {
    let refusal: unknown = null;
    while (refusal === null && clients.length < 1_000) refusal = await connectOnce();
    isSentence(refusal, /^Postgres accepts no further connections\. Raise its max_connections/);
    const db = openDatabase(postgres.url, 1);
    await rejects(migrate(db as never), (error) =>
      isSentence(error, /^Postgres accepts no further connections/),
    );
    const ask = singleFlight(async () => sql`select 1`.execute(db));
    assert.equal(await ask(), { fault: 'database-full' });
    await db.destroy();
  } finally {
    for (const client of clients) await client.end();
  }
});

outage('not what the database refuses', async ({ postgres }) => {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  assert.not(isDatabaseOutage(await faultOf(client.query('select 1 / 0'))));
  await client.end();
});

outage.run();
