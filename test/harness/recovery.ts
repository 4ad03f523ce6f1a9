import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type OperatorCommands, openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores } from '../../api/stores/stores.ts';
import type { Receipt } from '../../domain/submission/receipt.ts';
import { withCommands as withCommandsOn } from '../postgres/support/lost-events.ts';
import { batchOf, birthBundle, retractionBundle } from '../support/bundles.ts';
import { within } from './eventually.ts';
import { freePort } from './ports.ts';
import { copyStartedCluster } from './postgres.ts';
import { newPractice, post, receiptAt, testSettings } from './service.ts';
import { type DiesAfter, type ServiceProcess, startServiceProcess } from './service-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/**
 * For each step of the write path: a service that dies right after it. Started again, it must end
 * with the receipt, the records and the log of a service that nothing happened to.
 */

const KEY = { 'Idempotency-Key': 'the batch of the test' };

// Everything whose outcome depends on what came before it: an amendment, a look-alike, a retraction
// of what a later course records, a chart number used again after its retraction.
const dependent = [
  retractionBundle('R-late'),
  birthBundle({ chartNumber: 'R-1', mother: { family: 'Lindqvist' } }),
  birthBundle({ chartNumber: 'R-2', mother: { family: 'Lindqvist' } }),
  birthBundle({ chartNumber: 'R-1', mother: { family: 'Lindqvist' }, place: '91154008' }),
  birthBundle({ chartNumber: 'R-3', mother: { family: 'Achebe' } }),
  retractionBundle('R-3', '2026-03-15T10:00:00Z'),
  birthBundle({ chartNumber: 'R-late', mother: { family: 'Yilmaz' } }),
  birthBundle({ chartNumber: null, mother: null }),
  birthBundle({
    chartNumber: 'R-2',
    lastUpdated: '2020-01-01T00:00:00Z',
    mother: { family: 'Lindqvist' },
  }),
];

/** What a service is killed with. */
const BATCHES = {
  /** One chunk: worked off in one go, and in the log with one event. */
  small: batchOf(dependent),
  /**
   * More than the chunks of one step: what was recorded of the first stands when the second is taken up
   * again.
   */
  large: batchOf([
    ...dependent,
    ...Array.from({ length: 196 }, (_, index) =>
      birthBundle({ chartNumber: `R-more-${index}`, mother: { family: `Family ${index}` } }),
    ),
  ]),
} as const;

/** However slow the machine is: only what never comes should fail. */
export const RECOVERED_WITHIN_MS = 240_000;

/** What must be the same whether the service died or not. */
export interface Result {
  readonly outcome: unknown;
  readonly histories: unknown;
}

/** A registry whose service dies, and is started again on what it left. */
export interface DyingRegistry {
  readonly dataDir: string;
  readonly commands: OperatorCommands;
  /** As it was started last. */
  service(): ServiceProcess;
  /** Waits until the service has died, and starts it again. */
  comesBack(dies: DiesAfter): Promise<void>;
  stop(): Promise<void>;
}

/** The log of all rows of a suite is whole. Asked once: it grows with each row. */
export const requireSoundLog = async ({ commands }: DyingRegistry): Promise<void> => {
  assert.equal((await commands.verify()).problems, []);
};

/**
 * Starts one of its own.
 * @param losing what a death takes along: the service alone, as where the stores are the operator's, or
 * the embedded log with it
 */
export const startDyingRegistry = async (
  losing: 'service' | 'service and log' = 'service and log',
): Promise<DyingRegistry> => {
  const directory = temporaryDirectory('recovery');
  await copyStartedCluster(directory.path);
  const silent = openServiceLog('silent');
  const outlasting =
    losing === 'service' ? await openStores(testSettings(directory.path), 'service', silent) : null;
  const port = await freePort();
  let service = await startServiceProcess(directory.path, port);
  const commands = await openCommands(testSettings(directory.path), silent);
  return {
    dataDir: directory.path,
    commands,
    service: () => service,
    async comesBack({ step }) {
      await within(`the service dies after ${step}`, service.ended, RECOVERED_WITHIN_MS);
      service = await startServiceProcess(directory.path, port);
    },
    async stop() {
      await commands.close();
      service.kill('SIGTERM');
      await service.ended;
      await outlasting?.close();
      directory.remove();
    },
  };
};

/** Pushes the batch to a service that dies, starts it again, and tells what came of it. */
export const runWith = async (
  registry: DyingRegistry,
  dies: DiesAfter | null,
  size: keyof typeof BATCHES = 'large',
): Promise<Result> => {
  const { commands } = registry;
  const { practiceId, token } = await newPractice(commands);
  const submit = () =>
    post(registry.service().url, token, BATCHES[size], KEY)
      .then((response) => response.headers.get('content-location'))
      .catch(() => null);
  if (dies !== null) await registry.service().diesAfter(dies);
  let address = await submit();
  // The second submission of the key loses its race: a step of its own.
  if (address !== null) await submit();
  if (dies !== null) {
    await registry.comesBack(dies);
    address ??= await submit();
  }
  const receipt = await receiptAt(address ?? '', token, RECOVERED_WITHIN_MS);
  return {
    outcome: outcomeOf(receipt),
    histories: await historiesOf(commands, practiceId),
  };
};

/** Commands on a data directory, for as long as they are used. */
export const withCommands = <T>(
  dataDir: string,
  use: (commands: OperatorCommands) => Promise<T>,
): Promise<T> => withCommandsOn(testSettings(dataDir), use);

const historiesOf = (commands: OperatorCommands, practiceId: string) =>
  Promise.all(
    ['R-1', 'R-2', 'R-3', 'R-late', 'R-more-0', 'R-more-44', 'R-more-195'].map(async (chart) => {
      const { state, events } = await commands.history(practiceId, chart, null);
      return {
        chart,
        status: state?.status,
        place: state?.courseOfCare.place_of_birth,
        suspectedDuplicate: state?.suspectedDuplicate,
        events: events.map(({ type, version }) => `${type} ${version}`),
      };
    }),
  );

// Ids differ from run to run only because each run has a registry of its own.
const outcomeOf = (receipt: Receipt) => {
  if (receipt.status !== 'completed') return receipt.status;
  return {
    accepted: receipt.outcome.accepted.map(({ submission_uuid: _, ...entry }) => entry),
    rejected: receipt.outcome.rejected,
  };
};

/** A case for each death: it must end as a run that nothing happens to. */
export const diesAfterEach = (
  title: string,
  steps: readonly DiesAfter[],
  size: keyof typeof BATCHES,
  losing: 'service' | 'service and log',
): void => {
  const deaths = suite<{ registry: DyingRegistry; undisturbed: Result }>(title);
  deaths.before(async (context) => {
    context.registry = await startDyingRegistry(losing);
    context.undisturbed = await runWith(context.registry, null, size);
  });
  deaths.after(({ registry }) => registry.stop());
  for (const dies of steps)
    deaths(`after ${dies.step}, the ${dies.after + 1}. time`, async ({ registry, undisturbed }) => {
      assert.equal(await runWith(registry, dies, size), undisturbed);
    });
  deaths('leaves a log without a problem, after all of them', ({ registry }) =>
    requireSoundLog(registry),
  );
  deaths.run();
};
