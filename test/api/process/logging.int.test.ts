import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('logging');

const LOGGING = new URL('../../../api/process/logging.ts', import.meta.url);
const CAME_THROUGH = 7;

test('a standard output that takes nothing does not end the service', async () => {
  if (process.platform !== 'linux') return;
  // Every write to it fails as on a full disk.
  const full = openSync('/dev/full', 'w');
  const script = `
    const { openServiceLog } = await import(${JSON.stringify(fileURLToPath(LOGGING))});
    const log = openServiceLog('info');
    for (let line = 0; line < 1000; line += 1) {
      log.info({ text: 'x'.repeat(10_000) }, 'A line.');
      if (line % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    process.exit(${CAME_THROUGH});
  `;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', full, 'inherit'],
  });
  const [code] = await once(child, 'exit');
  closeSync(full);
  assert.is(code, CAME_THROUGH);
});

test('each line is one JSON object with a time in UTC, whatever is in it', async () => {
  const text = 'a\r\n{"level":60,"msg":"forged"}\n\u2028"';
  const script = `
    const { openServiceLog } = await import(${JSON.stringify(fileURLToPath(LOGGING))});
    const log = openServiceLog('info');
    log.info({ text: ${JSON.stringify(text)} }, 'A line.');
    log.info('Another.');
  `;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    script,
  ]);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(
    lines.map(({ msg, text: held }) => [msg, held]),
    [
      ['A line.', text],
      ['Another.', undefined],
    ],
  );
  for (const { time } of lines) assert.is(new Date(time).toISOString(), time);
});

test.run();
