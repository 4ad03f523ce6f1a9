import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../../scripts/synthesis/random.ts';
import type { RestartableService } from '../restartable-service.ts';

const LOOK_EVERY_MS = 100;
const ANSWER_WITHIN_MS = 1_000;

/** Gives requests to the processes that say they are ready, as a load balancer does. */
export const startBalancer = (apis: readonly RestartableService[], random: Random) => {
  const stopping = new AbortController();
  let ready: readonly string[] = apis.map(({ url }) => url);
  const look = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const looks = await Promise.all(
        apis.map(async ({ url }) => ({ url, is: await isReady(url) })),
      );
      ready = looks.filter(({ is }) => is).map(({ url }) => url);
      await sleep(LOOK_EVERY_MS, undefined, stopping).catch(() => undefined);
    }
  };
  const looking = look();
  return {
    // With none ready any of them may say why.
    origin: () => random.pick(ready.length > 0 ? ready : apis.map(({ url }) => url)),
    async stop(): Promise<void> {
      stopping.abort();
      await looking;
    },
  };
};

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
    async (response) => {
      await response.text();
      return response.ok;
    },
    () => false,
  );
