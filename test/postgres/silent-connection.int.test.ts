import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isAlive } from '../../adapters/embedded-postgres/process-identity.ts';
import {
  type Db,
  ENDLESS_STATEMENTS,
  openDatabase,
} from '../../adapters/postgres/connection/database.ts';
import { startTestPostgres } from '../harness/postgres.ts';

const silent = suite<{ url: string; stop: () => Promise<void> }>('a connection that goes silent');

silent.before(async (context) => {
  const { url, stop } = await startTestPostgres();
  Object.assign(context, { url, stop });
  const db = openDatabase(url, 1);
  await sql`create table public.note (text text)`.execute(db);
  await db.destroy();
});
silent.after(({ stop }) => stop());

const ANSWER_MS = 300;

const note = (db: Db, text: string) => sql`insert into public.note values (${text})`.execute(db);

/**
 * Works on a pool of one connection while what serves it in Postgres can be stopped and let go on.
 * @returns what another connection sees in the end
 */
const notesAfter = async (
  url: string,
  work: (db: Db, freeze: () => void, thaw: () => void) => Promise<void>,
): Promise<readonly string[]> => {
  const db = openDatabase(url, 1, { ...ENDLESS_STATEMENTS, answerMs: ANSWER_MS });
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const pid = rows[0]?.pid ?? 0;
  const thaw = () => {
    if (isAlive(pid)) process.kill(pid, 'SIGCONT');
  };
  const outside = openDatabase(url, 1);
  try {
    await work(db, () => void process.kill(pid, 'SIGSTOP'), thaw);
    // Whatever it had read before it found its connection closed is done, then.
    await sql`select pg_terminate_backend(${pid}, 5000)`.execute(outside);
    const seen = await sql<{ text: string }>`delete from public.note returning text`.execute(
      outside,
    );
    return seen.rows.map(({ text }) => text).sort();
  } finally {
    thaw();
    await db.destroy();
    await outside.destroy();
  }
};

const fails = async (work: Promise<unknown>): Promise<void> => {
  assert.match(await work.then(() => 'done', String), 'timeout');
};

silent('when a transaction begins takes nothing into it that comes later', async ({ url }) => {
  const seen = await notesAfter(url, async (db, freeze, thaw) => {
    freeze();
    await fails(db.transaction().execute((transaction) => note(transaction, 'lost')));
    thaw();
    await note(db, 'kept');
  });
  assert.equal(seen, ['kept']);
});

silent('within a transaction takes nothing into it that comes later', async ({ url }) => {
  const seen = await notesAfter(url, async (db, freeze, thaw) => {
    await fails(
      db.transaction().execute(async (transaction) => {
        await note(transaction, 'lost');
        freeze();
        await note(transaction, 'lost, too');
      }),
    );
    thaw();
    await note(db, 'kept');
  });
  assert.equal(seen, ['kept']);
});

silent('is not asked once more', async ({ url }) => {
  const seen = await notesAfter(url, async (db, freeze, thaw) => {
    freeze();
    await fails(sql`select 1`.execute(db));
    await note(db, 'kept');
    thaw();
  });
  assert.equal(seen, ['kept']);
});

silent('is another thing than a refusal: the same connection goes on', async ({ url }) => {
  const db = openDatabase(url, 1);
  const pidOf = async () =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
  const pid = await pidOf();
  await sql`select 1 / 0`.execute(db).catch(() => undefined);
  assert.is(await pidOf(), pid);
  await db.destroy();
});

silent.run();
