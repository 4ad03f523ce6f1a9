import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type OperatorCommands, openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { readSettings, type Settings } from '../../api/settings/settings.ts';
import type { Receipt } from '../../domain/submission/receipt.ts';
import { batchOf, birthBundle, retractionBundle } from '../support/bundles.ts';
import { IS_LONG } from '../support/runs.ts';
import { type DyingService, startDyingService } from './dying-service.ts';
import { within } from './eventually.ts';
import { freePort } from './ports.ts';
import { copyStartedCluster } from './postgres.ts';
import {
  newPractice,
  post,
  receiptAt,
  startTestStores,
  testEnvironment,
  testSettings,
} from './service.ts';
import { type DiesAfter, startServiceProcess } from './service-process.ts';
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
  readonly settings: Settings;
  readonly commands: OperatorCommands;
  /** As it was started last. */
  service(): DyingService;
  /** Waits until the service has died, and starts it again. */
  comesBack(dies: DiesAfter): Promise<void>;
  /** Stops the service: the registry is left to {@link commands}. */
  stopService(): Promise<void>;
  stop(): Promise<void>;
}

/** The log of all rows of a suite is whole. Asked once: it grows with each row. */
export const requireSoundLog = async ({ commands }: DyingRegistry): Promise<void> => {
  assert.equal((await commands.verify()).problems, []);
};

/** What a death takes along: the connections of a service, or its process with the embedded log. */
export type Death = 'connections' | 'process and log';

/** What shows the same of either. */
export const DEATH: Death = IS_LONG ? 'process and log' : 'connections';

const silent = openServiceLog('silent');

/** Where a service that dies, and others beside it, are started. */
interface DyingStores {
  readonly settings: Settings;
  start(port: number): Promise<DyingService & { stop(): Promise<void> }>;
  remove(): Promise<void>;
}

/** Makes the stores of a test's own. */
export const startDyingStores = {
  async connections() {
    const stores = await startTestStores('registry');
    const environment = testEnvironment('', stores.environment);
    return {
      settings: readSettings(environment),
      start: (port) => startDyingService({ ...environment, PORT: String(port) }),
      remove: () => stores.stop(),
    };
  },
  async 'process and log'() {
    const directory = temporaryDirectory('recovery');
    await copyStartedCluster(directory.path);
    return {
      settings: testSettings(directory.path),
      async start(port) {
        const service = await startServiceProcess(directory.path, port);
        return {
          ...service,
          async stop() {
            service.kill('SIGTERM');
            await service.ended;
          },
        };
      },
      async remove() {
        directory.remove();
      },
    };
  },
} satisfies Readonly<Record<Death, () => Promise<DyingStores>>>;

/** Starts one of its own. */
export const startDyingRegistry = async (death: Death): Promise<DyingRegistry> => {
  const { settings, start, remove } = await startDyingStores[death]();
  const port = await freePort();
  let service = await start(port);
  const commands = await openCommands(settings, silent);
  return {
    settings,
    commands,
    service: () => service,
    async comesBack({ step }) {
      await within(`the service dies after ${step}`, service.ended, RECOVERED_WITHIN_MS);
      service = await start(port);
    },
    stopService: () => service.stop(),
    async stop() {
      await commands.close();
      await service.stop();
      await remove();
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
  death: Death,
): void => {
  const deaths = suite<{ registry: DyingRegistry; undisturbed: Result }>(title);
  deaths.before(async (context) => {
    context.registry = await startDyingRegistry(death);
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
