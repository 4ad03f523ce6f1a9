import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import type { Receipt } from '../../domain/submission/receipt.ts';
import { freePort } from '../harness/ports.ts';
import { copyFreshCluster } from '../harness/postgres.ts';
import {
  newPractice,
  post,
  push,
  receiptAddress,
  receiptAt,
  testSettings,
} from '../harness/service.ts';
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle } from '../support/bundles.ts';

/** Two whole services on one log and one database: both take Bundles, both work them off. */
const twoProcesses = suite<{
  directory: TemporaryDirectory;
  services: readonly [ServiceProcess, ServiceProcess];
}>('two processes');

twoProcesses.before(async (context) => {
  context.directory = temporaryDirectory('two-processes');
  await copyFreshCluster(context.directory.path);
  const first = await startServiceProcess(context.directory.path, await freePort());
  const second = await startServiceProcess(context.directory.path, await freePort());
  context.services = [first, second];
});
twoProcesses.after(async ({ directory, services }) => {
  for (const service of services) service.kill('SIGTERM');
  await Promise.all(services.map(({ ended }) => ended));
  directory.remove();
});

const practiceIn = async (dataDir: string) => {
  const commands = await openCommands(testSettings(dataDir), openServiceLog('silent'));
  try {
    return await newPractice(commands);
  } finally {
    await commands.close();
  }
};

const acceptedOf = (receipt: Receipt) => {
  if (receipt.status !== 'completed') throw new Error(`The receipt is ${receipt.status}`);
  return receipt.outcome.accepted;
};

twoProcesses(
  'pushes to one chart number through both give consecutive versions',
  async (context) => {
    const { directory, services } = context;
    const { token } = await practiceIn(directory.path);
    const pushes = 30;
    const receipts = await Promise.all(
      Array.from({ length: pushes }, (_, index) =>
        push(services[index % 2 === 0 ? 0 : 1].url, token, birthBundle()),
      ),
    );
    const versions = receipts.map((receipt) => acceptedOf(receipt)[0]?.version ?? 1);
    assert.equal(
      versions.sort((a, b) => a - b),
      Array.from({ length: pushes }, (_, index) => index + 1),
    );
  },
);

twoProcesses('of look-alikes through both, all but the first are flagged', async (context) => {
  const { directory, services } = context;
  const { token } = await practiceIn(directory.path);
  const pushes = 20;
  const receipts = await Promise.all(
    Array.from({ length: pushes }, (_, index) =>
      push(
        services[index % 2 === 0 ? 0 : 1].url,
        token,
        birthBundle({ chartNumber: `L-${index}` }),
      ),
    ),
  );
  const flagged = receipts.filter((receipt) => acceptedOf(receipt)[0]?.suspected_duplicate);
  assert.is(flagged.length, pushes - 1);
});

twoProcesses(
  'a race for one Idempotency-Key: one ingestion, of the winner’s body',
  async (context) => {
    const { directory, services } = context;
    const { token } = await practiceIn(directory.path);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        post(
          services[index % 2 === 0 ? 0 : 1].url,
          token,
          birthBundle({ chartNumber: `K-${index}`, mother: { family: `Racer ${index}` } }),
          { 'Idempotency-Key': 'race' },
        ),
      ),
    );
    const ids = new Set(
      answers.map(({ headers }) => (headers.get('content-location') ?? '').split('/').at(-1)),
    );
    assert.is(ids.size, 1);
    const address = answers[0]?.headers.get('content-location') ?? '';
    const [only, ...others] = acceptedOf(await receiptAt(address, token));
    const queued = answers.flatMap(({ headers }, index) =>
      headers.has('idempotent-replayed') ? [] : [`K-${index}`],
    );
    assert.equal(queued, [only?.reference]);
    assert.equal(others, []);
  },
);

twoProcesses('when one is killed, the other goes on with its work', async (context) => {
  const { directory, services } = context;
  const { token } = await practiceIn(directory.path);
  const [first, second] = services;
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      post(first.url, token, birthBundle({ chartNumber: `G-${index}` })),
    ),
  );
  first.kill('SIGKILL');
  await first.ended;
  for (const response of responses) {
    assert.is(response.status, 202);
    const id = receiptAddress(response).split('/').at(-1);
    const address = `${second.url}/api/registry/fhir/ingestions/${id}`;
    assert.is((await receiptAt(address, token)).status, 'completed');
  }
});

twoProcesses.run();
