import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDeterministicId } from '../../adapters/crypto/ids.ts';
import { startService } from '../../api/app/service.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import { ingestionStream } from '../../domain/stream-names.ts';
import type { IngestionEnvelope } from '../../domain/submission/events.ts';
import {
  newPractice,
  poll,
  post,
  receiptAddress,
  receiptAt,
  startTestService,
} from '../harness/service.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';

/** What version 0.1 left in its queue when it was replaced by this one. */
const upgrade = suite('the queue of version 0.1');

const tried = { attempts: 1, is_in_doubt: true } as const;
const fresh = { attempts: 0, is_in_doubt: false } as const;

interface QueuedAsBefore {
  readonly tries?: typeof tried | typeof fresh;
  /** Whether the log names the row, and whether a worker had begun. */
  readonly log: 'nothing' | 'queued' | 'started';
  readonly minutesAgo?: number;
}

/** Puts a row of the queue back to where, and as, version 0.1 had it. */
const queueAsBefore = async (
  { db, log }: Stores,
  address: string,
  { log: inLog, tries = fresh, minutesAgo = 0 }: QueuedAsBefore,
): Promise<void> => {
  const ingestionId = address.split('/').at(-1) ?? '';
  const row = await db
    .selectFrom('app.submission')
    .selectAll()
    .where('ingestion_id', '=', ingestionId)
    .executeTakeFirstOrThrow();
  await sql`
    with gone as (delete from app.submission where ingestion_id = ${ingestionId} returning *),
      parts as (delete from app.submission_chunk where ingestion_id = ${ingestionId} returning *),
      entry as (
        insert into app.ingestion_queue (attempt, ingestion_id, practice_id, key_kind, courses,
          queued_at, expires_at, attempts, is_in_doubt)
        select attempt, ingestion_id, practice_id, key_kind, courses,
          now() - ${minutesAgo} * interval '1 minute', expires_at,
          ${tries.attempts}, ${tries.is_in_doubt} from gone
      )
    insert into app.ingestion_queue_chunk (attempt, chunk, sealed)
    select attempt, 0, sealed from gone where sealed is not null
    union all
    select gone.attempt, parts.chunk, parts.sealed from gone join parts using (ingestion_id)`.execute(
    db,
  );
  if (inLog === 'nothing') return;
  const head: IngestionEnvelope = {
    ingestionId,
    practiceId: row.practice_id,
    keyId: row.sender_id,
    keyKind: row.key_kind,
    attempt: row.attempt,
    courses: row.courses,
    correlationId: row.correlation_id,
    receivedAt: row.received_at.toISOString(),
  };
  const events = [
    { type: 'IngestionQueued', data: head },
    ...(inLog === 'started' ? [{ type: 'IngestionStarted', data: { ingestionId, run: 1 } }] : []),
  ].map((event, step) => ({ id: createDeterministicId('of before', ingestionId, step), event }));
  await log.append(ingestionStream(ingestionId), 'no-stream', events, {
    correlationId: row.correlation_id,
    causationId: null,
    actor: { kind: 'key', id: row.sender_id },
  });
};

/** Polls receipts until it is told to end. @returns how often each status of HTTP came */
const pollAll = (addresses: readonly string[], token: string) => {
  const statuses = new Map<number, number>();
  let isOver = false;
  const polling = (async () => {
    while (!isOver) {
      const answers = await Promise.all(addresses.map((address) => poll(address, token)));
      for (const answer of answers) {
        await answer.arrayBuffer();
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
    }
  })();
  return {
    async end() {
      isOver = true;
      await polling;
      return statuses;
    },
  };
};

upgrade('is worked off, and no receipt is missing meanwhile', async () => {
  const service = await startTestService({ ROLE: 'api' });
  const silent = openServiceLog('silent');
  const stores = await openStores(service.settings, 'command', silent);
  const { practiceId, token } = await newPractice(service.commands);
  const family = (chart: string) => ({ chartNumber: chart, mother: { family: `Of ${chart}` } });
  const send = async (bundle: unknown, key = '') => {
    const response = await post(service.url, token, bundle, { 'Idempotency-Key': key });
    assert.is(response.status, 202);
    return {
      address: receiptAddress(response),
      isReplay: response.headers.get('idempotent-replayed') === 'true',
    };
  };
  const births = (count: number, chart: string) =>
    batchOf(Array.from({ length: count }, (_, n) => birthBundle(family(`${chart}-${n}`))));

  const small = await send(births(2, 'small'));
  await queueAsBefore(stores, small.address, { log: 'queued' });
  const large = await send(births(120, 'large'));
  await queueAsBefore(stores, large.address, { log: 'started', tries: tried });
  const keyed = await send(births(1, 'keyed'), 'of before');
  await queueAsBefore(stores, keyed.address, { log: 'queued' });
  // Its door died before it was answered: the sender sends it again, to the version of now.
  const unanswered = await send(births(1, 'unanswered'), 'not answered');
  await queueAsBefore(stores, unanswered.address, { log: 'nothing', minutesAgo: 10 });
  const again = await send(births(1, 'unanswered'), 'not answered');
  assert.is(again.address, unanswered.address);
  // A row that lost the race for its Idempotency-Key, and was not dropped yet.
  await sql`insert into app.ingestion_queue
    (attempt, ingestion_id, practice_id, key_kind, courses, expires_at)
    values (${randomUUID()}, ${keyed.address.split('/').at(-1)}, ${practiceId}, 'native', 1,
      now() + interval '1 hour')`.execute(stores.db);
  // Sent again, to the version of now, while the read tables do not know it yet.
  const sentAgain = await send(births(1, 'keyed'), 'of before');
  assert.is(sentAgain.address, keyed.address);

  const all = [small, large, keyed, again].map(({ address }) => address);
  const polling = pollAll(all.slice(0, 3), token);
  const worker = await startService({ ...service.settings, role: 'all', port: 0 }, silent);
  await worker.started;
  try {
    for (const address of all) assert.is((await receiptAt(address, token)).status, 'completed');
    const left = async () =>
      (await sql`select from app.ingestion_queue`.execute(stores.db)).rows.length;
    for (const until = performance.now() + 60_000; (await left()) > 0; await sleep(50))
      assert.ok(performance.now() < until, 'its rows are gone in the end');
    const statuses = await polling.end();
    assert.equal([...statuses.keys()], [200]);
    for (const chart of ['small-0', 'small-1', 'large-0', 'large-119', 'keyed-0', 'unanswered-0']) {
      const { events } = await service.commands.history(practiceId, chart, null);
      assert.equal(
        events.map(({ type }) => type),
        ['BirthRecorded'],
        chart,
      );
    }
    assert.equal((await service.commands.verify()).problems, []);
  } finally {
    await polling.end();
    await worker.stop();
    await stores.close();
    await service.stop();
  }
});

upgrade.run();
