import { openCommands } from '../api/composition/commands.ts';
import { faultInWords } from '../api/composition/fault-in-words.ts';
import { readSettings, SettingInvalid, type Settings } from '../api/composition/settings.ts';
import { openServiceLog } from '../api/process/logging.ts';
import {
  isAskedForHelp,
  type PreparedCommand,
  parseCommandLine,
  usageOf,
  WrongUsage,
} from './operator/command-line.ts';
import { COMMANDS } from './operator/commands.ts';
import { writeOut } from './write-out.ts';

/** Runs one command; prints one JSON object. */
const main = async (): Promise<void> => {
  const args = process.argv.slice(2);
  if (isAskedForHelp(args)) {
    await writeOut(process.stdout, `${usageOf(args, COMMANDS)}\n`);
    return;
  }
  const command = parseCommandLine(args, COMMANDS);
  const settings = readSettings(process.env);
  const result =
    command.needs === 'settings'
      ? await command.run(settings)
      : await withStores(settings, command);
  await writeOut(process.stdout, `${JSON.stringify(result)}\n`);
};

const withStores = async (
  settings: Settings,
  { run, mayFound }: Extract<PreparedCommand, { needs: 'stores' }>,
): Promise<unknown> => {
  // Standard output is for the one JSON object: the stores keep silent.
  const commands = await openCommands(settings, openServiceLog('silent'), { mayFound });
  try {
    return await run(commands);
  } finally {
    await commands.close();
  }
};

const EXIT_REFUSED = 1;
const EXIT_WRONG_USAGE = 2;

main().then(
  () => process.exit(0),
  async (error: unknown) => {
    const isUsage = error instanceof WrongUsage;
    const message = isUsage
      ? `${error.message}\n${usageOf(process.argv.slice(2), COMMANDS)}`
      : faultInWords(error);
    await writeOut(process.stderr, `${message}\n`).catch(() => undefined);
    const isForUsage = isUsage || error instanceof SettingInvalid;
    process.exit(isForUsage ? EXIT_WRONG_USAGE : EXIT_REFUSED);
  },
);
