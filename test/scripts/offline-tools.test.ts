import { spawnSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMAND_FLAGS } from '../../scripts/node-flags.ts';
import { checkBundle } from '../../scripts/offline/check-bundle.ts';
import { explainMaskOfBundle } from '../../scripts/offline/explain-mask.ts';
import { type CapturedRun, captureRun } from '../harness/captured-run.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';

const COMMANDS = { 'check-bundle': checkBundle, 'explain-mask': explainMaskOfBundle };
type Name = keyof typeof COMMANDS;

const run = (name: Name, ...args: readonly string[]): Promise<CapturedRun> =>
  captureRun((streams) => COMMANDS[name]({ args, ...streams }));

/** The command in a process of its own, as a sender gives it. */
const runProcess = (name: Name, ...args: readonly string[]) =>
  spawnSync(process.execPath, [...COMMAND_FLAGS, 'scripts/run.mjs', name, ...args], {
    encoding: 'utf8',
  });

const directory = temporaryDirectory('offline');
const fileOf = (name: string, content: unknown): string => {
  const path = join(directory.path, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

const offline = suite('tools for senders, offline');

offline('check-bundle answers record by record as the registry would', async () => {
  const batch = fileOf(
    'batch.json',
    batchOf([
      birthBundle({ chartNumber: 'A' }),
      birthBundle({ chartNumber: 'B' }),
      birthBundle({ chartNumber: 'A', lastUpdated: '2020-01-01T00:00:00Z' }),
      birthBundle({ chartNumber: null, place: '4711' }),
    ]),
  );
  const { status, stdout } = runProcess('check-bundle', batch);
  assert.is(status, 1);
  const { accepted, rejected } = JSON.parse(stdout);
  assert.equal(accepted, [{ reference: 'A' }, { reference: 'B', suspected_duplicate: true }]);
  assert.equal(
    rejected.map(({ reference, outcome }: { reference: string; outcome: { issue: unknown[] } }) => [
      reference,
      (outcome.issue[0] as { code: string }).code,
    ]),
    [
      ['A', 'conflict'],
      ['record[3]', 'code value'],
    ],
  );
});

offline(
  'check-bundle exits 0 when all is accepted; a partner needs no place of birth',
  async () => {
    const placeless = fileOf('placeless.json', birthBundle({ encounter: null }));
    assert.is((await run('check-bundle', placeless)).code, 1);
    const { code, stdout } = await run('check-bundle', placeless, '--partner');
    assert.is(code, 0);
    assert.equal(JSON.parse(stdout).accepted, [{ reference: 'MRN-1001' }]);
  },
);

offline('check-bundle says what the request itself would be refused for', async () => {
  const refused = await run('check-bundle', fileOf('patient.json', '{"resourceType":"Patient"}'));
  assert.is(refused.code, 1);
  assert.match(refused.stderr, '400');
  // Sparse, and far over the limit: it is not read to its end.
  const huge = fileOf('huge.json', '');
  truncateSync(huge, 3_000_000_000);
  for (const tool of ['check-bundle', 'explain-mask'] as const) {
    const tooLong = await run(tool, huge);
    assert.is(tooLong.code, 1);
    assert.match(tooLong.stderr, 'The body has more than 20 MiB.');
  }
  const missing = await run('check-bundle', join(directory.path, 'missing.json'));
  assert.is(missing.code, 2);
  assert.match(missing.stderr, /^Nothing was checked\. .*ENOENT/);
  const usage = await run('check-bundle');
  assert.is(usage.code, 2);
  assert.match(usage.stderr, 'Usage:');
});

offline('explain-mask tells field by field what a partner key keeps, without a value', async () => {
  const bundle = fileOf('bundle.json', birthBundle({ mother: { family: 'Unmistakable' } }));
  const { status, stdout } = runProcess('explain-mask', bundle);
  assert.is(status, 0);
  assert.match(stdout, /mother\.family_name\s+dropped/);
  assert.match(stdout, /children\.birth_date \[0\]\s+reduced/);
  assert.match(stdout, /place_of_birth\s+kept/);
  assert.not.match(stdout, 'Unmistakable');
  assert.is((await run('explain-mask')).code, 2);
});

offline.run();
