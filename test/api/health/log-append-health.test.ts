import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createAppendHealthLog } from '../../../api/health/log-append-health.ts';
import { SAYS } from '../../../api/health/readiness.ts';
import type { AppendHealth } from '../../../domain/event-log.ts';

const WELL: AppendHealth = { failingSince: null, clock: { aheadMs: 3, uncertaintyMs: 2 } };

const logged = (healths: readonly AppendHealth[]): readonly string[] => {
  const lines: string[] = [];
  const add = (line: unknown) => void lines.push(String(line));
  const look = createAppendHealthLog({ warn: add, info: add });
  for (const health of healths) look(health);
  return lines;
};

const aheadBy = (aheadMs: number): AppendHealth => ({
  ...WELL,
  clock: { aheadMs, uncertaintyMs: 2 },
});

test('nothing is logged while all is well or nothing is known', () => {
  assert.equal(logged([WELL, { failingSince: null, clock: null }, WELL]), []);
});

test('clocks that differ are logged once, again when they differ otherwise, and when they agree', () => {
  const lines = logged([aheadBy(-2_000), aheadBy(-2_100), aheadBy(-60_000), WELL, WELL]);
  assert.is(lines.length, 3);
  assert.match(lines[0] ?? '', 'The clock of this machine is 2.0 s behind');
  assert.match(lines[1] ?? '', 'The clock of this machine is 60.0 s behind');
  assert.match(lines[2] ?? '', 'agree again');
});

test('appends that fail are logged once, and once when they do not any more', () => {
  const failing = { ...WELL, failingSince: new Date('2026-03-01T10:00:00Z') };
  const lines = logged([failing, failing, WELL, WELL]);
  assert.is(lines.length, 2);
  assert.is(lines[0], SAYS['appends-failing']);
});

test('the cause is logged when it is found, or another', () => {
  const failing = { ...WELL, failingSince: new Date('2026-03-01T10:00:00Z') };
  const unconfirmed = { ...failing, cause: 'unconfirmed' } as const;
  assert.equal(logged([failing, unconfirmed, unconfirmed]), [
    SAYS['appends-failing'],
    SAYS['log-unconfirmed'],
  ]);
});

test.run();
