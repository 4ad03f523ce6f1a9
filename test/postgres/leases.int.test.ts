import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { createLeases } from '../../adapters/postgres/leases/leases.ts';
import { acquireLivenessLock } from '../../adapters/postgres/leases/liveness-lock.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import { createProjectionProgress } from '../../adapters/postgres/projector/projection-progress.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { eventually } from '../harness/eventually.ts';
import { databaseSuite } from '../harness/postgres.ts';

const leases = databaseSuite('leases');

const LONG_MS = 60_000;

leases.before(async ({ db }) => {
  // Several processes start at once: one migrates, the others wait.
  await Promise.all([1, 2, 3].map(() => migrate(db as never)));
  await ensureReadSchema(db, 'registry');
});

leases('one holder at a time; a release hands it on with how far was written', async ({ db }) => {
  const held = createLeases(db, LONG_MS, null);
  const [one, other] = [randomUUID(), randomUUID()];
  const lease = await held.take('a', one);
  if (lease === null) throw new Error('A free lease was refused');
  assert.is(await held.take('a', other), null);
  await held.release(lease, 42n, true);
  const next = await held.take('a', other);
  assert.equal([next?.highestPosition, next?.seized], [42n, false]);
});

leases('who gives way leaves a free lease to whoever waits for it', async ({ db }) => {
  const held = createLeases(db, LONG_MS, null);
  const progress = createProjectionProgress(db);
  const [one, other] = [randomUUID(), randomUUID()];
  const lease = await held.take('asked', one);
  if (lease === null) throw new Error('A free lease was refused');
  await held.request('asked', other);
  await held.release(lease, 1n, true);
  assert.is(await held.takeForReads('asked', one, progress.observe, true), null);
  assert.ok(
    await held.takeForReads('asked', other, progress.observe, true),
    'its own wish is not in its way',
  );
});

leases('of many that ask at once, one gets it', async ({ db }) => {
  const held = createLeases(db, LONG_MS, null);
  const asked = await Promise.all(
    Array.from({ length: 12 }, () => held.take('race', randomUUID())),
  );
  assert.is(asked.filter((lease) => lease !== null).length, 1);
});

leases('a lease that ran out is seized, and says so', async ({ db }) => {
  const brief = createLeases(db, 0, null);
  assert.ok(await brief.take('b', randomUUID()));
  const seized = await createLeases(db, LONG_MS, null).take('b', randomUUID());
  assert.is(seized?.seized, true);
});

leases('a renewal keeps the lease of its holder only', async ({ db }) => {
  const held = createLeases(db, LONG_MS, null);
  const lease = await createLeases(db, 0, null).take('renewed', randomUUID());
  if (lease === null) throw new Error('A free lease was refused');
  assert.ok(await held.renew(lease), 'nobody else has had it');
  await held.release(lease, 1n, true);
  assert.is(await held.renew(lease), null, 'given back');
  const brief = await createLeases(db, 0, null).take('renewed', randomUUID());
  if (brief === null) throw new Error('A free lease was refused');
  const other = await held.take('renewed', randomUUID());
  if (other === null) throw new Error('A lease that ran out was refused');
  await held.release(other, 2n, true);
  assert.is(await held.renew(brief), null, 'another has had it meanwhile');
});

leases('a lease stays seized until a holder gives it back settled', async ({ db }) => {
  const held = createLeases(db, LONG_MS, null);
  const first = await held.take('settled', randomUUID());
  if (first === null) throw new Error('A free lease was refused');
  assert.is(first.seized, true, 'a lease without a past');
  await held.release(first, 5n, false);
  const second = await held.take('settled', randomUUID());
  if (second === null) throw new Error('A free lease was refused');
  assert.is(second.seized, true);
  await held.release(second, 5n, true);
  assert.is((await held.take('settled', randomUUID()))?.seized, false);
});

leases('the lease of a process that is gone is free at once', async ({ db, url }) => {
  const presence = await acquireLivenessLock(url);
  assert.ok(await createLeases(db, LONG_MS, presence).take('c', randomUUID()));
  const others = createLeases(db, LONG_MS, null);
  assert.is(await others.take('c', randomUUID()), null);
  await presence.stop();
  // The server notices the end of a connection a moment after the client does.
  let lease = await others.take('c', randomUUID());
  await eventually('the lease is free', async () => {
    lease ??= await others.take('c', randomUUID());
    return lease !== null;
  });
  assert.is(lease?.seized, true);
});

leases('a process whose sign of life broke off knows it', async ({ db, url }) => {
  const presence = await acquireLivenessLock(url);
  try {
    const held = createLeases(db, LONG_MS, presence);
    const lease = await held.take('e', randomUUID());
    if (lease === null) throw new Error('A free lease was refused');
    assert.ok(lease.isLivenessIntact());
    const key = presence.key();
    await sql`
      select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and objid = (${key}::bigint & 4294967295)::oid`.execute(db);
    await eventually('the loss is noticed', () => !lease.isLivenessIntact());
    await eventually('another sign is shown', () => presence.key() !== null);
    assert.not.ok(lease.isLivenessIntact(), 'another may have it');
    const renewed = await held.renew(lease);
    assert.ok(renewed?.isLivenessIntact(), 'nobody else has had it');
  } finally {
    await presence.stop();
  }
});

leases('who waits for a lease is seen by its holder, not by itself', async ({ db }) => {
  const held = createLeases(db, LONG_MS, null);
  const [holder, requester] = [randomUUID(), randomUUID()];
  assert.is(await held.isRequested('d', holder), false);
  await held.request('d', requester);
  assert.is(await held.isRequested('d', holder), true);
  assert.is(await held.isRequested('d', requester), false);
  await held.withdraw('d', requester);
  assert.is(await held.isRequested('d', holder), false);
});

leases.run();
