import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMAND_FLAGS } from '../../scripts/node-flags.ts';
import { readCommandLine } from '../../scripts/synthesis/command-line.ts';
import { createRandom } from '../../scripts/synthesis/random.ts';
import { runSynthesis } from '../../scripts/synthesis/run-synthesis.ts';
import { WrongUsage } from '../../scripts/wrong-usage.ts';
import { type CapturedRun, captureRun } from '../harness/captured-run.ts';

/** In a process of its own, as it is given in a shell. */
const runProcess = (...args: readonly string[]) =>
  spawnSync(process.execPath, [...COMMAND_FLAGS, 'scripts/run.mjs', 'synthesize', ...args], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });

const run = (...args: readonly string[]): Promise<CapturedRun> =>
  captureRun((streams) => runSynthesis({ args, ...streams }));

const commandLine = suite('the command line of the synthetic births');

commandLine('defaults are those of the usage text', () => {
  assert.equal(readCommandLine(['--courses', '12']), {
    plan: {
      courses: 12,
      seed: '1',
      lane: 'native',
      year: 2025,
      until: null,
      practicePrefix: 'SYN',
      elements: 'usual',
    },
    batchSize: null,
    shouldPrintSummary: false,
    isQuiet: false,
  });
});

commandLine('every option is read', () => {
  const words =
    '--courses 3 --seed maple --lane partner --format batch --batch-size 20 --year 2023 ' +
    '--until 2023-04-01 --practice-prefix CEDAR-2 --elements all --summary';
  assert.equal(readCommandLine(words.split(' ')), {
    plan: {
      courses: 3,
      seed: 'maple',
      lane: 'partner',
      year: 2023,
      until: '2023-04-01',
      practicePrefix: 'CEDAR-2',
      elements: 'all',
    },
    batchSize: 20,
    shouldPrintSummary: true,
    isQuiet: false,
  });
});

commandLine('help asks for nothing else', () => {
  const { status, stdout, stderr } = runProcess('--help');
  assert.equal([status, stderr], [0, '']);
  assert.match(stdout, /^Usage: npm run --silent synthesize -- --courses N/);
});

const WRONG: readonly (readonly [string, RegExp])[] = [
  ['', /^Required option '--courses N' not specified/],
  ['--courses 0', /^Option '--courses N' .* It takes a whole number/],
  ['--courses 1e3', /^Option '--courses N' .* It takes a whole number/],
  ['--courses 5 --lane both', /^Option '--lane LANE' .* choices are native, partner/],
  ['--courses 5 --format xml', /^Option '--format FORMAT' .* choices are ndjson, batch/],
  ['--courses 5 --format batch --batch-size 2000', /^Option '--batch-size N' .* It takes/],
  [
    '--courses 5 --elements all --batch-size 51',
    /^With --elements all, --batch-size is at most 50/,
  ],
  ['--courses 5 --elements some', /^Option '--elements ELEMENTS' .* choices are usual, all/],
  ['--courses 5 --year 20', /^Option '--year YYYY' .* It takes/],
  ['--courses 5 --until 2025-02-30', /^Option '--until YYYY-MM-DD' .* It takes a date/],
  ['--courses 5 --until 2024-12-31', /--until lies before the year/],
  ['--courses 5 --practice-prefix a/b', /^Option '--practice-prefix P' .* It takes/],
  ['--courses 5 --color red', /^Unknown option --color\./],
  ['--courses 5 more', /^Too many arguments/],
];

for (const [words, message] of WRONG)
  commandLine(`wrong usage says why: ${words || 'nothing'}`, () => {
    const args = words === '' ? [] : words.split(' ');
    assert.throws(
      () => readCommandLine(args),
      (error: unknown) => error instanceof WrongUsage && message.test(error.message),
    );
  });

commandLine('the same seed gives the same bytes, another one does not', async () => {
  const once = runProcess('--courses', '40', '--seed', 'a');
  const [again, other] = await Promise.all([
    run('--courses', '40', '--seed', 'a', '--summary'),
    run('--courses', '40', '--seed', 'b'),
  ]);
  assert.is(once.status, 0);
  assert.is(once.stdout, again.stdout);
  assert.is.not(once.stdout, other.stdout);
  assert.is(once.stderr, '');
  assert.match(again.stderr, /^birth: 40\n/);
  for (const line of once.stdout.trimEnd().split('\n'))
    assert.is(JSON.parse(line).resourceType, 'Bundle');
});

commandLine('the bytes are those of every other machine', async () => {
  const { stdout } = await run('--courses', '25', '--seed', 'pinned', '--lane', 'partner');
  // It changes only when the births or their style do: then pin the new one.
  assert.is(createHash('sha256').update(stdout).digest('hex'), PINNED);
});

const PINNED = '868f036baefd9e87db358586517a37416b444b084921138e5726e89b109354bc';

commandLine('practices with different prefixes differ in more than the chart numbers', async () => {
  const [one, two] = await Promise.all([
    run('--courses', '3', '--practice-prefix', 'A'),
    run('--courses', '3', '--practice-prefix', 'B'),
  ]);
  assert.is.not(one.stdout.replaceAll('A-25-', 'B-25-'), two.stdout);
});

commandLine('wrong usage exits with 2 and prints no Bundle', async () => {
  const { code, stdout, stderr } = await run('--lane', 'native');
  assert.is(code, 2);
  assert.is(stdout, '');
  assert.match(stderr, /'--courses N' not specified/);
  assert.match(stderr, /Usage:/);
});

commandLine('the random source is xoroshiro128+, seeded by text', () => {
  const random = createRandom('a seed');
  assert.equal([random.fraction(), random.fraction(), random.fraction()], FRACTIONS);
  assert.match(
    random.uuid(),
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

const FRACTIONS = [0.26376842777244747, 0.5676822732202709, 0.661781356902793];

commandLine('fractions are spread evenly and bells are bell-shaped', () => {
  const random = createRandom('spread');
  const tenths = Array.from({ length: 10 }, () => 0);
  let sum = 0;
  let squares = 0;
  for (let draw = 0; draw < 50_000; draw += 1) {
    const tenth = Math.floor(random.fraction() * 10);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    const value = random.about(10, 2);
    sum += value;
    squares += (value - 10) ** 2;
  }
  assert.ok(tenths.every((count) => Math.abs(count - 5_000) < 300));
  assert.ok(Math.abs(sum / 50_000 - 10) < 0.04);
  assert.ok(Math.abs(squares / 50_000 - 4) < 0.12);
});

commandLine.run();
