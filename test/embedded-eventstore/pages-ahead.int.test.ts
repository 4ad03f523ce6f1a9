import { jsonEvent } from '@eventstore/db-client';
import type pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readerPool } from '../../adapters/embedded-eventstore/store/connections.ts';
import { ReadAhead } from '../../adapters/embedded-eventstore/store/read-ahead.ts';
import { PAGE_EVENTS, Reader } from '../../adapters/embedded-eventstore/store/reader.ts';
import { connect, startOwnLog, uniqueStream } from './support/log-under-test.ts';

/** A log, and a reader that goes through it page by page. */
interface Context {
  pool: pg.Pool;
  append(count: number): Promise<void>;
  /** Position of the last event. */
  end(): Promise<bigint>;
  stop(): Promise<void>;
}

const ahead = suite<Context>('pages ahead');

ahead.before.each(async (context) => {
  const log = await startOwnLog();
  const client = connect(log);
  const pool = readerPool(log.own.databaseUrl);
  Object.assign(context, {
    pool,
    append: async (count) => {
      const events = Array.from({ length: count }, () => jsonEvent({ type: 'Tried', data: {} }));
      await client.appendToStream(uniqueStream('pages'), events);
    },
    end: async () => {
      const { rows } = await pool.query<{ end: string }>(
        'select max(position)::text as end from eventstore.event',
      );
      return BigInt(rows[0]?.end ?? 0);
    },
    stop: async () => {
      await client.dispose();
      await pool.end();
      await log.stop();
    },
  } satisfies Context);
});
ahead.after.each(({ stop }) => stop());

ahead('pages follow each other without a gap, and nothing comes twice', async (context) => {
  const count = 2 * PAGE_EVENTS + 7;
  await context.append(count);
  const end = await context.end();
  const pages = new ReadAhead(new Reader(context.pool));
  const seen: bigint[] = [];
  for (let at = 0n; at < end; at = seen.at(-1) ?? end)
    for (const { position } of await pages.next(at, end)) seen.push(position);
  assert.is(seen.length, count);
  assert.ok(seen.every((position, index) => index === 0 || position > (seen[index - 1] ?? 0n)));
});

ahead('a page that was empty when it was read ahead is read again', async (context) => {
  await context.append(PAGE_EVENTS);
  const pages = new ReadAhead(new Reader(context.pool));
  const full = await pages.next(0n, await context.end());
  assert.is(full.length, PAGE_EVENTS);
  await context.append(1);
  const last = full.at(-1)?.position ?? 0n;
  assert.is((await pages.next(last, await context.end())).length, 1);
});

ahead('a reader that goes elsewhere is not given the page that was read ahead', async (context) => {
  await context.append(2 * PAGE_EVENTS);
  const pages = new ReadAhead(new Reader(context.pool));
  const end = await context.end();
  const [first] = await pages.next(0n, end);
  const [again] = await pages.next(0n, end);
  assert.is(again?.position, first?.position);
});

ahead.run();
