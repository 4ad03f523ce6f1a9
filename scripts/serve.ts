import { faultInWords } from '../api/composition/fault-in-words.ts';
import { startService } from '../api/composition/service.ts';
import { readSettings, SettingInvalid } from '../api/composition/settings.ts';
import { noteOf, openServiceLog } from '../api/process/logging.ts';
import { watchProcessFaults } from '../api/process/process-faults.ts';

const BACKGROUND = new URL('./serve-background.js', import.meta.url);

/** A part that hangs must not keep the process for ever: the next start adopts what is left. */
const LONGEST_STOP_MS = 10_000;

/**
 * Runs the service until it is asked to stop: SIGTERM by what distributes requests to several, SIGINT
 * by a person. A second one ends it.
 */
const serve = async (): Promise<void> => {
  const settings = readSettings(process.env);
  const serviceLog = openServiceLog(settings.logLevel);
  watchProcessFaults(serviceLog);
  const began = performance.now();
  const service = await startService(settings, serviceLog, { backgroundScript: BACKGROUND });

  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    serviceLog.info({ signal }, 'Stopping.');
    setTimeout(() => {
      serviceLog.error(
        'The service did not stop in time and is ended. The next start takes up what is left.',
      );
      process.exit(1);
    }, LONGEST_STOP_MS).unref();
    service.stop(signal === 'SIGTERM' ? 'gently' : 'soon').then(
      () => process.exit(0),
      (error: unknown) => {
        serviceLog.error(
          noteOf(error),
          'A part of the service stopped in a fault. The next start takes up what is left.',
        );
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  await service.started;
  const elapsedMs = Math.round(performance.now() - began);
  serviceLog.info({ url: service.url, role: settings.role, elapsedMs }, 'Ready.');
};

serve().catch((error: unknown) => {
  process.stderr.write(`The service does not start. ${faultInWords(error)}\n`);
  process.exit(error instanceof SettingInvalid ? 2 : 1);
});
