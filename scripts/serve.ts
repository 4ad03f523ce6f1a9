import { startService } from '../api/app/service.ts';
import { formatFault } from '../api/operator/fault-messages.ts';
import { buildFaultNote, openServiceLog } from '../api/process/logging.ts';
import { watchProcessFaults } from '../api/process/process-faults.ts';
import { hasRole, readSettings, SettingInvalid } from '../api/settings/settings.ts';
import { onStopSignal } from './stop-signals.ts';

/** What a start on a terminal can say. */
interface Started {
  /** Address that people use. */
  readonly url: string;
  /** The one-time link that sets up the registry; null where an account exists already. */
  readonly setUpAt: string | null;
}

/** What a start on a terminal prints: the address, and what to do first. */
const greeting = ({ url, setUpAt }: Started): string =>
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

/** A part that hangs must not keep the process forever: the next start takes up what is left. */
const MAX_STOP_MS = 10_000;

/** Runs the service until a signal asks it to stop. */
const serve = async (): Promise<void> => {
  const read = readSettings(process.env);
  const isTerminal = process.stdout.isTTY;
  const logFormat = read.logFormat ?? (isTerminal ? 'text' : 'json');
  const settings = { ...read, logFormat };
  const serviceLog = openServiceLog(settings.logLevel, logFormat);
  watchProcessFaults(serviceLog);
  const began = performance.now();
  const service = await startService(settings, serviceLog, { backgroundScript: BACKGROUND });

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
    // Ctrl-C also ends what a first start runs to make its database.
    if (isStopping) return;
    throw error;
  }
  if (isStopping) return;
  const elapsedMs = Math.round(performance.now() - began);
  serviceLog.info({ url: service.url, role: settings.role, elapsedMs }, 'Ready.');
  // A link in a file or a log collector would be a secret in a log: it is for a terminal alone.
  if (isTerminal && logFormat === 'text' && hasRole(settings.role, 'api'))
    process.stdout.write(
      greeting({ url: service.baseUrl, setUpAt: lacksAccounts ? service.openSetUp() : null }),
    );
  else if (lacksAccounts)
    serviceLog.info(
      'No one can sign in yet. Make the first account by the operator command staff add; docs/operator.md says how.',
    );
};

serve().catch((error: unknown) => {
  process.stderr.write(`The service does not start. ${formatFault(error)}\n`);
  process.exit(error instanceof SettingInvalid ? 2 : 1);
});
