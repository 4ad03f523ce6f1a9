import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Db, openDatabase } from '../../adapters/postgres/connection/database.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import {
  createStreamCache,
  findKnownRegistryId,
} from '../../adapters/postgres/read-model/stream-cache.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import { startTestPostgres } from '../harness/postgres.ts';

const kept = suite<{ db: Db; stop: () => Promise<void> }>('streams kept beside the queue');

kept.before(async (context) => {
  const postgres = await startTestPostgres();
  context.db = openDatabase(postgres.url, 2);
  await migrate(context.db as never);
  context.stop = async () => {
    await context.db.destroy();
    await postgres.stop();
  };
});
kept.after(({ stop }) => stop());

const STREAM = 'key-one';

const revocations = (count: number): readonly StoredEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `00000000-0000-5000-8000-00000000000${index}`,
    stream: STREAM,
    revision: BigInt(index),
    position: 2n ** 60n + BigInt(index),
    event: { type: 'ApiKeyRevoked', data: { keyId: 'one' } },
    metadata: {
      schemaVersion: 1,
      correlationId: 'test',
      causationId: null,
      actor: { kind: 'operator', id: 'Sam Reyes' },
      recordedAt: '2026-03-01T10:00:00Z',
    },
  }));

kept('a stream is found as it was read, by its own registry alone', async ({ db }) => {
  const streams = createStreamCache(db, 'found');
  assert.is(await streams.find(STREAM), null);
  await streams.put(STREAM, revocations(2));
  assert.equal(await streams.find(STREAM), revocations(2));
  assert.is(await createStreamCache(db, 'another').find(STREAM), null);
});

kept('of two reads at once the longer one is kept, whichever ends first', async ({ db }) => {
  const streams = createStreamCache(db, 'raced');
  await streams.put(STREAM, revocations(2));
  await streams.put(STREAM, revocations(1));
  assert.is((await streams.find(STREAM))?.length, 2);
});

kept('a log that was restored from a backup counts although it is shorter', async ({ db }) => {
  const streams = createStreamCache(db, 'restored');
  await streams.put(STREAM, revocations(2));
  await sql`update app.kept_stream set kept_at = now() - interval '1 hour'`.execute(db);
  await streams.put(STREAM, revocations(1));
  assert.is((await streams.find(STREAM))?.length, 1);
  await streams.put(STREAM, []);
  assert.is(await streams.find(STREAM), null);
});

kept('what a newer build has kept is not known', async ({ db }) => {
  const streams = createStreamCache(db, 'newer');
  await streams.put(STREAM, revocations(1));
  await sql`
    update app.kept_stream set events = jsonb_set(events, '{0,schemaVersion}', '99')
    where registry_id = 'newer'`.execute(db);
  assert.is(await streams.find(STREAM), null);
});

kept('an event of a type that only a newer build knows is kept for that build', async ({ db }) => {
  const streams = createStreamCache(db, 'newer-type');
  const [first] = revocations(1);
  if (first === undefined) throw new TypeError('There is one.');
  const written = { type: 'ApiKeyFrozen', data: { keyId: 'one', until: 'noon' } };
  await streams.put(STREAM, [{ ...first, event: null, written }]);
  assert.equal(await streams.find(STREAM), [{ ...first, event: null, written }]);
});

kept(
  'a database without read tables belongs to the registry that it was used with last',
  async ({ db }) => {
    await sql`truncate app.kept_stream`.execute(db);
    assert.is(await findKnownRegistryId(db), null);
    await createStreamCache(db, 'first').put('registry', revocations(1));
    await sql`update app.kept_stream set kept_at = now() - interval '1 hour'`.execute(db);
    await createStreamCache(db, 'second').put('registry', revocations(1));
    assert.is(await findKnownRegistryId(db), 'second');
  },
);

kept.run();
