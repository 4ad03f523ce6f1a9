import { formatFault } from '../api/app/fault-messages.ts';
import { startService } from '../api/app/service.ts';
import { type OperatorCommands, openCommands } from '../api/operator/operator-commands.ts';
import { openServiceLog } from '../api/process/logging.ts';
import { readSettings } from '../api/settings/settings.ts';
import { createProgram } from './create-program.ts';
import { DemoDirectoryRefused, openDemoDirectory } from './demo/demo-directory.ts';
import { fillDemo } from './demo/fill-demo.ts';
import { whatToTry } from './demo/what-to-try.ts';
import { onStopSignal } from './stop-signals.ts';
import { WrongUsage } from './wrong-usage.ts';

/** Runs until stopped. The next start reuses the data; `--reset` deletes it. */

const ISO_DATE_LENGTH = 10;
const MAX_STOP_MS = 15_000;
/** Stores and secrets that may belong to a service with real births. */
const OTHER_STORES = ['DATABASE_URL', 'EVENTSTORE_URL', 'EVENTSTORE_PORT', 'REGISTRY_SECRET'];

const began = performance.now();
const say = (line = ''): void => void process.stdout.write(`${line}\n`);
const sayProgress = (line: string): void =>
  say(`${String(Math.round((performance.now() - began) / 1_000)).padStart(4)} s  ${line}`);

const demo = async (): Promise<void> => {
  const options = createProgram('npm run demo --')
    .usage('[options]')
    .description('Starts the service in its own directory, and fills it with synthetic births.')
    .option('--reset', 'deletes the data of earlier starts, and begins again')
    .option('--no-ehr', 'starts no simulated EHR')
    .option('--directory <PATH>', 'directory of its data', '.demo')
    .parse()
    .opts();
  const directory = await openDemoDirectory(options.directory, options.reset === true);
  // Loaded lazily, because it signs with a library that the service itself does not use.
  const simulator = options.ehr ? await import('./ehr-simulator/start-ehr.ts') : null;
  const ehr = (await simulator?.startEhr()) ?? null;
  const own = Object.entries(process.env).filter(([name]) => !OTHER_STORES.includes(name));
  const settings = readSettings({
    // People who try the demo may have no authenticator app.
    STAFF_SECOND_FACTOR: 'optional',
    ...Object.fromEntries(own),
    ...(ehr === null ? {} : { SMART_CLIENT_ID: ehr.clientId, SMART_ALLOWED_ISSUERS: ehr.issuer }),
    DATA_DIR: directory.dataDir,
    ROLE: 'all',
  });
  const log = openServiceLog(process.env['LOG_LEVEL'] ?? 'error');
  sayProgress(
    directory.filled === null
      ? 'Starting a Postgres and an event log'
      : `Starting with the data of ${directory.filled.filledOn}; --reset deletes it`,
  );
  const service = await startService(settings, log);
  let { filled } = directory;
  let opening: Promise<OperatorCommands> | null = null;
  // The commands share the stores, which stop with their last user.
  const closeCommands = async (): Promise<void> => {
    const opened = opening?.catch(() => null);
    opening = null;
    await (await opened)?.close();
  };
  let isStopping = false;
  const stop = async (): Promise<void> => {
    isStopping = true;
    say('\nStopping …');
    setTimeout(() => process.exit(1), MAX_STOP_MS).unref();
    await closeCommands();
    await service.stop();
    await ehr?.stop();
    await directory.leave();
    say(
      filled === null
        ? 'Stopped before it was filled: the next start begins again.'
        : `Stopped. ${directory.displayPath} keeps the births; --reset deletes them.`,
    );
    process.exit(0);
  };
  onStopSignal(() => void stop());
  try {
    await directory.enter(service.url);
    await service.started;
    if (isStopping) return;
    ehr?.register(service.url);
    const { url } = service;
    if (filled === null) {
      opening = openCommands(settings, log);
      const commands = await opening;
      const today = new Date().toISOString().slice(0, ISO_DATE_LENGTH);
      const fresh = await fillDemo({ url, commands, directory, today, say: sayProgress });
      await closeCommands();
      await directory.keep(fresh);
      filled = fresh;
    }
    sayProgress('Ready');
    say();
    const { isStaffFactorOptional } = settings;
    const ehrUrl = ehr?.url ?? null;
    for (const line of whatToTry({ url, directory, filled, ehrUrl, isStaffFactorOptional }))
      say(line);
    say();
    say('Stop with Ctrl-C. The next start continues from here.');
  } catch (error) {
    // Stopping closes the API and pages, so filling them fails.
    if (isStopping) return;
    await closeCommands();
    await service.stop();
    await directory.leave();
    throw error;
  }
};

const describeError = (error: unknown): string =>
  error instanceof DemoDirectoryRefused ? error.message : formatFault(error);

demo().catch((error: unknown) => {
  const isUsage = error instanceof WrongUsage;
  const words = isUsage ? error.message : `The demo does not start. ${describeError(error)}`;
  process.stderr.write(`${words}\n`);
  process.exit(isUsage ? 2 : 1);
});
