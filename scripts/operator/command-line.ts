import { parseArgs } from 'node:util';
import type { OperatorCommands } from '../../api/composition/commands.ts';
import type { Settings } from '../../api/composition/settings.ts';

/** The command line is not one of the documented commands. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** Values of a command's options, as typed. */
export type Values = Readonly<Record<string, string | boolean | undefined>>;

/** What a command does: with the stores open, or with no more than the settings. */
export type PreparedCommand =
  | {
      readonly needs: 'stores';
      readonly run: (commands: OperatorCommands) => Promise<unknown>;
      /** Whether a registry is founded where there is none. */
      readonly mayFound: boolean;
    }
  | { readonly needs: 'settings'; readonly run: (settings: Settings) => Promise<unknown> };

/** One command of the operator. */
export type OperatorCommand = CommandWords &
  (
    | {
        /**
         * Reads the options, before any store is opened.
         * @returns what does it, and gives what is printed as one JSON object
         * @throws WrongUsage
         */
        readonly prepare: (values: Values) => (commands: OperatorCommands) => Promise<unknown>;
        /** It can sensibly be the first on an empty DATA_DIR; all others refuse one. */
        readonly mayFound?: true;
      }
    | {
        /** For what has to be done before the registry can be opened. @throws WrongUsage */
        readonly prepareAlone: (values: Values) => (settings: Settings) => Promise<unknown>;
      }
  );

/** How a command is written. */
interface CommandWords {
  /** Words that name it. */
  readonly words: readonly string[];
  /** Options it takes; a boolean one has no value. */
  readonly options: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>;
  readonly usage: string;
}

/** An option with a value. */
export const string = { type: 'string' } as const;

/** An option without a value. */
export const flag = { type: 'boolean' } as const;

/** What the words and options of a command line ask for. @throws WrongUsage */
export const parseCommandLine = (
  args: readonly string[],
  commands: readonly OperatorCommand[],
): PreparedCommand => {
  const command = commandIn(args, commands);
  if (command === undefined)
    throw new WrongUsage(
      args.length === 0
        ? 'A command is missing. Give one of those below.'
        : 'This is not a command. Give one of those below.',
    );
  const values = valuesIn(args.slice(command.words.length), command);
  if ('prepareAlone' in command) return { needs: 'settings', run: command.prepareAlone(values) };
  return {
    needs: 'stores',
    run: command.prepare(values),
    mayFound: command.mayFound === true,
  };
};

/** Whether somebody asks how the commands, or the one that the words name, are used. */
export const isAskedForHelp = (args: readonly string[]): boolean =>
  args[0] === 'help' || args[0] === '-h' || args.find((word) => word.startsWith('-')) === '--help';

/** How the command is used that the words name; how each is, if they name none. */
export const usageOf = (args: readonly string[], commands: readonly OperatorCommand[]): string => {
  const command = commandIn(args, commands);
  return command === undefined
    ? [
        'Usage: npm run --silent operator -- <command> --json',
        ...commands.map(({ usage }) => `  ${usage}`),
      ].join('\n')
    : `Usage: npm run --silent operator -- ${command.usage} --json`;
};

const commandIn = (
  args: readonly string[],
  commands: readonly OperatorCommand[],
): OperatorCommand | undefined =>
  commands.find(({ words }) => words.every((word, index) => args[index] === word));

const valuesIn = (args: readonly string[], command: OperatorCommand): Values => {
  try {
    const { values } = parseArgs({
      args: withJoinedValues(args, command),
      options: { ...command.options, json: { type: 'boolean' } },
      allowPositionals: false,
    });
    return values as Values;
  } catch (cause) {
    throw new WrongUsage('An option is unknown or has no value, or a word stands alone.', {
      cause,
    });
  }
};

/** `--chart -7` as `--chart=-7`: what follows an option with a value is its value, whatever it is. */
const withJoinedValues = (args: readonly string[], command: OperatorCommand): string[] => {
  const joined: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    const value = args[at + 1];
    const takesValue = command.options[word.replace(/^--/, '')]?.type === 'string';
    if (word.startsWith('--') && takesValue && value !== undefined) {
      joined.push(`${word}=${value}`);
      at += 1;
    } else joined.push(word);
  }
  return joined;
};
