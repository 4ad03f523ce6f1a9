import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_REPORTER } from '../../api/commands/reporter.ts';
import type { OperatorCommands } from '../../api/operator/operator-commands.ts';
import { createOperator, parseCommandLine } from '../../scripts/operator/command-line.ts';
import { SUBJECTS } from '../../scripts/operator/commands.ts';
import { WrongUsage } from '../../scripts/wrong-usage.ts';

const commandLine = suite('the command line of the operator');

const COMMANDS = Object.values(SUBJECTS).flat();

const runWith = (commands: OperatorCommands, args: readonly string[]): Promise<unknown> => {
  const command = parseCommandLine(args, SUBJECTS);
  if (command.needs !== 'stores') throw new Error('It runs without the stores.');
  return command.run(commands, NO_REPORTER);
};

commandLine('wrong usage is known before any store is opened', () => {
  for (const args of [
    [],
    ['practise', 'create'],
    ['practice', 'create'],
    ['practice', 'create', '--name', 'X', '--color', 'red'],
    ['practice', 'set', '--practice', 'x'],
    ['practice', 'set', '--practice', 'x', '--beta', 'yes'],
    ['practice', 'set', '--practice', 'x', '--beta'],
    ['member', 'add', '--practice', 'x', '--email', 'e', '--password', 'p'],
    ['member', 'add', '--practice', 'x', '--email', 'e', '--password', 'p', '--role', 'admin'],
    ['practice', 'create', '--name', ''],
    ['practice', 'create', '--name='],
    ['staff', 'add', '--email', 'e'],
    ['staff', 'add', '--email', 'e', '--password', 'p', '--password-stdin'],
    ['staff', 'add', '--email', 'e', '--password-stdin', 'p'],
    ['key', 'mint', '--practice', 'x', '--scopes', 'ingest:everything'],
    ['partner', 'create', '--name', 'X', '--status', 'active'],
    ['partner', 'set', '--partner', 'x'],
    ['partner', 'mint-key', '--partner', 'x', '--scopes', 'ingest:read'],
    ['provider', 'list'],
    ['provider', 'merge', '--practice', 'x', '--absorbed', 'a'],
    ['provider', 'career'],
    ['history', '--practice', 'x'],
    ['history', '--practice', 'x', '--chart', '1', '--record', 'r'],
    ['history', '--practice', 'x', '--chart', '1', '--as-of', 'yesterday'],
    ['access-log', '--practice', 'x', '--kind', 'everything'],
  ])
    assert.throws(
      () => parseCommandLine(args, SUBJECTS),
      (error: Error) => error.name === 'WrongUsage',
      args.join(' '),
    );
});

commandLine('only what can be the first on an empty DATA_DIR may found a registry', () => {
  assert.equal(
    COMMANDS.filter(({ needs, operation }) => needs === 'stores' && 'mayFound' in operation).map(
      ({ words }) => words.join(' '),
    ),
    ['practice create', 'staff add', 'partner create'],
  );
});

commandLine('an instant is one of the calendar, in UTC without an offset', async () => {
  const commands = {
    history: async (_practice: string, _chart: string, asOf: Date) => asOf.toISOString(),
    accessLog: async (_practice: string, { since, until }: Record<string, Date | null>) =>
      [since, until].map((one) => one?.toISOString()),
  } as unknown as OperatorCommands;
  const asOf = (text: string) =>
    runWith(commands, ['history', '--practice', 'x', '--chart', '1', '--as-of', text]);
  for (const [text, meant] of [
    ['2026-05-12T14:03:00Z', '2026-05-12T14:03:00.000Z'],
    ['2026-05-12T14:03Z', '2026-05-12T14:03:00.000Z'],
    ['2026-05-12T14:03:00', '2026-05-12T14:03:00.000Z'],
    ['2026-05-12T14:03:00.123456', '2026-05-12T14:03:00.123Z'],
    ['2026-05-12T14:03:00.123Z', '2026-05-12T14:03:00.123Z'],
    ['2026-05-12T14:03:00.123456789+00:00', '2026-05-12T14:03:00.123Z'],
    ['2026-12-31T23:30:00-05:00', '2027-01-01T04:30:00.000Z'],
    ['2028-02-29T00:00:00+05:30', '2028-02-28T18:30:00.000Z'],
  ] as const)
    assert.is(await asOf(text), meant, text);
  for (const text of [
    '5',
    '1/2/2027',
    'Nov 2027',
    '2026',
    '2026-05',
    '2026-05-12',
    '20260512T140300Z',
    '2026-02-30T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2026-05-12T24:00:00Z',
    '2026-05-12T14:60:00Z',
    '2026-13-01T00:00:00Z',
    '2026-05-12 14:03:00Z',
    '2026-05-12T14:03:00z',
    '+2026-05-12T14:03:00Z',
    '2026-05-12T14:03:00+0200',
    '2026-05-12T14:03:00 Z',
    'now',
  ])
    assert.throws(
      () => asOf(text),
      (error: Error) => error.name === 'WrongUsage',
      text,
    );
  const period = ['--since', '2026-01-01T00:00:00Z', '--until', '2027-01-01T00:00:00+01:00'];
  assert.equal(await runWith(commands, ['access-log', ...period]), [
    '2026-01-01T00:00:00.000Z',
    '2026-12-31T23:00:00.000Z',
  ]);
  for (const option of ['--since', '--until'])
    assert.throws(
      () => parseCommandLine(['access-log', option, '2026-02-30T00:00:00Z'], SUBJECTS),
      (error: Error) =>
        error.name === 'WrongUsage' && error.message.startsWith(`Option '${option} `),
    );
});

