import { noteOf, openServiceLog } from '../api/composition/logging.ts';
import { watchProcessFaults } from '../api/composition/process-faults.ts';
import { startService } from '../api/composition/service.ts';
import { readSettings, SettingInvalid } from '../api/composition/settings.ts';

/** A part that hangs must not keep the process for ever: the next start adopts what is left. */
const LONGEST_STOP_MS = 10_000;

/** Runs the service until it is asked to stop: SIGTERM or SIGINT drain it, a second one ends it. */
const serve = async (): Promise<void> => {
  const settings = readSettings(process.env);
  const serviceLog = openServiceLog(settings.logLevel);
  watchProcessFaults(serviceLog);
  const began = performance.now();
  const service = await startService(settings, serviceLog);

  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    serviceLog.info({ signal }, 'Stopping.');
    setTimeout(() => {
      serviceLog.error('The service did not stop in time.');
      process.exit(1);
    }, LONGEST_STOP_MS).unref();
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        serviceLog.error(noteOf(error), 'The service did not stop cleanly.');
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
  const help = error instanceof Error ? `${error.name}: ${error.message}` : 'Unknown fault';
  const because = error instanceof Error && error.cause !== undefined ? noteOf(error.cause) : null;
  process.stderr.write(`The service did not start. ${help}\n`);
  if (because !== null) process.stderr.write(`Because of ${JSON.stringify(because)}\n`);
  process.exit(error instanceof SettingInvalid ? 2 : 1);
});
