import { spawnSync } from 'node:child_process';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';

const COUNTING = 'COUNT_EXECUTED_BLOCKS';

/**
 * Returns the function that adds the rows of a file that count executed blocks. They run in a process
 * of their own, because V8 counts only in functions that it has not compiled before.
 * @param file address of the file
 */
export const createCountingRows = (rows: Test, file: string): Test['only'] => {
  if (COUNTING in process.env) return rows.only;
  rows('the rows that count executed blocks hold, in a process of their own', () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--import', 'tsx', fileURLToPath(file)],
      { env: { ...process.env, [COUNTING]: '' }, encoding: 'utf8' },
    );
    assert.is(status, 0, stdout);
    assert.match(stdout, /Passed: +[1-9]/);
  });
  return () => undefined;
};

let session: Session | null = null;

/** Opened before the work runs for the first time: a function that was compiled before has no counters. */
const openSession = async (): Promise<Session> => {
  if (session !== null) return session;
  session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return session;
};

/**
 * Counts how often the blocks of code run while `work` does, in the registry and its libraries:
 * each turn of a loop, each call of a callback. Unlike a time, the number is the same on every
 * machine.
 */
const countExecutedBlocks = async (work: () => unknown): Promise<number> => {
  const profiler = await openSession();
  const take = () => profiler.post('Profiler.takePreciseCoverage');
  await take();
  await work();
  const { result } = await take();
  return result
    .filter(({ url }) => url.startsWith('file:'))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0);
};

/**
 * Work that doubles adds twice the steps, and work for each pair of elements four times as many.
 * The count is not exact: V8 joins blocks that ran equally often.
 */
const MAX_GROWTH = 2.75;

/**
 * Asserts that work grows in proportion to a list: what it adds when the list doubles, it adds
 * twice when the list doubles again.
 * @param prepare makes the work for a list of a length; it is not counted
 */
export const assertGrowsInProportion = async (
  prepare: (length: number) => () => unknown,
  length: number,
): Promise<void> => {
  // What only the first run does would count for the shortest list.
  await countExecutedBlocks(prepare(length));
  const steps: number[] = [];
  for (const times of [1, 2, 4]) steps.push(await countExecutedBlocks(prepare(times * length)));
  const [one = 0, two = 0, four = 0] = steps;
  const shown = `${one}, ${two}, and ${four} steps for 1, 2, and 4 times ${length}`;
  assert.ok(two - one >= length, `${shown}: the list is not read`);
  assert.ok(four - two < MAX_GROWTH * (two - one), shown);
};
