import { createRandom, type Random } from '../../scripts/synthesis/random.ts';
import { throwAwayCluster } from '../harness/measured-service.ts';
import { type MixedLoad, startMixedLoad } from './load/mixed-load.ts';
import type { AllowedFailures } from './load/retrying-client.ts';
import {
  type RestartableService,
  type Role,
  startRestartableService,
} from './restartable-service.ts';

/** How a group is run. */
export interface ChaosOptions {
  /** Any text: the same one does the same things in the same order. */
  readonly seed: string;
  /** Repeats one input of `hostile-input` alone; null: everything is done. */
  readonly path: string | null;
  /** With small counts: it shows that the group runs, and finds what is plainly broken. */
  readonly isQuick: boolean;
  /** Takes lines of progress for a person. */
  readonly report: (line: string) => void;
}

/** What came of a run. */
export interface ChaosResult {
  /** What was done and seen: numbers, for the table. */
  readonly counts: Readonly<Record<string, number>>;
  /** What should never happen and did, a line each. */
  readonly faults: readonly string[];
}

/** Tries to break a service that it starts itself, on a throw-away directory and the loopback. */
export type ChaosGroup = (options: ChaosOptions) => Promise<ChaosResult>;

/** Where services keep their data until it is removed. */
export interface Place {
  readonly dataDir: string;
  /** Addresses of their stores, as settings; their own embedded ones if there are none. */
  readonly stores?: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Services under a mixed load. */
export interface Loaded {
  /** The first one. */
  readonly service: RestartableService;
  readonly services: readonly RestartableService[];
  readonly dataDir: string;
  readonly load: MixedLoad;
  readonly random: Random;
}

const newCluster = async (): Promise<Place> => {
  const { path, remove } = await throwAwayCluster();
  return { dataDir: path, remove };
};

/**
 * Starts services and a mixed load, disturbs them, waits until the load is worked off, and checks
 * what came of it.
 * @param disturb returns counts of its own
 */
export const runUnderLoad = async (
  { seed, isQuick, report }: ChaosOptions,
  {
    allowedFailures,
    roles = ['all'],
    openPlace = newCluster,
  }: {
    readonly allowedFailures: AllowedFailures;
    readonly roles?: readonly Role[];
    readonly openPlace?: () => Promise<Place>;
  },
  disturb: (loaded: Loaded) => Promise<Readonly<Record<string, number>>>,
): Promise<ChaosResult> => {
  const { dataDir, stores, remove } = await openPlace();
  const services: RestartableService[] = [];
  try {
    for (const role of roles) services.push(await startRestartableService(dataDir, role, stores));
    const apis = services.filter(({ role }) => role === 'all' || role === 'api');
    const [service] = apis;
    if (service === undefined) throw new RangeError('None of the services takes requests.');
    const load = await startMixedLoad({ apis, service, dataDir, seed, allowedFailures, isQuick });
    const own = await disturb({ service, services, dataDir, load, random: createRandom(seed) });
    report('Working off what was taken.');
    const { counts, faults } = await load.end();
    return { counts: { ...counts, ...own }, faults };
  } finally {
    for (const service of services.reverse()) await service.stop();
    await remove();
  }
};
