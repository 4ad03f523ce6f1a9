import { type OperatorCommands, openCommands } from '../api/composition/commands.ts';
import { faultInWords } from '../api/composition/fault-in-words.ts';
import { readSettings, SettingInvalid, type Settings } from '../api/composition/settings.ts';
import { openServiceLog } from '../api/process/logging.ts';
import {
  isAskedForHelp,
  type PreparedCommand,
  parseCommandLine,
  printedOf,
  usageOf,
  WrongUsage,
} from './operator/command-line.ts';
import { COMMANDS } from './operator/commands.ts';
import { styleFor } from './operator/for-people/style.ts';
import { type ShownProgress, showProgress } from './show-progress.ts';
import { writeOut } from './write-out.ts';

/** Runs one command; prints what it came to for a person, or as one JSON object. */
const main = async (): Promise<void> => {
  const args = process.argv.slice(2);
  if (isAskedForHelp(args)) {
    await writeOut(process.stdout, `${usageOf(args, COMMANDS)}\n`);
    return;
  }
  const command = parseCommandLine(args, COMMANDS);
  const read = readSettings(process.env);
  const settings = { ...read, operator: command.by ?? read.operator };
  if (command.needsName && settings.operator === null)
    throw new WrongUsage(
      '--by is missing. Say who gives the command: --by NAME, or the setting REGISTRY_OPERATOR.',
    );
  const shown = showProgress(process.stderr, command.isQuiet);
  try {
    if (command.needs === 'settings')
      await print(command, await command.run(settings, shown), null, shown);
    else await runOnStores(settings, command, shown);
  } finally {
    shown.end();
  }
};

const runOnStores = async (
  settings: Settings,
  command: Extract<PreparedCommand, { needs: 'stores' }>,
  shown: ShownProgress,
): Promise<void> => {
  const { mayFound } = command;
  // Standard output is for the result: the stores keep silent.
  const commands = await openCommands(settings, openServiceLog('silent'), { mayFound });
  try {
    await print(command, await command.run(commands, shown), commands, shown);
  } finally {
    await commands.close();
  }
};

const print = async (
  command: PreparedCommand,
  result: unknown,
  commands: OperatorCommands | null,
  shown: ShownProgress,
): Promise<void> => {
  shown.end();
  const text = await printedOf(command, result, styleFor(process.stdout), commands);
  await writeOut(process.stdout, text);
};

const EXIT_REFUSED = 1;
const EXIT_WRONG_USAGE = 2;

main().then(
  () => process.exit(0),
  async (error: unknown) => {
    const isUsage = error instanceof WrongUsage;
    const message = isUsage
      ? `${error.message}\n\n${usageOf(error.meant ?? process.argv.slice(2), COMMANDS)}`
      : faultInWords(error);
    await writeOut(process.stderr, `${message}\n`).catch(() => undefined);
    const isForUsage = isUsage || error instanceof SettingInvalid;
    process.exit(isForUsage ? EXIT_WRONG_USAGE : EXIT_REFUSED);
  },
);
