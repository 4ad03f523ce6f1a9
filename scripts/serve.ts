import { collectGarbageWhenIdle } from '../adapters/package-internals/node/collect-garbage.ts';
import { formatFault } from '../api/app/fault-messages.ts';
import { startService } from '../api/app/service.ts';
import { buildFaultNote, openServiceLog } from '../api/process/logging.ts';
import { watchProcessFaults } from '../api/process/process-faults.ts';
import { SettingInvalid } from '../api/settings/setting-parsers.ts';
import { hasRole, readSettings } from '../api/settings/settings.ts';
import { onStopSignal } from './stop-signals.ts';

interface Started {
  readonly url: string;
  /** One-time setup link; `null` if an account exists. */
  readonly setUpAt: string | null;
}

/** Printed when the service starts in a terminal. */
const formatGreeting = ({ url, setUpAt }: Started): string =>
  [
    '',
    `The birth registry is running at ${url}`,
    '',
    ...(setUpAt === null
      ? [`  Sign in   ${url}/sign-in`]
      : [
          'There is no account yet. Open this link in your browser to set the registry up.',
          'It works once, for 24 hours:',
          '',
          `  ${setUpAt}`,
          '',
        ]),
    `  The API   ${url}/docs`,
    '  Guides    docs/README.md',
    '',
    'Ctrl-C stops it.',
    '',
    '',
  ].join('\n');

const BACKGROUND = new URL('./serve-background.js', import.meta.url);
const READING = new URL('./serve-reading.js', import.meta.url);

/** A part that hangs must not block the exit; the next start recovers the rest. */
const MAX_STOP_MS = 10_000;

const serve = async (): Promise<void> => {
  const read = readSettings(process.env);
  const isTerminal = process.stdout.isTTY;
  const logFormat = read.logFormat ?? (isTerminal ? 'text' : 'json');
  const settings = { ...read, logFormat };
  const serviceLog = openServiceLog(settings.logLevel, logFormat);
  watchProcessFaults(serviceLog);
  collectGarbageWhenIdle();
  const began = performance.now();
  const service = await startService(settings, serviceLog, {
    backgroundScript: BACKGROUND,
    readingScript: READING,
  });

  let isStopping = false;
  onStopSignal((signal) => {
    isStopping = true;
    serviceLog.info({ signal }, 'Stopping.');
    setTimeout(() => {
      serviceLog.error(
        'The service did not stop in time and is ended. The next start takes up what is left.',
      );
      process.exit(1);
    }, MAX_STOP_MS).unref();
    service.stop(signal === 'SIGTERM' ? 'gently' : 'soon').then(
      () => process.exit(0),
      (error: unknown) => {
        serviceLog.error(
          buildFaultNote(error),
          'A part of the service stopped in a fault. The next start takes up what is left.',
        );
        process.exit(1);
      },
    );
  });

  let lacksAccounts: boolean;
  try {
    await service.started;
    lacksAccounts = await service.lacksAccounts();
  } catch (error) {
    // Ctrl-C also stops the child process that creates the database at the first start.
    if (isStopping) return;
    throw error;
  }
  if (isStopping) return;
  const elapsedMs = Math.round(performance.now() - began);
  serviceLog.info({ url: service.url, role: settings.role, elapsedMs }, 'Ready.');
  // Only in a terminal, because a link in a file or log collector would leak a secret.
  if (isTerminal && logFormat === 'text' && hasRole(settings.role, 'api'))
    process.stdout.write(
      formatGreeting({ url: service.baseUrl, setUpAt: lacksAccounts ? service.openSetUp() : null }),
    );
  else if (lacksAccounts)
    serviceLog.info(
      'No one can sign in yet. Make the first account with birth-registry staff add; docs/operate/install.md says how.',
    );
};

serve().catch((error: unknown) => {
  process.stderr.write(`The service does not start. ${formatFault(error)}\n`);
  process.exit(error instanceof SettingInvalid ? 2 : 1);
});
