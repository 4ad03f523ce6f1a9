import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../api/app/service.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { buildService } from '../../scripts/build-service.ts';
import { eventually } from '../harness/eventually.ts';
import { copyStartedCluster } from '../harness/postgres.ts';
import { newPractice, post, receiptAt, testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { npmStarted, requireStopped } from '../harness/terminal.ts';
import { birthBundle } from '../support/bundles.ts';

const ctrlC = suite('Ctrl-C in a terminal');

const RECEIPT_MS = 60_000;

const directory = temporaryDirectory('ctrl-c');
const settings = testSettings(directory.path);
const silent = openServiceLog('silent');

ctrlC.before(async () => {
  buildService('ignore');
  await copyStartedCluster(directory.path);
});

ctrlC.after(() => directory.remove());

ctrlC('while pushes are under way loses nothing that was acknowledged', async () => {
  // It takes up what the service before has left behind.
  const first = await npmStarted(directory.path);
  const commands = await openCommands(settings, silent);
  const { token } = await newPractice(commands);
  await commands.close();

  const acknowledged: string[] = [];
  const pushUntilItStops = async (sender: number): Promise<void> => {
    for (let birth = 0; ; birth++) {
      const bundle = birthBundle({ chartNumber: `${sender}-${birth}` });
      const answer = await post(first.url, token, bundle).catch(() => null);
      if (answer === null) return;
      if (answer.status === 202) acknowledged.push(answer.headers.get('content-location') ?? '');
      await answer.arrayBuffer().catch(() => undefined);
    }
  };
  const pushing = Promise.all([1, 2, 3, 4].map(pushUntilItStops));
  await eventually('some were acknowledged', () => acknowledged.length > 20);
  await requireStopped(first, directory.path, 'SIGINT');
  await pushing;

  const again = await startService(settings, silent);
  await again.started;
  for (const address of acknowledged) {
    const receipt = await receiptAt(`${again.url}${new URL(address).pathname}`, token, RECEIPT_MS);
    assert.is(receipt.status, 'completed');
  }
  await again.stop();
});

ctrlC.run();
