import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type OperatorCommands, openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import type { Receipt } from '../../domain/submission/receipt.ts';
import type { DyingService } from '../harness/dying-service.ts';
import { freePort } from '../harness/ports.ts';
import { DEATH, startDyingStores } from '../harness/recovery.ts';
import { newPractice, post, push, receiptAddress, receiptAt } from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';
import { runs } from '../support/runs.ts';

/** Two whole services on one log and one database: both take Bundles, both work them off. */
const twoProcesses = suite<{
  commands: OperatorCommands;
  services: readonly [DyingService, DyingService];
  stop: () => Promise<void>;
}>('two processes');

twoProcesses.before(async (context) => {
  const { settings, start, remove } = await startDyingStores[DEATH]();
  const first = await start(await freePort());
  const second = await start(await freePort());
  const commands = await openCommands(settings, openServiceLog('silent'));
  Object.assign(context, {
    commands,
    services: [first, second],
    async stop() {
      await commands.close();
      await Promise.all([first.stop(), second.stop()]);
      await remove();
    },
  });
});
twoProcesses.after(({ stop }) => stop());

const acceptedOf = (receipt: Receipt) => {
  if (receipt.status !== 'completed') throw new Error(`The receipt is ${receipt.status}`);
  return receipt.outcome.accepted;
};

twoProcesses(
  'pushes to one chart number through both give consecutive versions',
  async (context) => {
    const { commands, services } = context;
    const { token } = await newPractice(commands);
    const pushes = runs(30).numRuns;
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
  const { commands, services } = context;
  const { token } = await newPractice(commands);
  const pushes = runs(20).numRuns;
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
    const { commands, services } = context;
    const { token } = await newPractice(commands);
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
  const { commands, services } = context;
  const { token } = await newPractice(commands);
  const [first, second] = services;
  const responses = await Promise.all(
    Array.from({ length: runs(20).numRuns }, (_, index) =>
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
