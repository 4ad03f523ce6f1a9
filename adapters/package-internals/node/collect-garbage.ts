import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const MIB = 1024 * 1024;
const LOOK_MS = 10_000;
const LOOKS = 3;
/** Health probes and the service's own timers allocate less between two looks. */
const MAX_IDLE_GROWTH = 0.5 * MIB;
const MIN_GROWTH = 16 * MIB;

/**
 * Collects the heap of this thread when it has been idle for half a minute, and has grown since the last time.
 * V8 gives memory back only in full collections, and an idle heap causes none.
 * @returns stops it
 */
export const collectGarbageWhenIdle = (lookMs = LOOK_MS): (() => void) => {
  let used = 0;
  let idleLooks = 0;
  let sizeAfter = 0;
  const timer = setInterval(() => {
    const { used_heap_size, total_heap_size } = getHeapStatistics();
    idleLooks = Math.abs(used_heap_size - used) < MAX_IDLE_GROWTH ? idleLooks + 1 : 0;
    used = used_heap_size;
    if (idleLooks < LOOKS || total_heap_size - sizeAfter < MIN_GROWTH) return;
    const collect = exposeCollector();
    collect();
    // The second one moves what is left together.
    collect();
    const after = getHeapStatistics();
    used = after.used_heap_size;
    sizeAfter = after.total_heap_size;
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
};

const exposeCollector = (): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
};
