import { execFile } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../../api/app/service.ts';
import { openCommands } from '../../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../../api/process/logging.ts';
import { buildService } from '../../../scripts/build-service.ts';
import { processScript } from '../../harness/built-service.ts';
import { within } from '../../harness/eventually.ts';
import {
  metricsAt,
  newPractice,
  push,
  pushAddress,
  receiptAt,
  seriesValue,
  startTestService,
  startTestStores,
  testEnvironment,
  testSettings,
} from '../../harness/service.ts';
import { birthBundle } from '../../support/bundles.ts';

// A thread does not inherit the loader of the tests: it runs the script that `npm start` runs.
const BACKGROUND_SCRIPT = new URL('../../../dist/scripts/serve-background.js', import.meta.url);

const thread = suite('the thread behind the door');

thread.before(() => buildService('ignore'));

thread('works submissions off, keeps the tables up, and is counted in', async () => {
  const service = await startTestService({}, { backgroundScript: BACKGROUND_SCRIPT });
  try {
    const { token } = await newPractice(service.commands);
    const receipt = await push(service.url, token, birthBundle());
    assert.is(receipt.status, 'completed');
    const ready = await fetch(`${service.url}/health/ready`);
    assert.is(ready.status, 200);
    const text = await metricsAt(service.url);
    // The thread's append, which the other one did not make.
    assert.is(seriesValue(text, 'registry_ingestions_ended_total{status="completed"}'), 1);
    assert.ok(seriesValue(text, 'registry_projection_batch_events_count') >= 1);
    for (const name of ['requests', 'background'])
      assert.ok(seriesValue(text, `registry_event_loop_busy_seconds{thread="${name}"}`) > 0);
    assert.is(seriesValue(text, 'registry_database_pool_maximum'), 28);
  } finally {
    await service.stop();
  }
});

thread('is stopped in the middle of its work, which the next one takes up', async () => {
  const stores = await startTestStores('registry');
  const settings = testSettings('', stores.environment);
  const start = () =>
    startService(settings, openServiceLog('silent'), { backgroundScript: BACKGROUND_SCRIPT });
  const first = await start();
  await first.started;
  const commands = await openCommands(settings, openServiceLog('silent'));
  const { token } = await newPractice(commands);
  await commands.close();
  const paths = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      return new URL(
        await pushAddress(first.url, token, birthBundle({ chartNumber: `stopped-${n}` })),
      ).pathname;
    }),
  );
  await within('the service stops', first.stop());
  const second = await start();
  try {
    await second.started;
    for (const path of paths) {
      const receipt = await receiptAt(`${second.url}${path}`, token);
      assert.is(receipt.status, 'completed');
    }
  } finally {
    await second.stop();
    await stores.stop();
  }
});

thread('ends the process when it is lost, as nobody would do its work', async () => {
  const stores = await startTestStores('registry');
  try {
    const [code, printed] = await new Promise<[unknown, string]>((resolve) => {
      const script = processScript('test/harness/dying-process.ts');
      const environment = testEnvironment('', { ...stores.environment, LOG_LEVEL: 'info' });
      const args = [script, JSON.stringify(environment), 'never', '0', 'loses-thread'];
      execFile(process.execPath, args, { timeout: 60_000 }, (error, stdout) =>
        resolve([error?.code, stdout]),
      );
    });
    assert.is(code, 1);
    assert.match(printed, '"fault":"BackgroundEnded"');
    assert.match(printed, 'Start it again');
  } finally {
    await stores.stop();
  }
});

thread.run();
