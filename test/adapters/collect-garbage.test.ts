import { getHeapStatistics } from 'node:v8';
import { test } from 'uvu';
import { collectGarbageWhenIdle } from '../../adapters/package-internals/node/collect-garbage.ts';
import { eventually } from '../harness/eventually.ts';

const MIB = 1024 * 1024;
const LOOK_MS = 50;
/** By itself, V8 would take longer. */
const WITHIN_MS = 5_000;

test('an idle heap gives its memory back', async () => {
  let garbage = Array.from({ length: 500_000 }, (_, index) => ({ index }));
  const { used_heap_size: full } = getHeapStatistics();
  const stop = collectGarbageWhenIdle(LOOK_MS);
  garbage = [];
  await eventually(
    'the heap is smaller',
    () => getHeapStatistics().used_heap_size < full - 10 * MIB && garbage.length === 0,
    WITHIN_MS,
  );
  stop();
});

test.run();
