import { startService } from '../../api/app/service.ts';
import type { WritePathStep } from '../../api/process/failpoint.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { readSettings } from '../../api/settings/settings.ts';
import { type Relay, relayTo } from './ports.ts';
import { TEST_PASSWORD_COSTS } from './service.ts';
import type { DiesAfter, ServiceProcess } from './service-process.ts';

/** A service that dies after a step. */
export type DyingService = Pick<ServiceProcess, 'url' | 'ended' | 'diesAfter'>;

const relayOf = async (url: string): Promise<readonly [relay: Relay, relayed: string]> => {
  const { port } = new URL(url);
  const relay = await relayTo(Number(port));
  return [relay, url.replace(`:${port}`, `:${relay.port}`)];
};

/**
 * Starts a service in this process. At its death all of its connections break off, and it gets no new
 * ones: whatever it still does reaches no store. `recovery.int.long.test.ts` kills processes.
 * @param environment of its settings, with the addresses of its stores
 */
export const startDyingService = async (
  environment: Readonly<Record<string, string>>,
  dying: DiesAfter = { step: 'never', after: 0 },
): Promise<DyingService & { stop(): Promise<void> }> => {
  const [postgres, databaseUrl] = await relayOf(environment['DATABASE_URL'] ?? '');
  const [log, logUrl] = await relayOf(environment['EVENTSTORE_URL'] ?? '');
  const addresses = { DATABASE_URL: databaseUrl, EVENTSTORE_URL: logUrl };
  const settings = readSettings({ ...environment, ...addresses });
  let dies = dying;
  let isDead = false;
  let tellEnd: (ending: Promise<void>) => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    tellEnd = resolve;
  });
  const cut = () => Promise.all([postgres.cut(), log.cut()]);
  const service = await startService(settings, openServiceLog('silent'), {
    passwordCosts: TEST_PASSWORD_COSTS,
    afterStep(step: WritePathStep) {
      const isLast = step === dies.step && dies.after === 0;
      if (step === dies.step) dies = { ...dies, after: dies.after - 1 };
      if (!isDead && !isLast) return;
      if (!isDead) {
        const cutOff = cut();
        tellEnd(service.stop().then(() => cutOff.then(() => undefined)));
      }
      isDead = true;
      throw new Error('The service has died.');
    },
  });
  await service.started;
  return {
    url: service.url,
    ended,
    async diesAfter(later) {
      dies = later;
    },
    async stop() {
      if (isDead) return ended;
      await service.stop();
      await cut();
    },
  };
};
