import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_REPORTER } from '../../api/commands/reporter.ts';
import type { OperatorCommands } from '../../api/operator/operator-commands.ts';
import { isAskedForHelp, parseCommandLine, usageOf } from '../../scripts/operator/command-line.ts';
import { COMMANDS } from '../../scripts/operator/commands.ts';
import { WrongUsage } from '../../scripts/wrong-usage.ts';

const commandLine = suite('the command line of the operator');

const runWith = (commands: OperatorCommands, args: readonly string[]): Promise<unknown> => {
  const command = parseCommandLine(args, COMMANDS);
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
      () => parseCommandLine(args, COMMANDS),
      (error: Error) => error.name === 'WrongUsage',
      args.join(' '),
    );
});

commandLine('only what can be the first on an empty DATA_DIR may found a registry', () => {
  assert.equal(
    COMMANDS.filter((command) => 'prepare' in command && command.mayFound === true).map(
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
      () => parseCommandLine(['access-log', option, '2026-02-30T00:00:00Z'], COMMANDS),
      (error: Error) => error.name === 'WrongUsage' && error.message.startsWith(option),
    );
});

commandLine('help is asked for by the first option, or instead of a command', () => {
  for (const args of [['help'], ['--help'], ['-h'], ['staff', 'add', '--help']])
    assert.ok(isAskedForHelp(args), args.join(' '));
  for (const args of [[], ['staff'], ['history', '--practice', 'x', '--chart', '--help']])
    assert.not.ok(isAskedForHelp(args), args.join(' '));
  for (const args of [
    ['staff', 'add', '--help'],
    ['help', 'staff', 'add'],
  ])
    assert.match(usageOf(args, COMMANDS), /^Usage: npx registry staff add --email/);
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

commandLine(
  'help of a command holds its options, what it does and an example that it takes',
  () => {
    for (const { words, usage, about, example } of COMMANDS) {
      const help = usageOf(words, COMMANDS);
      assert.ok(help.startsWith(`Usage: npx registry ${usage}\n`), help);
      assert.match(help, about.slice(1));
      assert.match(help, `Example:\n  npx registry ${example}`);
      assert.match(help, '--json');
      assert.match(help, '--quiet');
      const typed = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(
        ([, quoted, plain]) => quoted ?? plain ?? '',
      );
      parseCommandLine(typed, COMMANDS);
    }
  },
);

commandLine('help without a command says in a line each what there is', () => {
  const all = usageOf([], COMMANDS);
  for (const { words, about } of COMMANDS)
    assert.match(all, new RegExp(`^  ${words.join(' ')} +${about.slice(0, 20)}`, 'm'));
  const group = usageOf(['partner', 'mind-key'], COMMANDS);
  assert.match(group, 'partner mint-key');
  assert.not.match(group, 'backup');
});

const wrongUsageOf = (...args: readonly string[]): string => {
  try {
    parseCommandLine(args, COMMANDS);
  } catch (error) {
    if (error instanceof WrongUsage) return error.message;
    throw error;
  }
  return assert.unreachable(args.join(' ')) as never;
};

commandLine('what is mistyped is answered by what was probably meant', () => {
  for (const [args, meant] of [
    [['practise', 'list'], /Did you mean practice list\?/],
    [['practice', 'lsit', '--name', 'x'], /Did you mean practice list\?/],
    [['verfy', '--json'], /Did you mean verify\?/],
    [['histroy', '--practice', 'x'], /Did you mean history\?/],
    [['key', 'mint', '--practise', 'x'], /--practise .* Did you mean --practice\?/],
    [['verify', '--jason'], /Did you mean --json\?/],
    [['practice'], /After practice a word is missing/],
    [['practice', 'create', '--name', 'X', '--beta=yes'], /has no value, or has one/],
    [['practice', 'create', '--name'], /has no value, or has one/],
    [
      [...['key', 'mint', '--practice', 'x', '--scopes', 'ingest:read'], '--addresses', '::1,here'],
      /--addresses takes addresses and networks .* Entry 2 is neither\./,
    ],
    [['zzzzzzzzzz'], /This is not a command\. Give one of those below\./],
    [['partner', 'list', '--colorful'], /It takes --json, --quiet, --by\./],
  ] as const)
    assert.match(wrongUsageOf(...args), meant, args.join(' '));
});

commandLine('a word that stands alone is not repeated: it may be a password', () => {
  const said = wrongUsageOf('staff', 'add', '--email', 'e', '--password-stdin', 'hunter2hunter2');
  assert.match(said, 'There is an unexpected word');
  assert.not.match(said, 'hunter2');
});

commandLine.run();
