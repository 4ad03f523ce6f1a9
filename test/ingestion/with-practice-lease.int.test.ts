import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Db, openDatabase } from '../../adapters/postgres/connection/database.ts';
import { createLeases, type Leases } from '../../adapters/postgres/leases/leases.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import {
  withPracticeLease as holdTurnOn,
  type WithPracticeLease,
} from '../../api/writes/with-practice-lease.ts';
import { startTestPostgres } from '../harness/postgres.ts';

const turns = suite<{ db: Db; stop: () => Promise<void> }>('the turn of a page or a command');

turns.before(async (context) => {
  const postgres = await startTestPostgres();
  const db = openDatabase(postgres.url, 4);
  await migrate(db as never);
  await ensureReadSchema(db, 'registry');
  context.db = db;
  context.stop = async () => {
    await db.destroy();
    await postgres.stop();
  };
});
turns.after(({ stop }) => stop());

const LONG_MS = 60_000;

/** Turns on real leases, over a log whose last event of ours is at `head`. */
const turnsOver = (db: Db, head: () => bigint, release?: Leases['release']) => {
  const reached: bigint[] = [];
  const leases = createLeases(db, LONG_MS, null);
  const holdTurn: WithPracticeLease = (practiceId, work) =>
    holdTurnOn(
      {
        log: {
          append: async () => ({ kind: 'appended', revision: 0n, position: head() }),
          head: async () => head(),
          end: async () => head(),
        },
        leases: { ...leases, release: release ?? leases.release },
        progress: {
          reach: async (position) => void reached.push(position),
          position: () => -1n,
          observe: (query) => query(),
        },
      },
      practiceId,
      work,
    );
  return { holdTurn, reached, leases };
};

/** What the read tables are known to hold when the work of a turn begins. */
const knownInTurn = async (
  { holdTurn, reached }: ReturnType<typeof turnsOver>,
  practiceId: string,
): Promise<readonly bigint[]> => {
  reached.length = 0;
  return holdTurn(practiceId, async () => [...reached]);
};

turns('after a holder that died sees all of the log before it decides', async ({ db }) => {
  const over = turnsOver(db, () => 42n);
  const dying = createLeases(db, 0, null);
  assert.ok(await dying.take('turn:died', randomUUID()));
  assert.equal(await knownInTurn(over, 'died'), [42n]);
});

turns('is given back settled, so that the next one need not look again', async ({ db }) => {
  let head = 42n;
  const over = turnsOver(db, () => head);
  assert.equal(await knownInTurn(over, 'first'), [42n], 'a lease without a past');
  head = 50n;
  assert.equal(await knownInTurn(over, 'first'), [42n]);
  const next = await over.leases.take('turn:first', randomUUID());
  assert.equal([next?.seized, next?.highestPosition], [false, 42n]);
});

turns('whose work failed leaves it open what the log holds', async ({ db }) => {
  let head = 42n;
  const over = turnsOver(db, () => head);
  const failing = over.holdTurn('failed', () => Promise.reject(new Error('An append failed')));
  assert.instance(await failing.catch((error: unknown) => error), Error);
  head = 50n;
  assert.equal(await knownInTurn(over, 'failed'), [50n]);
});

turns('whose work failed waits for nothing more of a database that is silent', async ({ db }) => {
  const { holdTurn } = turnsOver(
    db,
    () => 42n,
    () => new Promise(() => undefined),
  );
  const failing = holdTurn('silent', () => Promise.reject(new Error('No answer')));
  assert.match(await failing.then(() => '', String), 'No answer');
});

turns('what was done in it is done, also when it cannot be given back', async ({ db }) => {
  const { holdTurn } = turnsOver(
    db,
    () => 42n,
    () => Promise.reject(new Error('Gone')),
  );
  assert.is(await holdTurn('gone', async () => 'done'), 'done');
});

turns.run();
