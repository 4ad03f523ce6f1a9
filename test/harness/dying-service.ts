import { startService } from '../../api/app/service.ts';
import type { WritePathStep } from '../../api/process/failpoint.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { readSettings } from '../../api/settings/settings.ts';
import { relayUrl } from './ports.ts';
import { TEST_PASSWORD_COSTS } from './service.ts';
import type { DiesAfter, ServiceProcess } from './service-process.ts';

/** A service that dies after a step, or when it is killed. */
export type DyingService = Pick<ServiceProcess, 'url' | 'ended' | 'diesAfter' | 'kill'>;

/**
 * Starts a service in this process. At its death all of its connections break off, and it gets no new
 * ones: whatever it still does reaches no store. `recovery.int.long.test.ts` kills processes.
 * @param environment of its settings, with the addresses of its stores
 */
export const startDyingService = async (
  environment: Readonly<Record<string, string>>,
  dying: DiesAfter = { step: 'never', after: 0 },
): Promise<DyingService & { stop(): Promise<void> }> => {
  const [postgres, databaseUrl] = await relayUrl(environment['DATABASE_URL'] ?? '');
  const [log, logUrl] = await relayUrl(environment['EVENTSTORE_URL'] ?? '');
  const addresses = { DATABASE_URL: databaseUrl, EVENTSTORE_URL: logUrl };
  const settings = readSettings({ ...environment, ...addresses });
  let dies = dying;
  let isDead = false;
  let tellEnd: (ending: Promise<void>) => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    tellEnd = resolve;
  });
  const cut = () => Promise.all([postgres.cut(), log.cut()]);
  const die = () => {
    if (isDead) return;
    isDead = true;
    const cutOff = cut();
    tellEnd(service.stop().then(() => cutOff.then(() => undefined)));
  };
  const service = await startService(settings, openServiceLog('silent'), {
    passwordCosts: TEST_PASSWORD_COSTS,
    afterStep(step: WritePathStep) {
      const isLast = step === dies.step && dies.after === 0;
      if (step === dies.step) dies = { ...dies, after: dies.after - 1 };
      if (!isDead && !isLast) return;
      die();
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
    kill: die,
    async stop() {
      if (isDead) return ended;
      await service.stop();
      await cut();
    },
  };
};
