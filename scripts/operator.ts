import { parseArgs } from 'node:util';
import { CommandRefused } from '../api/commands/command-refused.ts';
import { type OperatorCommands, openCommands } from '../api/composition/commands.ts';
import { openServiceLog } from '../api/composition/logging.ts';
import { readSettings, SettingInvalid } from '../api/composition/settings.ts';
import { SCOPES, type Scope } from '../domain/api-key/events.ts';

/** The command line is not one of the documented commands. */
class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

interface OperatorCommand {
  /** Words that name it. */
  readonly words: readonly string[];
  /** Options it takes; a boolean one has no value. */
  readonly options: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>;
  readonly usage: string;
  readonly run: (commands: OperatorCommands, values: Values) => Promise<unknown>;
}

const string = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

const COMMANDS: readonly OperatorCommand[] = [
  {
    words: ['practice', 'create'],
    options: { name: string, sandbox: flag, beta: flag },
    usage: 'practice create --name NAME [--sandbox] [--beta]',
    run: async ({ practices }, values) => ({
      practiceId: await practices.create({
        name: required(values, 'name'),
        sandbox: values['sandbox'] === true,
        beta: values['beta'] === true,
      }),
    }),
  },
  {
    words: ['key', 'mint'],
    options: { practice: string, scopes: string, name: string },
    usage: 'key mint --practice ID --scopes ingest:write,ingest:read [--name NAME]',
    run: ({ keys }, values) =>
      keys.mintNative({
        practiceId: required(values, 'practice'),
        scopes: scopesIn(required(values, 'scopes')),
        name: optional(values, 'name'),
      }),
  },
  {
    words: ['key', 'revoke'],
    options: { key: string },
    usage: 'key revoke --key ID',
    run: async ({ keys }, values) => {
      const keyId = required(values, 'key');
      await keys.revoke(keyId);
      return { keyId };
    },
  },
  {
    words: ['history'],
    options: { practice: string, chart: string, 'as-of': string },
    usage: 'history --practice ID --chart N [--as-of INSTANT]',
    run: ({ history }, values) =>
      history(required(values, 'practice'), required(values, 'chart'), instantIn(values, 'as-of')),
  },
  {
    words: ['verify'],
    options: {},
    usage: 'verify',
    run: ({ verify }) => verify(),
  },
];

const optional = (values: Values, name: string): string | null => {
  const value = values[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

const required = (values: Values, name: string): string => {
  const value = optional(values, name);
  if (value === null) throw new WrongUsage(`--${name} is missing.`);
  return value;
};

const scopesIn = (text: string): readonly Scope[] =>
  [...new Set(text.split(',').map((one) => one.trim()))].map((one) => {
    const scope = SCOPES.find((known) => known === one);
    if (scope === undefined) throw new WrongUsage(`--scopes takes ${SCOPES.join(',')}.`);
    return scope;
  });

const instantIn = (values: Values, name: string): Date | null => {
  const value = optional(values, name);
  if (value === null) return null;
  const instant = new Date(value);
  if (Number.isNaN(instant.getTime()))
    throw new WrongUsage(`--${name} takes an ISO 8601 instant, such as 2026-05-12T14:03:00Z.`);
  return instant;
};

const usage = (): string =>
  [
    'Usage: npm run --silent operator -- <command> --json',
    ...COMMANDS.map((one) => `  ${one.usage}`),
  ].join('\n');

const parse = (args: readonly string[]): { command: OperatorCommand; values: Values } => {
  const command = COMMANDS.find(({ words }) => words.every((word, index) => args[index] === word));
  if (command === undefined) throw new WrongUsage('There is no such command.');
  try {
    const { values } = parseArgs({
      args: withJoinedValues(args.slice(command.words.length), command),
      options: { ...command.options, json: { type: 'boolean' } },
      allowPositionals: false,
    });
    return { command, values: values as Values };
  } catch (cause) {
    throw new WrongUsage(`Usage: ${command.usage}`, { cause });
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

/** Runs one command; prints one JSON object. */
const main = async (): Promise<void> => {
  const { command, values } = parse(process.argv.slice(2));
  const settings = readSettings(process.env);
  // Standard output is for the one JSON object: the stores keep silent.
  const commands = await openCommands(settings, openServiceLog('silent'));
  try {
    process.stdout.write(`${JSON.stringify(await command.run(commands, values))}\n`);
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
