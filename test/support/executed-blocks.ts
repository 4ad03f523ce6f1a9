import { Session } from 'node:inspector/promises';

let session: Session | null = null;

/** One session for the process: a function keeps its counters only while one is open. */
const openSession = async (): Promise<Session> => {
  if (session !== null) return session;
  session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return session;
};

/**
 * Counts how often the blocks of our own code run while `work` does: each turn of a loop, each call
 * of a callback. Unlike a time, the number is the same on every machine.
 * @param folders whose files are counted, such as `domain/`
 */
export const countExecutedBlocks = async (
  folders: readonly string[],
  work: () => unknown,
): Promise<number> => {
  const profiler = await openSession();
  const take = () => profiler.post('Profiler.takePreciseCoverage');
  await take();
  await work();
  const { result } = await take();
  return result
    .filter(({ url }) => folders.some((folder) => url.startsWith(`${ROOT}${folder}`)))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0);
};

const ROOT = new URL('../../', import.meta.url).href;
