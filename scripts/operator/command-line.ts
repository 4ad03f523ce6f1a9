import { parseArgs } from 'node:util';
import type { Reporter } from '../../api/commands/reporter.ts';
import type { OperatorCommands } from '../../api/operator/operator-commands.ts';
import { capitalize } from '../../api/pages/text/text-case.ts';
import { operatorName, type Settings } from '../../api/settings/settings.ts';
import { findNearestNames } from '../../domain/intake/csv/column-names.ts';
import { WrongUsage } from '../wrong-usage.ts';
import type { Style } from './for-people/style.ts';
import { alignColumns } from './for-people/tables.ts';

/** Values of a command's options, as typed. */
export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** Output of a command, for programs or people. */
interface Printing {
  /** True to print one JSON object. */
  readonly isJson: boolean;
  /** True to hide progress. */
  readonly isQuiet: boolean;
  /** Name of the person who runs it; `null` if not given. */
  readonly by: string | null;
  /** True if the command requires the person's name. */
  readonly needsName: boolean;
  /**
   * Output for programs.
   * @param result result of `run`
   */
  readonly json: (result: unknown) => unknown;
  /**
   * True if the command checks something and found a fault.
   * @param result result of `run`
   */
  readonly findsFault: (result: unknown) => boolean;
  /**
   * Output for people.
   * @param result result of `run`
   */
  readonly show: (
    result: unknown,
    style: Style,
    commands: OperatorCommands | null,
  ) => string | Promise<string>;
}

/** Command that needs open stores, or only the settings. */
export type PreparedCommand = Printing &
  (
    | {
        readonly needs: 'stores';
        readonly run: (commands: OperatorCommands, reporter: Reporter) => Promise<unknown>;
        /** True if it may create a new registry. */
        readonly mayFound: boolean;
      }
    | {
        readonly needs: 'settings';
        readonly run: (settings: Settings, reporter: Reporter) => Promise<unknown>;
      }
  );

/**
 * Command on the open stores.
 * @typeParam Result type of its result
 */
interface CommandOnStores<Result> extends CommandWords {
  /** Set if it may be the first command on an empty DATA_DIR; all others refuse one. */
  readonly mayFound?: true;
  /**
   * Parses the options, before any store is opened.
   * @throws WrongUsage
   */
  prepare(values: Values): (commands: OperatorCommands, reporter: Reporter) => Promise<Result>;
  /** Converts the result to JSON; defaults to the whole result. */
  json?(result: Result): unknown;
  /** True if the result of a check is a fault. */
  findsFault?(result: Result, values: Values): boolean;
  /** Formats the result for people. */
  show(
    result: Result,
    style: Style,
    commands: OperatorCommands,
    values: Values,
  ): string | Promise<string>;
}

/** Command that runs before the registry can be opened. */
interface CommandAlone<Result> extends CommandWords {
  /**
   * Parses the options.
   * @throws WrongUsage
   */
  prepareAlone(values: Values): (settings: Settings, reporter: Reporter) => Promise<Result>;
  /** Converts the result to JSON; defaults to the whole result. */
  json?(result: Result): unknown;
  /** True if the result of a check is a fault. */
  findsFault?(result: Result): boolean;
  /** Formats the result for people. */
  show(result: Result, style: Style): string;
}

export type OperatorCommand = (CommandOnStores<unknown> | CommandAlone<unknown>) & {
  /** Words of its name. */
  readonly words: readonly string[];
  readonly options: Options;
};

/** Options by name. */
type Options = Readonly<
  Record<string, { readonly type: 'string' | 'boolean'; readonly multiple?: boolean }>
>;

/** Usage and help of a command. */
interface CommandWords {
  /** Name and options in usage syntax, from which both are parsed. */
  readonly usage: string;
  /** Description, after its name in the list of commands. */
  readonly about: string;
  /** Sentences that its help and the reference add to the description. */
  readonly details?: readonly string[];
  /** Sample command line. */
  readonly example: string;
}

/**
 * Checks a command's output functions against its result type, which the list of all commands
 * erases.
 */
