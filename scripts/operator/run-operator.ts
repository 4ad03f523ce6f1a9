import type { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { formatFault } from '../../api/operator/fault-messages.ts';
import { type OperatorCommands, openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { readSettings, SettingInvalid, type Settings } from '../../api/settings/settings.ts';
import { EXIT_STATUS } from '../exit-status.ts';
import { type ShownProgress, showProgress } from '../show-progress.ts';
import { writeOut } from '../write-out.ts';
import { WrongUsage } from '../wrong-usage.ts';
import {
  isAskedForHelp,
  type PreparedCommand,
  parseCommandLine,
  printedOf,
  usageOf,
} from './command-line.ts';
import { COMMANDS } from './commands.ts';
import { type ColorStream, styleFor } from './for-people/style.ts';

export interface CommandProcess {
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly stdout: Writable & ColorStream;
  readonly stderr: WriteStream;
}

/**
 * Runs one command and prints its result for people or as JSON.
 * @returns exit status
 */
const run = async ({ args, environment, stdout, stderr }: CommandProcess): Promise<number> => {
  if (isAskedForHelp(args)) {
    await writeOut(stdout, `${usageOf(args, COMMANDS)}\n`);
    return EXIT_STATUS.done;
  }
  const command = parseCommandLine(args, COMMANDS);
  const read = readSettings(environment);
  const settings = { ...read, operator: command.by ?? read.operator };
  if (command.needsName && settings.operator === null)
    throw new WrongUsage(
      '--by is missing. Say who gives the command: --by NAME, or the setting REGISTRY_OPERATOR.',
    );
  const shown = showProgress(stderr, command.isQuiet);
  try {
    if (command.needs === 'settings')
      return await print(command, await command.run(settings, shown), null, shown, stdout);
    return await runOnStores(settings, command, shown, { stdout, stderr });
  } finally {
    shown.end();
  }
};

const runOnStores = async (
  settings: Settings,
  command: Extract<PreparedCommand, { needs: 'stores' }>,
  shown: ShownProgress,
  { stdout, stderr }: Pick<CommandProcess, 'stdout' | 'stderr'>,
): Promise<number> => {
  const { mayFound } = command;
  // Standard output is for the result, so the stores do not log.
  const commands = await openCommands(settings, openServiceLog('silent'), { mayFound });
  try {
    return await print(command, await command.run(commands, shown), commands, shown, stdout);
  } finally {
    await commands.close();
    shown.end();
    const warning = commands.clockWarning();
    if (warning !== null) await writeOut(stderr, `${warning}\n`).catch(() => undefined);
  }
};

const print = async (
  command: PreparedCommand,
  result: unknown,
  commands: OperatorCommands | null,
  shown: ShownProgress,
  stdout: CommandProcess['stdout'],
): Promise<number> => {
  shown.end();
  const text = await printedOf(command, result, styleFor(stdout), commands);
  await writeOut(stdout, text);
  return command.findsFault(result) ? EXIT_STATUS.foundFault : EXIT_STATUS.done;
};

/**
 * Runs one operator command.
 * @returns exit status
 */
export const runOperator = async (command: CommandProcess): Promise<number> => {
  try {
    return await run(command);
  } catch (error) {
    const isUsage = error instanceof WrongUsage;
    const message = isUsage
      ? `${error.message}\n\n${usageOf(error.meant ?? command.args, COMMANDS)}`
      : formatFault(error);
    await writeOut(command.stderr, `${message}\n`).catch(() => undefined);
    return isUsage || error instanceof SettingInvalid
      ? EXIT_STATUS.wrongUsage
      : EXIT_STATUS.notDone;
  }
};