commandLine(
  'an option that takes a value takes the next word, even one that looks like an option',
  async () => {
    const commands = {
      history: async (_practice: string, chart: string) => chart,
    } as unknown as OperatorCommands;
    for (const chart of ['--help', '--json', '-7', '-h'])
      assert.is(
        await runWith(commands, ['history', '--practice', 'x', '--chart', chart, '--quiet']),
        chart,
      );
  },
);

commandLine('an empty value is none', async () => {
  const commands = {
    accessLog: async (practice: string | null, query: unknown) => [practice, query],
  } as unknown as OperatorCommands;
  assert.equal(await runWith(commands, ['access-log', '--practice', '', '--since', '']), [
    null,
    { record: null, person: null, kind: null, onlyUnusual: false, since: null, until: null },
  ]);
});

commandLine('values reach the command as they were meant', async () => {
  const calls: unknown[] = [];
  const note =
    <T>(answer: T) =>
    async (...args: readonly unknown[]) => {
      calls.push(args);
      return answer;
    };
  const commands = {
    practices: { set: note(undefined) },
    partners: { create: note('p-1'), set: note(undefined) },
    keys: { mintPartner: note({ keyId: 'k', token: 't' }) },
    accounts: { addMember: note('m-1') },
  } as unknown as OperatorCommands;
  const run = (...args: readonly string[]) => runWith(commands, args);

  assert.equal(
    [
      await run('practice', 'set', '--practice', 'x', '--beta', 'false', '--json'),
      await run('partner', 'create', '--name', 'Maple EHR'),
      await run('partner', 'set', '--partner', 'p', '--beta', 'true', '--status', 'Suspended'),
      await run(
        'partner',
        'mint-key',
        '--partner',
        'p',
        '--practice',
        'x',
        '--scopes',
        'ingest:read, ingest:write,ingest:read',
        '--addresses',
        '203.0.113.0/24,2001:DB8::1',
      ),
      await run(
        'member',
        'add',
        '--practice',
        'x',
        '--role',
        'Scribe',
        '--email',
        'e',
        '--password',
        '--secret',
      ),
    ],
    [
      { practiceId: 'x' },
      { partnerId: 'p-1' },
      { partnerId: 'p' },
      { keyId: 'k', token: 't' },
      { memberId: 'm-1' },
    ],
  );
  assert.equal(calls, [
    ['x', { sandbox: null, beta: false, name: null, timeZone: null, dateOrder: null, clock: null }],
    [{ name: 'Maple EHR', beta: false, status: 'Pending' }],
    ['p', { beta: true, status: 'Suspended' }],
    [
      {
        practiceId: 'x',
        scopes: ['ingest:read', 'ingest:write'],
        name: null,
        addresses: ['203.0.113.0/24', '2001:db8::1'],
        partnerId: 'p',
      },
    ],
    [{ email: 'e', password: '--secret', practiceId: 'x', role: 'Scribe', name: undefined }],
  ]);
});

commandLine('providers are printed in the shape of the contract', async () => {
  const merges: unknown[] = [];
  const commands = {
    providers: {
      list: async (practiceId: string) => [practiceId],
      merge: async (command: unknown) => merges.push(command),
      career: async () => [],
    },
  } as unknown as OperatorCommands;
  const run = (...args: readonly string[]) => runWith(commands, args);
  assert.equal(
    [
      await run('provider', 'list', '--practice', 'x'),
      await run('provider', 'merge', '--practice', 'x', '--absorbed', 'a', '--survivor', 'b'),
      await run('provider', 'career', '--provider', 'b'),
    ],
    [{ providers: ['x'] }, { repointed: 1 }, { providerId: 'b', entries: [] }],
  );
  assert.equal(merges, [{ practiceId: 'x', absorbed: 'a', survivor: 'b' }]);
});

/** Help of a command, or of all. */
const helpOf = (...words: readonly string[]): string => {
  const shown = words.reduce(
    (parent, word) => parent.commands.find((one) => one.name() === word) ?? parent,
    createOperator(SUBJECTS) as CommandUnknownOpts,
  );
  let text = '';
  const writeOut = (part: string): void => {
    text += part;
  };
  shown.configureOutput({ writeOut }).outputHelp();
  return text;
};

