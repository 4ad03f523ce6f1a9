import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { measureClockDifference, watchAppends } from '../../adapters/event-log/append-health.ts';

const SENT_AT = Date.parse('2026-03-01T10:00:00Z');

test('our clock is ahead by what lies between the middle of an append and its moment in the log', () => {
  assert.equal(measureClockDifference({ sentAt: SENT_AT, elapsedMs: 20, storedAt: SENT_AT + 10 }), {
    aheadMs: 0,
    uncertaintyMs: 10,
  });
  assert.equal(
    measureClockDifference({ sentAt: SENT_AT, elapsedMs: 20, storedAt: SENT_AT + 60_010 }),
    {
      aheadMs: -60_000,
      uncertaintyMs: 10,
    },
  );
});

const measured = async (
  appends: ReturnType<typeof watchAppends>,
  storedAt: () => Promise<Date | null>,
) => {
  appends.measure({ sentAt: Date.now(), elapsedMs: 2 }, storedAt);
  await appends.settled();
  return appends.health().clock;
};

test('nothing is known by an event that an earlier try has stored, or that cannot be read', async () => {
  assert.is(await measured(watchAppends(), async () => null), null);
  const fails = () => Promise.reject(new Error('away'));
  assert.is(await measured(watchAppends(), fails), null);
});

test('nothing is known by an append during which the clock was set', async () => {
  const appends = watchAppends();
  appends.measure({ sentAt: Date.now() - 5_000, elapsedMs: 2 }, async () => new Date());
  await appends.settled();
  assert.is(appends.health().clock, null);
});

test('of appends in a row only the first is read back', async () => {
  const appends = watchAppends();
  const asked: string[] = [];
  const storedAt = async () => {
    asked.push('once');
    return new Date();
  };
  await measured(appends, storedAt);
  await measured(appends, storedAt);
  assert.equal(asked, ['once']);
});

test('a clock that was set is unknown until the next append, which measures at once', async () => {
  const appends = watchAppends();
  const now = Date.now;
  try {
    const before = await measured(appends, async () => new Date(now() + 10_000));
    assert.ok(Math.abs((before?.aheadMs ?? 0) + 10_000) < 1_000);
    Date.now = () => now() + 10_000;
    assert.is(appends.health().clock, null);
    const after = await measured(appends, async () => new Date(now() + 10_000));
    assert.ok(Math.abs(after?.aheadMs ?? 10_000) < 1_000);
  } finally {
    Date.now = now;
  }
});

test('a clock that was set during an append is measured with the next one', async () => {
  const now = Date.now;
  for (const byMs of [-10_000, -2_000, 2_000, 10_000]) {
    const appends = watchAppends();
    try {
      await measured(appends, async () => new Date(now()));
      const sentAt = Date.now();
      Date.now = () => now() + byMs;
      appends.measure({ sentAt, elapsedMs: 2 }, async () => new Date(now()));
      await appends.settled();
      assert.is(appends.health().clock, null, 'the old figure is dropped');
      const after = await measured(appends, async () => new Date(now()));
      assert.ok(Math.abs((after?.aheadMs ?? 0) - byMs) < 1_000, String(byMs));
    } finally {
      Date.now = now;
    }
  }
});

test('where nothing is known by an append, the next one is measured', async () => {
  const storedAt = async () => new Date();
  const unknown = [async () => null, () => Promise.reject(new Error('away'))];
  for (const none of unknown) {
    const appends = watchAppends();
    assert.is(await measured(appends, none), null);
    assert.is.not(await measured(appends, storedAt), null);
  }
});

test('appends fail from the first failure until one is answered', async () => {
  const appends = watchAppends();
  assert.is(appends.health().failingSince, null);
  appends.failed();
  const { failingSince } = appends.health();
  assert.instance(failingSince, Date);
  appends.failed();
  assert.is(appends.health().failingSince, failingSince);
  appends.answered();
  assert.is(appends.health().failingSince, null);
});

test.run();