export const onStores = <Result>(command: CommandOnStores<Result>): OperatorCommand => ({
  ...(command as CommandOnStores<unknown>),
  words: wordsIn(command.usage),
  options: optionsIn(command.usage),
});

/** @see onStores */
export const alone = <Result>(command: CommandAlone<Result>): OperatorCommand => ({
  ...(command as CommandAlone<unknown>),
  words: wordsIn(command.usage),
  options: optionsIn(command.usage),
});

const wordsIn = (usage: string): readonly string[] =>
  /^[a-z][a-z-]*(?: [a-z][a-z-]*)*/.exec(usage)?.[0].split(' ') ?? [];

/**
 * `--name NAME` has a value; `[--beta]` and `--password-stdin |` do not. An option that the usage
 * shows twice may be repeated.
 */
const OPTION = /--([a-z-]+)( [^\s|[\]-])?/g;

const optionsIn = (usage: string): Options => {
  const shown = [...usage.matchAll(OPTION)];
  return Object.fromEntries(
    shown.map(([, name = '', value]) => [
      name,
      {
        type: value === undefined ? 'boolean' : 'string',
        multiple: shown.filter(([, other]) => other === name).length > 1,
      },
    ]),
  );
};

const FOR_EVERY_COMMAND =
  'With every command: --json prints one JSON object, for programs; --quiet hides progress; --by NAME records who runs it.';

/** Options of every command. */
const COMMON = {
  json: { type: 'boolean' },
  quiet: { type: 'boolean' },
  by: { type: 'string' },
} as const;

/** Program name in messages. */
const PROGRAM = 'npx registry';

/**
 * Parses the words and options of a command line.
 * @throws WrongUsage
 */
export const parseCommandLine = (
  args: readonly string[],
  commands: readonly OperatorCommand[],
): PreparedCommand => {
  const command = commandIn(args, commands);
  if (command === undefined) throw noCommandIn(args, commands);
  const values = valuesIn(args.slice(command.words.length), command);
  const printing = {
    isJson: values['json'] === true,
    isQuiet: values['quiet'] === true,
    by: byIn(values),
    needsName: command.usage.includes('--by NAME'),
    json: (result: unknown) => command.json?.(result) ?? result,
    findsFault: (result: unknown) => command.findsFault?.(result, values) ?? false,
  };
  if ('prepareAlone' in command)
    return {
      ...printing,
      needs: 'settings',
      run: command.prepareAlone(values),
      show: (result, style) => command.show(result, style),
    };
  return {
    ...printing,
    needs: 'stores',
    run: command.prepare(values),
    mayFound: command.mayFound === true,
    show: (result, style, opened) => {
      if (opened === null) throw new TypeError('The command is shown with its stores open.');
      return command.show(result, style, opened, values);
    },
  };
};

/**
 * Person who runs the command.
 * @throws WrongUsage if it is not a name
 */
const byIn = (values: Values): string | null => {
  const typed = values['by'];
  if (typeof typed !== 'string') return null;
  const name = operatorName(typed);
  if (name === null) throw new WrongUsage('--by takes the name of a person, in one line.');
  return name;
};

/** True if the arguments ask for help, in general or for one command. */
export const isAskedForHelp = (args: readonly string[]): boolean =>
  args[0] === 'help' || args[0] === '-h' || args.find((word) => word.startsWith('-')) === '--help';

/** Usage of the named command, or a list of all. */
export const usageOf = (args: readonly string[], commands: readonly OperatorCommand[]): string => {
  const asked = args[0] === 'help' ? args.slice(1) : args;
  const command = commandIn(asked, commands);
  return command === undefined
    ? listOf(asked, commands)
    : [
        `Usage: ${PROGRAM} ${command.usage}`,
        '',
        describeCommand(command).join('\n'),
        '',
        'Example:',
        `  ${PROGRAM} ${command.example}`,
        '',
        FOR_EVERY_COMMAND,
      ].join('\n');
};

/** Sentences that describe a command. */
export const describeCommand = ({ about, details = [] }: CommandWords): readonly string[] => [
  `${capitalize(about)}.`,
  ...details,
];

