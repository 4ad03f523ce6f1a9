import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../api/app/service.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import { runOperator } from '../../scripts/operator/run-operator.ts';
import { type CapturedRun, captureRun } from '../harness/captured-run.ts';
import { freePort } from '../harness/ports.ts';
import { copyStartedCluster } from '../harness/postgres.ts';
import { post, push, receiptAt, testSettings } from '../harness/service.ts';
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle } from '../support/bundles.ts';

interface Printed extends CapturedRun {
  /** Whether the command lowers the priority of its process, which here is that of the tests. */
  readonly yields?: boolean;
}

const ON_STANDARD_INPUT = 'twelve chars';

const operator = (dataDir: string, ...args: readonly string[]): Promise<Printed> =>
  operatorIn({ DATA_DIR: dataDir }, args);

/** The command without a process of its own. */
const operatorIn = async (
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Printed> => {
  let yields = false;
  const yieldToService = () => {
    yields = true;
  };
  const captured = await captureRun((streams) =>
    runOperator({ args, environment, yieldToService, ...streams }),
  );
  return { ...captured, yields };
};

/** A command in a process of its own, as an operator gives it. */
const operatorProcess = (dataDir: string, ...args: readonly string[]): Promise<Printed> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['scripts/run.mjs', 'operator', ...args],
      { env: { ...process.env, DATA_DIR: dataDir } },
      (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : -1;
        resolve({ code, stdout, stderr });
      },
    );
    // Most take nothing from it.
    child.stdin?.end(`${ON_STANDARD_INPUT}\n`);
  });

const printedBy = async <T>(dataDir: string, ...args: readonly string[]): Promise<T> =>
  objectIn(await operator(dataDir, ...args, '--json'));

const objectIn = <T>({ code, stdout, stderr }: Printed): T => {
  if (code !== 0) throw new Error(stderr);
  assert.is(stdout.trim().split('\n').length, 1, 'one JSON object');
  return JSON.parse(stdout) as T;
};

const silent = openServiceLog('silent');
const commands = suite<{ service: ServiceProcess; stores: Stores }>('the operator commands');

const directory = temporaryDirectory('operator');
const dataDir = directory.path;
const port = await freePort();

commands.before(() => copyStartedCluster(dataDir));
commands.after(async ({ stores }) => {
  await stores.close();
  directory.remove();
});

type Listed = Readonly<Record<string, unknown>>;

