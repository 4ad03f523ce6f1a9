import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isDatabaseOutage } from '../../adapters/postgres/connection/outage.ts';
import { startTestPostgres } from '../harness/postgres.ts';

const outage = suite<{ postgres: Awaited<ReturnType<typeof startTestPostgres>> }>(
  'what counts as an outage of the database',
);

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

outage('not what the database refuses', async ({ postgres }) => {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  assert.not(isDatabaseOutage(await faultOf(client.query('select 1 / 0'))));
  await client.end();
});

outage.run();