commandLine(
  'help of a command holds its options, what it does and an example that it takes',
  () => {
    for (const { words, usage, options, command, operation } of COMMANDS) {
      const help = helpOf(...words);
      const isBare = usage === words.join(' ');
      assert.ok(
        help.startsWith(`Usage: npx --no birth-registry ${usage}${isBare ? ' [options]' : ''}\n`),
        help,
      );
      assert.match(help, command.description().slice(0, 60));
      assert.match(help, `Example:\n  npx --no birth-registry ${operation.example}`);
      for (const name of [...options.map(({ long }) => long), '--json', '--quiet', '--by'])
        assert.match(help, new RegExp(`^  ${name}( \\S+)?  +\\S`, 'm'), name);
      const typed = [...operation.example.matchAll(/"([^"]*)"|(\S+)/g)].map(
        ([, quoted, plain]) => quoted ?? plain ?? '',
      );
      parseCommandLine(typed, SUBJECTS);
    }
  },
);

commandLine('help without a command says in a line each what there is', () => {
  const all = helpOf();
  for (const { words, command } of COMMANDS) {
    const about = command.description().slice(0, 15);
    const [first, second] = words;
    if (second === undefined) assert.match(all, new RegExp(`^  ${first} +${about}`, 'm'));
    else {
      assert.match(all, new RegExp(`^  ${first} .*\\b${second}\\b`, 'm'));
      assert.match(helpOf(first ?? ''), new RegExp(`^  ${second} +${about}`, 'm'));
    }
  }
  assert.not.match(helpOf('partner'), 'backup');
});

const wrongUsageOf = (...args: readonly string[]): string => {
  try {
    parseCommandLine(args, SUBJECTS);
  } catch (error) {
    if (error instanceof WrongUsage) return error.message;
    throw error;
  }
  return assert.unreachable(args.join(' ')) as never;
};

commandLine('what is mistyped is answered by what was probably meant', () => {
  for (const [args, meant] of [
    [['practise', 'list'], /^Unknown command\. Did you mean practice\?/],
    [['practice', 'lsit', '--name', 'x'], /^Unknown command\. Did you mean list\?/],
    [['verfy', '--json'], /Did you mean verify\?/],
    [['histroy', '--practice', 'x'], /Did you mean history\?/],
    [['practice', 'list', '--nme', 'x'], /^Unknown option --nme\. Did you mean --name\?/],
    [['verify', '--jason'], /Did you mean --json\?/],
    [['practice'], /^Usage: npx --no birth-registry practice COMMAND/],
    [['key', 'mint', '--practise', 'x'], /^Required option '--practice ID' not specified\./],
    [['practice', 'create', '--name', 'X', '--beta=yes'], /^Unknown option --beta=…\./],
    [['practice', 'create', '--name'], /^Option '--name NAME' argument missing\./],
    [['practice', 'create', '--name', ''], /^--name is missing\./],
    [['practice', 'set', '--practice', 'x'], /^There is nothing to set\. Give --sandbox or /],
    [['staff', 'add', '--email', 'e'], /^Give either --password-stdin or --password\./],
    [
      ['partner', 'create', '--name', 'X', '--status', 'active'],
      /^Option '--status STATUS' does not take this value\. Allowed choices are Pending, /,
    ],
    [
      [...['key', 'mint', '--practice', 'x', '--scopes', 'ingest:read'], '--addresses', '::1,here'],
      /takes addresses and networks .* Entry 2 is neither\./,
    ],
    [['zzzzzzzzzz'], /^Unknown command\.\n/],
    [['partner', 'list', '--colorful'], /^Unknown option --colorful\.\n/],
  ] as const)
    assert.match(wrongUsageOf(...args), meant, args.join(' '));
});

commandLine('what is typed is not repeated: it may be a password, a name, or an email', () => {
  for (const args of [
    ['hunter2'],
    ['staff', 'hunter2'],
    ['staff', 'add', '--email', 'hunter2', '--password', 'hunter2', '--pasword', 'hunter2'],
    ['staff', 'add', '--email', 'e', '--password-stdin', 'hunter2'],
    ['staff', 'add', '--email', 'e', '--password-stdin=hunter2'],
    ['staff', 'add', '--email', 'e', '--pasword=hunter2'],
    ['staff', 'add', '--email', 'e', '-phunter2'],
    ['staff', 'add', '--email', 'e', '--password', 'p', '--hunter2'],
    ['staff', 'add', '--email', 'e', '--password', 'p', '--by', 'hunter2'.repeat(20)],
    ['member', 'add', ...'--practice x --email e --password p --role'.split(' '), 'hunter2'],
    [
      'member',
      'add',
      ...'--practice x --email e --password p --role'.split(' '),
      "' is invalid. hunter2",
    ],
    ['member', 'set', ...'--practice x --email e --auditor'.split(' '), 'hunter2'],
    ['key', 'mint', '--practice', 'x', '--scopes', 'hunter2'],
    ['statistics', '--practice', 'x', '--year', 'hunter2'],
    ['history', '--practice', 'x', '--chart', '1', '--as-of', 'hunter2'],
  ])
    assert.not.match(wrongUsageOf(...args), 'hunter', args.join(' '));
});

commandLine.run();