commands('partners, their keys and accounts are run from the shell', async (context) => {
  const run = <T>(...args: readonly string[]) => printedBy<T>(dataDir, ...args);
  const { practiceId } = await run<{ practiceId: string }>(
    'practice',
    'create',
    '--name',
    'Cedar Birth Center',
  );
  // What was set up with the service stopped is there when it starts.
  const service = await startServiceProcess(dataDir, port);
  context.service = service;
  const outsideBeta = ['key', 'mint', '--practice', practiceId, '--scopes', 'ingest:write'];
  const refused = await operator(dataDir, ...outsideBeta);
  assert.is(refused.code, 1);
  assert.match(refused.stderr, 'beta');
  assert.equal(
    await run('practice', 'set', '--practice', practiceId, '--sandbox', 'true', '--beta', 'true'),
    { practiceId },
  );
  const { partnerId } = await run<{ partnerId: string }>(
    'partner',
    'create',
    '--name',
    'Maple EHR',
    '--beta',
  );
  const mint = [
    'partner',
    'mint-key',
    '--partner',
    partnerId,
    '--practice',
    practiceId,
    '--scopes',
    'ingest:write, ingest:read',
  ];
  const minted = await run<{ keyId: string; token: string }>(...mint);
  assert.is((await post(service.url, minted.token, birthBundle())).status, 403);
  assert.equal(await run('partner', 'set', '--partner', partnerId, '--status', 'Active'), {
    partnerId,
  });
  assert.is((await post(service.url, minted.token, birthBundle())).status, 202);
  const second = await operator(dataDir, ...mint);
  assert.equal([second.code, second.stdout], [1, '']);
  assert.match(second.stderr, minted.keyId);

  const person = ['--email', 'Ada@Cedar.example', '--password', '-twelve chars'];
  const member = ['member', 'add', '--practice', practiceId, '--role', 'Provider', ...person];
  const unnamable = await operator(dataDir, ...member, '--name', 'ada@cedar.example');
  assert.equal([unnamable.code, unnamable.stdout], [1, '']);
  assert.match(unnamable.stderr, /no @/);
  const { memberId } = await run<{ memberId: string }>(...member, '--name', ' Ada  Okoye');
  assert.match(memberId, /^[0-9a-f]{32}$/);
  const [again, both] = await Promise.all([
    operator(dataDir, ...member),
    operator(dataDir, 'staff', 'add', ...person),
  ]);
  assert.is(again.code, 1);
  assert.match(again.stderr, 'has the account already');
  assert.is(both.code, 1);
  assert.match(both.stderr, 'belongs to a member of a practice');
  // It reads the password from the standard input of its process.
  const added = await operatorProcess(
    dataDir,
    'staff',
    'add',
    '--email',
    'sam@registry.example',
    '--password-stdin',
    '--name',
    'Sam Reyes',
    '--json',
  );
  const { staffId } = objectIn<{ staffId: string }>(added);
  assert.is.not(staffId, memberId);
  const newcomer = ['--email', 'new@registry.example', '--password', '-twelve chars'];
  const { staffId: unnamed } = await run<{ staffId: string }>('staff', 'add', ...newcomer);

  const keysOf = (...whose: readonly string[]) => run<{ keys: Listed[] }>('key', 'list', ...whose);
  const [named, oaks, table, { partners }, ofPractice, ofPartner, { members }, verified] =
    await Promise.all([
      run<{ practices: Listed[] }>('practice', 'list', '--name', 'cedar'),
      run<{ practices: Listed[] }>('practice', 'list', '--name', 'oak'),
      operator(dataDir, 'practice', 'list'),
      run<{ partners: Listed[] }>('partner', 'list'),
      keysOf('--practice', practiceId),
      keysOf('--partner', partnerId),
      run<{ members: Listed[] }>('member', 'list', '--practice', practiceId),
      run<{ problems: unknown[] }>('verify'),
    ]);
  assert.equal(
    named.practices.map((one) => [one['practiceId'], one['name'], one['members'], one['liveKeys']]),
    [[practiceId, 'Cedar Birth Center', 1, 1]],
  );
  assert.equal(oaks.practices, []);
  assert.match(table.stdout, /^Name +Id +Sandbox +Beta/);
  assert.match(table.stdout, new RegExp(`^Cedar Birth Center +${practiceId} +yes +yes`, 'm'));
  assert.equal(
    partners.map(({ partnerId: id, contract }) => [id, contract]),
    [[partnerId, 'Active']],
  );
  for (const { keys } of [ofPractice, ofPartner]) {
    assert.equal(
      keys.map(({ keyId, kind }) => [keyId, kind]),
      [[minted.keyId, 'partner']],
    );
    assert.not(JSON.stringify(keys).includes(minted.token));
  }
  assert.equal(
    members.map(({ memberId: id, name, role }) => [id, name, role]),
    [[memberId, 'Ada Okoye', 'Provider']],
  );

  const sam = ['--email', 'sam@registry.example'];
  const nameless = await operator(dataDir, 'staff', 'reset', ...sam);
  assert.is(nameless.code, 2);
  assert.match(nameless.stderr, /--by is missing/);
  const by = ['--by', 'Ada Okoye'];
  const reset = await run<Listed>('staff', 'reset', ...sam, ...by);
  assert.equal(Object.keys(reset), ['oneTimePassword', 'expiresAt']);
  assert.equal(await run('sessions', 'end', ...sam, ...by), { ended: 0 });
  assert.equal(await run('staff', 'remove', ...sam, ...by), { staffId });
  const { staff } = await run<{ staff: Listed[] }>('staff', 'list');
  assert.equal(
    staff.map(({ staffId: id, name, lastSignInAt, status }) => [id, name, lastSignInAt, status]),
    [
      // The email is no name.
      [unnamed, null, null, 'active'],
      [staffId, 'Sam Reyes', null, 'removed'],
    ],
  );
  const ines = ['--practice', practiceId, '--email', String(members[0]?.['email']), ...by];
  const resetToo = await run<Listed>('member', 'reset', ...ines);
  assert.equal(Object.keys(resetToo), ['oneTimePassword', 'expiresAt']);
  assert.equal(await run('member', 'remove', ...ines), { memberId });
  const noted = await run<{ entries: Listed[] }>('access-log', '--kind', 'sign-ins');
  assert.equal(
    noted.entries.map(({ type, actor }) => [type, actor]),
    [['SessionsEnded', { kind: 'operator', id: 'Ada Okoye', email: null, name: null }]],
  );
  assert.equal(verified.problems, []);
});

