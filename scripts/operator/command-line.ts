import {
  type Command,
  type CommandUnknownOpts,
  Help,
  InvalidArgumentError,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';
import type { Reporter } from '../../api/commands/reporter.ts';
import type { OperatorCommands } from '../../api/operator/operator-commands.ts';
import { parseOperatorName } from '../../api/settings/setting-parsers.ts';
import type { Settings } from '../../api/settings/settings.ts';
import { createProgram } from '../create-program.ts';
import type { Style } from './for-people/style.ts';

/** @typeParam Target open stores, or the settings if the stores cannot be open */
interface Operation<Options extends OptionValues, Target, Result> {
  readonly command: Command<[], Options>;
  /** Description, with a sentence on each line. */
  readonly about: string;
  /** Sample command line. */
  readonly example: string;
  /** Set if the person who runs it must be named. */
  readonly needsName?: true;
  /** Option with which the person who runs it must be named. */
  readonly needsNameWith?: keyof Options & string;
  /** Set if the service on this machine comes first. */
  readonly isBackground?: true;
  /** Options of which exactly one is given. */
  readonly oneOf?: readonly (keyof Options & string)[];
  /** Options of which at least one is given. */
  readonly anyOf?: readonly (keyof Options & string)[];
  run(options: Options, target: Target, reporter: Reporter): Promise<Result>;
  /** Converts the result to JSON; defaults to the whole result. */
  json?(result: Result): unknown;
  /** True if the result of a check is a fault. */
  findsFault?(result: Result, options: Options): boolean;
  show(result: Result, style: Style, options: Options, target: Target): string | Promise<string>;
}

interface StoresOperation<Options extends OptionValues, Result>
  extends Operation<Options, OperatorCommands, Result> {
  /** Set if it may be the first command on an empty DATA_DIR; all others refuse one. */
  readonly mayFound?: true;
}

export type OperatorCommand = {
  readonly words: readonly string[];
  readonly usage: string;
  readonly options: readonly Option[];
  readonly command: CommandUnknownOpts;
} & (
  | { readonly needs: 'stores'; readonly operation: StoresOperation<OptionValues, unknown> }
  | { readonly needs: 'settings'; readonly operation: Operation<OptionValues, Settings, unknown> }
);

export type PreparedCommand = {
  readonly isQuiet: boolean;
  /** Name of the person who runs it; `null` if not given. */
  readonly by: string | null;
  readonly needsName: boolean;
  readonly isBackground: boolean;
} & (
  | (Runnable<OperatorCommands> & { readonly needs: 'stores'; readonly mayFound: boolean })
  | (Runnable<Settings> & { readonly needs: 'settings' })
);

export interface Runnable<Target> {
  readonly run: (target: Target, reporter: Reporter) => Promise<unknown>;
  /** Formats the result for programs or people. */
  readonly format: (result: unknown, style: Style, target: Target) => Promise<string>;
  readonly findsFault: (result: unknown) => boolean;
}

export const onStores = <Options extends OptionValues, Result>(
  operation: StoresOperation<Options, Result>,
): OperatorCommand => ({
  ...completeCommand(operation),
  needs: 'stores',
  operation: operation as unknown as StoresOperation<OptionValues, unknown>,
});

/** Command that runs before the registry can be opened. */
export const alone = <Options extends OptionValues, Result>(
  operation: Operation<Options, Settings, Result>,
): OperatorCommand => ({
  ...completeCommand(operation),
  needs: 'settings',
  operation: operation as unknown as Operation<OptionValues, Settings, unknown>,
});

const completeCommand = <Options extends OptionValues>({
  command,
  about,
  example,
  needsName,
  oneOf = [],
}: Operation<Options, never, unknown>) => {
  const options = [...command.options];
  const terms = options.map((option) => {
    const term = formatOption(option);
    const at = oneOf.indexOf(option.attributeName());
    if (at > 0) return `| ${term}`;
    return option.mandatory || at === 0 ? term : `[${term}]`;
  });
  if (needsName) terms.push('--by NAME');
  const usage = [command.name(), ...terms].join(' ');
  command
    .description(about)
    .usage(terms.join(' '))
    .addHelpText('after', `\nExample:\n  ${PROGRAM} ${example}`)
    .optionsGroup(FOR_EVERY_COMMAND)
    .option('--json', 'prints one JSON object, for programs')
    .option('--quiet', 'hides progress')
    .option('--by <NAME>', 'records who runs it', parseName);
  return { words: command.name().split(' '), usage, options, command };
};

/** Option in usage syntax, with its choices. */
const formatOption = ({ flags, argChoices }: Option): string =>
  flags.replace(/<(.*)>/, (_, value: string) => argChoices?.join('|') ?? value);

const parseName = (text: string): string => {
  const name = parseOperatorName(text);
  if (name === null) throw new InvalidArgumentError('It takes the name of a person, in one line.');
  return name;
};

/** Program name in messages. */
const PROGRAM = 'npx --no birth-registry';
const FOR_EVERY_COMMAND = 'Options of every command:';

/** Descriptions of options that mean the same in most commands. */
const SHARED_OPTIONS: Readonly<Record<string, string>> = {
  practice: 'id of the practice',
  partner: 'id of the partner',
  provider: 'id of the provider',
  key: 'id of the key',
  email: 'email of the account',
  name: 'name to show',
  scopes: 'rights of the key',
  chart: 'chart number of the record',
  record: 'id of the record',
  person: 'id of the account',
  password: 'stays in the history of the shell',
  absorbed: 'id of the provider to end',
  survivor: 'id of the provider that remains',
  auditor: 'grants or ends the access',
  beta: 'grants or ends beta access',
  addresses: 'limits the key to addresses and networks',
  unusual: 'lists only what was unusual',
  since: 'start of the period',
  until: 'end of the period',
  recipient: 'key that can open the archive',
  recipientsFile: 'file of such keys',
  identity: 'file of the key that opens the backup',
  from: 'the backup',
  to: 'path to write',
};

export type Subjects = Readonly<Record<string, readonly OperatorCommand[]>>;

export const createOperator = (subjects: Subjects): Command => {
  const program = createProgram(PROGRAM)
    .usage('COMMAND [OPTIONS]')
    .helpCommand(false)
    .enablePositionalOptions()
    .addHelpText('after', `\n${PROGRAM} COMMAND --help shows the options of a command.`)
    .addHelpText('after', `For senders: ${PROGRAM} push --help.`);
  program.configureHelp({
    ...program.configureHelp(),
    optionDescription: (option) =>
      new Help().optionDescription(option) || (SHARED_OPTIONS[option.attributeName()] ?? ''),
    subcommandTerm: (command) => command.name(),
    subcommandDescription: (command) =>
      command.description().split('\n')[0] || command.commands.map((one) => one.name()).join(', '),
  });
  for (const [subject, commands] of Object.entries(subjects))
    for (const { words, command } of commands) {
      const [first = '', second] = words;
      command
        .copyInheritedSettings(program)
        .addHelpOption(new Option('-h, --help', 'prints this text').helpGroup(FOR_EVERY_COMMAND));
      if (second === undefined) program.addCommand(command.helpGroup(`${subject}:`));
      else findGroup(program, first, subject).addCommand(command.name(second));
    }
  return program;
};

const findGroup = (program: Command, name: string, subject: string): CommandUnknownOpts =>
  program.commands.find((command) => command.name() === name) ??
  program.command(name).usage('COMMAND [OPTIONS]').helpCommand(false).helpGroup(`${subject}:`);

/** Prints help that is asked for, and ends the process. @throws WrongUsage */
export const parseCommandLine = (args: readonly string[], subjects: Subjects): PreparedCommand => {
  const program = createOperator(subjects);
  const [first, ...others] = args;
  program.parse(first === 'help' ? [...others, '--help'] : args, { from: 'user' });
  const found = Object.values(subjects)
    .flat()
    .find(({ words }) => words.every((word, index) => program.args[index] === word));
  if (found === undefined) throw new TypeError('A command was parsed that is not listed.');
  const options = readOptions(found);
  const prepared = {
    isQuiet: options['quiet'] === true,
    by: typeof options['by'] === 'string' ? options['by'] : null,
    needsName: found.operation.needsName === true || isNameNeeded(found.operation, options),
    isBackground: found.operation.isBackground === true,
  };
  if (found.needs === 'settings')
    return { ...prepared, needs: 'settings', ...bindOptions(found.operation, options) };
  const mayFound = found.operation.mayFound === true;
  return { ...prepared, needs: 'stores', mayFound, ...bindOptions(found.operation, options) };
};

/** @throws WrongUsage if one is missing */
const readOptions = ({ command, options, operation }: OperatorCommand): OptionValues => {
  const given = Object.fromEntries(
    Object.entries(command.opts()).filter(([, value]) => value !== ''),
  );
  const isGiven = (option: Option): boolean => option.attributeName() in given;
  const nameAll = (some: readonly Option[]): string => some.map(({ long }) => long).join(' or ');
  const among = (names: readonly string[]) =>
    options.filter((option) => names.includes(option.attributeName()));
  const missing = options.filter((option) => option.mandatory && !isGiven(option));
  if (missing.length > 0) command.error(`${nameAll(missing)} is missing.`);
  const { oneOf, anyOf } = operation;
  if (oneOf !== undefined && among(oneOf).filter(isGiven).length !== 1)
    command.error(`Give either ${nameAll(among(oneOf))}.`);
  if (anyOf !== undefined && !among(anyOf).some(isGiven))
    command.error(`There is nothing to set. Give ${nameAll(among(anyOf))}.`);
  return given;
};

const isNameNeeded = (
  { needsNameWith: option }: Operation<OptionValues, never, unknown>,
  options: OptionValues,
): boolean => option !== undefined && option in options;

const bindOptions = <Target>(
  operation: Operation<OptionValues, Target, unknown>,
  options: OptionValues,
): Runnable<Target> => ({
  run: (target, reporter) => operation.run(options, target, reporter),
  format: async (result, style, target) => {
    const text =
      options['json'] === true
        ? JSON.stringify(operation.json?.(result) ?? result)
        : await operation.show(result, style, options, target);
    return `${text}\n`;
  },
  findsFault: (result) => operation.findsFault?.(result, options) ?? false,
});
