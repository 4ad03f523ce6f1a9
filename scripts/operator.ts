import { CommandRefused } from '../api/commands/command-refused.ts';
import { type OperatorCommands, openCommands } from '../api/composition/commands.ts';
import { openServiceLog } from '../api/composition/logging.ts';
import { readSettings, SettingInvalid, type Settings } from '../api/composition/settings.ts';
import { parseCommandLine, WrongUsage } from './operator/command-line.ts';
import { COMMANDS } from './operator/commands.ts';

const usage = (): string =>
  [
    'Usage: npm run --silent operator -- <command> --json',
    ...COMMANDS.map((one) => `  ${one.usage}`),
  ].join('\n');

/** Runs one command; prints one JSON object. */
const main = async (): Promise<void> => {
  const command = parseCommandLine(process.argv.slice(2), COMMANDS);
  const settings = readSettings(process.env);
  const result =
    command.needs === 'settings'
      ? await command.run(settings)
      : await withStores(settings, command.run);
  process.stdout.write(`${JSON.stringify(result)}\n`);
};

const withStores = async (
  settings: Settings,
  run: (commands: OperatorCommands) => Promise<unknown>,
): Promise<unknown> => {
  // Standard output is for the one JSON object: the stores keep silent.
  const commands = await openCommands(settings, openServiceLog('silent'));
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
  (error: unknown) => {
    const isUsage = error instanceof WrongUsage || error instanceof SettingInvalid;
    const message =
      error instanceof CommandRefused || isUsage
        ? error.message
        : `The command failed. ${error instanceof Error ? `${error.name}: ${error.message}` : ''}`;
    process.stderr.write(`${message}\n${error instanceof WrongUsage ? `${usage()}\n` : ''}`);
    process.exit(isUsage ? EXIT_WRONG_USAGE : EXIT_REFUSED);
  },
);
