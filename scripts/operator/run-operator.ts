import type { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { formatFault } from '../../api/app/fault-messages.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { SettingInvalid } from '../../api/settings/setting-parsers.ts';
import { readSettings, type Settings } from '../../api/settings/settings.ts';
import { EXIT_STATUS } from '../exit-status.ts';
import { type ProgressDisplay, showProgress } from '../show-progress.ts';
import { writeOut } from '../write-out.ts';
import { WrongUsage } from '../wrong-usage.ts';
import { type PreparedCommand, parseCommandLine, type Runnable } from './command-line.ts';
import { SUBJECTS } from './commands.ts';
import { type ColorStream, styleFor } from './for-people/style.ts';

export interface CommandProcess {
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly stdout: Writable & ColorStream;
  readonly stderr: WriteStream;
  readonly yieldToService: () => void;
}

/** @returns exit status */
const run = async ({
  args,
  environment,
  stdout,
  stderr,
  yieldToService,
}: CommandProcess): Promise<number> => {
  const command = parseCommandLine(args, SUBJECTS);
  const read = readSettings(environment);
  const settings = { ...read, operator: command.by ?? read.operator };
  if (command.needsName && settings.operator === null)
    throw new WrongUsage(
      '--by is missing. Say who gives the command: --by NAME, or the setting REGISTRY_OPERATOR.',
    );
  if (command.isBackground) yieldToService();
  const display = showProgress(stderr, command.isQuiet);
  try {
    return command.needs === 'settings'
      ? await print(command, settings, display, stdout)
      : await runOnStores(settings, command, display, { stdout, stderr });
  } finally {
    display.end();
  }
};

const runOnStores = async (
  settings: Settings,
  command: Extract<PreparedCommand, { needs: 'stores' }>,
  display: ProgressDisplay,
  { stdout, stderr }: Pick<CommandProcess, 'stdout' | 'stderr'>,
): Promise<number> => {
  const { mayFound } = command;
  // Standard output is for the result, so the stores do not log.
  const commands = await openCommands(settings, openServiceLog('silent'), { mayFound });
  try {
    return await print(command, commands, display, stdout);
  } finally {
    await commands.close();
    display.end();
    const warning = commands.clockWarning();
    if (warning !== null) await writeOut(stderr, `${warning}\n`).catch(() => undefined);
  }
};

const print = async <Target>(
  { run, format, findsFault }: Runnable<Target>,
  target: Target,
  display: ProgressDisplay,
  stdout: CommandProcess['stdout'],
): Promise<number> => {
  const result = await run(target, display);
  display.end();
  await writeOut(stdout, await format(result, styleFor(stdout), target));
  return findsFault(result) ? EXIT_STATUS.foundFault : EXIT_STATUS.done;
};

/** @returns exit status */
export const runOperator = async (command: CommandProcess): Promise<number> => {
  try {
    return await run(command);
  } catch (error) {
    const isUsage = error instanceof WrongUsage;
    await writeOut(command.stderr, `${isUsage ? error.message : formatFault(error)}\n`).catch(
      () => undefined,
    );
    return isUsage || error instanceof SettingInvalid
      ? EXIT_STATUS.wrongUsage
      : EXIT_STATUS.notDone;
  }
};
