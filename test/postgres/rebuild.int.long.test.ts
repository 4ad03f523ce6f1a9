import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { passTime } from '../harness/real-time.ts';
import { newPractice, startTestService } from '../harness/service.ts';
import { CLIENTS, requestsBeside } from './support/rebuilds.ts';

const SWAPS = 3;
const IDLE_MS = 5_000;

test('no request waits for a swap of the tables', async () => {
  const service = await startTestService();
  try {
    const context = { service, practice: await newPractice(service.commands) };
    // The first requests pay for what only first ones pay.
    await requestsBeside(context, () => passTime(IDLE_MS));
    // The same load beside a rebuild that compares the tables, and swaps none.
    const beside = await requestsBeside(context, async () => {
      for (let n = 0; n < SWAPS; n += 1) await service.commands.rebuild('compare');
    });
    const swapping = await requestsBeside(context, async () => {
      for (let n = 0; n < SWAPS; n += 1) await service.commands.rebuild('swap');
    });
    assert.equal(swapping.faults, []);
    const slowestOf = (tookMs: readonly number[]) => tookMs.toSorted((a, b) => b - a);
    // A swap that lets requests wait does so each time; a stall of the machine comes once.
    const slowest = slowestOf(swapping.tookMs)[CLIENTS] ?? 0;
    const without = slowestOf(beside.tookMs)[CLIENTS] ?? 0;
    assert.ok(slowest <= 5 * without, `${slowest} ms, ${without} ms without a swap`);
  } finally {
    await service.stop();
  }
});

test.run();