commands(
  'work with the service stopped or running; kill -9 and a restart lose nothing',
  async (context) => {
    const { service } = context;
    const { practiceId } = await printedBy<{ practiceId: string }>(
      dataDir,
      'practice',
      'create',
      '--name',
      'Alder Birth Center',
      '--beta',
    );
    const minted = await printedBy<{ keyId: string; token: string }>(
      dataDir,
      'key',
      'mint',
      '--practice',
      practiceId,
      '--scopes',
      'ingest:write,ingest:read',
    );
    // A chart number may look like an option.
    const chart = '-17';
    const first = await push(service.url, minted.token, birthBundle({ chartNumber: chart }));
    assert.is(first.status, 'completed');
    const second = await post(service.url, minted.token, birthBundle({ chartNumber: chart }));
    assert.is(second.status, 202);

    service.kill('SIGKILL');
    await service.ended;
    const restarted = await startService(testSettings(dataDir, { PORT: String(port) }), silent);
    await restarted.started;
    const address = second.headers.get('content-location') ?? '';
    assert.is((await receiptAt(address, minted.token)).status, 'completed');

    interface History {
      readonly state: { readonly version: number } | null;
      readonly events: readonly { readonly type: string; readonly at: string }[];
    }
    const asked = [dataDir, 'history', '--practice', practiceId, '--chart'] as const;
    const inAnother = [dataDir, 'history', '--practice', 'mistyped', '--chart'] as const;
    // Side by side, as all that only read below.
    const [history, timeline, unknown, elsewhere] = await Promise.all([
      printedBy<History>(...asked, chart),
      operator(...asked, chart),
      printedBy<History>(...asked, 'nobody'),
      operator(...inAnother, chart),
    ]);
    assert.is(history.state?.version, 2);
    const at = history.events[0]?.at ?? '';
    const asOf = await printedBy<History>(...asked, chart, '--as-of', at);
    assert.is(asOf.state?.version, 1);
    // Without --json a person reads a time line.
    assert.is(timeline.code, 0, timeline.stderr);
    assert.match(timeline.stdout, /^State +live, version 2$/m);
    assert.match(timeline.stdout, /version 1 {2}Sent by an EHR \(key /);
    assert.not.match(timeline.stdout, /[{}]/);
    assert.equal([unknown.state, unknown.events], [null, []]);
    assert.is(elsewhere.code, 1);
    assert.match(elsewhere.stderr, /There is no practice with this id/);

    // Each time that the history was printed, and not the one that found nothing.
    const { entries } = await printedBy<{ entries: readonly { place: string }[] }>(
      dataDir,
      'access-log',
      '--practice',
      practiceId,
      '--kind',
      'records',
    );
    assert.equal(
      entries.map(({ place }) => place),
      ['history-command', 'history-command', 'history-command'],
    );

    await printedBy(dataDir, 'key', 'revoke', '--key', minted.keyId);
    assert.is((await post(service.url, minted.token, birthBundle())).status, 401);

    await restarted.stop();
    const verified = await printedBy<{ problems: unknown[]; events: number }>(dataDir, 'verify');
    assert.equal(verified.problems, []);
    assert.ok(verified.events > 5);
  },
);

commands(
  'a command that judges ends with 3 when it finds something, and with 0 when not',
  async (context) => {
    const statuses = async (): Promise<readonly number[]> => {
      const found: number[] = [];
      for (const command of [['verify'], ['rebuild', '--check'], ['rehearse']]) {
        const { code, stdout, yields } = await operator(dataDir, ...command, '--json');
        assert.type(JSON.parse(stdout), 'object');
        assert.is(yields, command[0] === 'rehearse');
        found.push(code);
      }
      return found;
    };
    // As a service holds them: each command would start stores of its own.
    const stores = await openStores(testSettings(dataDir), 'service', silent);
    context.stores = stores;
    const addToVersions = (change: number) =>
      sql`update read.birth_record set version = version + ${change}`.execute(stores.db);
    assert.equal(await statuses(), [0, 0, 0]);
    await addToVersions(1);
    assert.equal(await statuses(), [3, 3, 3]);
    assert.is((await operator(dataDir, 'verify')).code, 3);
    await addToVersions(-1);
    assert.is((await operator(dataDir, 'verify')).code, 0);
  },
);

commands('a clock that differs from that of the log is said beside the result', async () => {
  const now = Date.now;
  for (const seconds of [-10, 60])
    try {
      // Of this process alone: the log has one of its own.
      Date.now = () => now() + seconds * 1_000;
      const create = ['practice', 'create', '--name', 'Alder Birth Center', '--json'];
      const { code, stdout, stderr } = await operator(dataDir, ...create);
      assert.is(code, 0, stderr);
      assert.equal(Object.keys(JSON.parse(stdout) as object), ['practiceId']);
      const [, differsBy, direction] =
        /The clock of this machine is (\d+\.\d) s (behind|ahead of) the clock/.exec(stderr) ?? [];
      assert.is(direction, seconds < 0 ? 'behind' : 'ahead of', stderr);
      // A slow append leaves room for a little.
      assert.ok(Math.abs(Number(differsBy) - Math.abs(seconds)) < 5, stderr);
    } finally {
      Date.now = now;
    }
});

commands('wrong usage exits 2 and says what to do on stderr', async () => {
  const mistyped = ['practice', 'create', '--name', 'X', '--color', 'red'];
  for (const printed of [await operator(dataDir), await operator(dataDir, ...mistyped)]) {
    assert.equal([printed.code, printed.stdout], [2, ''], printed.stderr);
    assert.match(printed.stderr, 'Usage:');
  }
});

commands('the bin of the package runs them, and says what was probably meant', async () => {
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8'));
  assert.is(bin.registry, bin['birth-registry'], 'the former name');
  const run = (...args: readonly string[]) =>
    new Promise<Printed>((resolve) => {
      // As npx runs it: by its first line.
      execFile(resolvePath(bin['birth-registry']), args, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
  const help = await run('history', '--help');
  assert.equal([help.code, help.stderr], [0, '']);
  assert.match(help.stdout, 'Usage: npx --no birth-registry history --practice ID');
  const mistyped = await run('practise', 'list');
  assert.equal([mistyped.code, mistyped.stdout], [2, '']);
  assert.match(mistyped.stderr, 'Did you mean practice?');
  assert.match(mistyped.stderr, 'Usage: npx --no birth-registry COMMAND');
});

commands('a DATA_DIR that holds no registry is refused, and left as it was', async () => {
  const directory = temporaryDirectory('no-registry');
  const mistyped = join(directory.path, 'typo');
  const to = join(directory.path, 'copy');
  const environment = { REGISTRY_SECRET: 'a secret of more than 32 bytes for this test' };
  const all = [['backup', '--to', to], ['verify'], ['rotate-secret'], ['practice', 'list']];
  for (const dataDir of [mistyped, directory.path])
    await Promise.all(
      all.map(async (args) => {
        const own = { DATA_DIR: dataDir, ...environment };
        const { code, stdout, stderr } = await operatorIn(own, args);
        assert.equal([code, stdout], [1, ''], args.join(' '));
        assert.match(stderr, `DATA_DIR ${dataDir} holds no registry.`);
      }),
    );
  assert.equal(readdirSync(directory.path), []);
  directory.remove();
});

commands('the first command on an empty DATA_DIR may set up a practice', async () => {
  const directory = temporaryDirectory('first-command');
  const dataDir = join(directory.path, 'new');
  await printedBy(dataDir, 'practice', 'create', '--name', 'Cedar Birth Center');
  assert.ok(existsSync(join(dataDir, 'registry-secret')));
  const { practices } = await printedBy<{ practices: Listed[] }>(dataDir, 'practice', 'list');
  assert.is(practices.length, 1);
  directory.remove();
});

commands.run();