/** Commands that begin with the first typed word, or all of them. */
const listOf = (asked: readonly string[], commands: readonly OperatorCommand[]): string => {
  const group = commands.filter(({ words }) => words.length > 1 && words[0] === asked[0]);
  const listed = group.length > 0 ? group : commands;
  const rows = listed.map(({ words, about }) => [`  ${words.join(' ')}`, about]);
  return [
    `Usage: ${PROGRAM} COMMAND [OPTIONS]`,
    '',
    'Commands:',
    alignColumns(rows),
    '',
    `${PROGRAM} COMMAND --help shows the options of a command, with an example.`,
    FOR_EVERY_COMMAND,
    `For senders: ${PROGRAM} push --help.`,
  ].join('\n');
};

const commandIn = (
  args: readonly string[],
  commands: readonly OperatorCommand[],
): OperatorCommand | undefined =>
  commands.find(({ words }) => words.every((word, index) => args[index] === word));

const noCommandIn = (args: readonly string[], commands: readonly OperatorCommand[]): WrongUsage => {
  const firstOption = args.findIndex((word) => word.startsWith('-'));
  const typed = (firstOption < 0 ? args : args.slice(0, firstOption)).slice(0, MAX_WORDS);
  if (typed.length === 0) return new WrongUsage('A command is missing. Give one of those below.');
  const names = commands.map(({ words }) => words.join(' '));
  if (typed.length === 1 && names.some((name) => name.startsWith(`${typed[0]} `)))
    return new WrongUsage(`After ${typed[0]} a word is missing. Give one of the commands below.`);
  // The second word may not belong to the name.
  const [near] = [typed.join(' '), typed[0] ?? ''].flatMap((words) =>
    findNearestNames(words, names),
  );
  return near === undefined
    ? new WrongUsage('This is not a command. Give one of those below.')
    : new WrongUsage(`This is not a command. Did you mean ${near}? Its usage is below.`, {
        meant: near.split(' '),
      });
};

const MAX_WORDS = 2;

const valuesIn = (args: readonly string[], command: OperatorCommand): Values => {
  const options = { ...command.options, ...COMMON };
  const joined = withJoinedValues(args, command);
  for (const word of joined) requireKnown(word, options);
  try {
    const { values } = parseArgs({ args: joined, options, allowPositionals: false });
    return values as Values;
  } catch (cause) {
    throw new WrongUsage(whatIsWrong(cause), { cause });
  }
};

/** @throws WrongUsage for an unknown option */
const requireKnown = (word: string, options: Options): void => {
  const [, name] = /^--([^=]+)/.exec(word) ?? [];
  if (name === undefined || Object.hasOwn(options, name)) return;
  const names = Object.keys(options);
  const [near] = findNearestNames(name, names);
  throw new WrongUsage(
    near === undefined
      ? `--${name} is not an option of this command. It takes ${names.map((one) => `--${one}`).join(', ')}.`
      : `--${name} is not an option of this command. Did you mean --${near}? The usage is below.`,
  );
};

/** The parser's messages quote the typed text, which may be a password. */
const whatIsWrong = (error: unknown): string =>
  (error as { code?: unknown }).code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE'
    ? 'An option has no value, or has one that it does not take. Write --name VALUE, or --name alone where the usage shows no value.'
    : 'There is an unexpected word after the command. Put it after its option, in quotation marks if it contains spaces.';

/**
 * `--chart -7` becomes `--chart=-7`: an option with a value uses the next argument, even if it
 * begins with a dash.
 */
const withJoinedValues = (args: readonly string[], command: OperatorCommand): string[] => {
  const joined: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    const value = args[at + 1];
    const takesValue =
      { ...command.options, ...COMMON }[word.replace(/^--/, '')]?.type === 'string';
    if (word.startsWith('--') && takesValue && value !== undefined) {
      joined.push(`${word}=${value}`);
      at += 1;
    } else joined.push(word);
  }
  return joined;
};

/**
 * Output for a result.
 * @param commands open stores; `null` if none
 */
export const printedOf = async (
  command: PreparedCommand,
  result: unknown,
  style: Style,
  commands: OperatorCommands | null,
): Promise<string> =>
  command.isJson
    ? `${JSON.stringify(command.json(result))}\n`
    : `${await command.show(result, style, commands)}\n`;
