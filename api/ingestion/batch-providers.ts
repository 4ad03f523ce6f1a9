import type { ExpectedRevision } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { recordMention } from '../../domain/provider/decide.ts';
import type { ProviderEvent } from '../../domain/provider/events.ts';
import type { LoadedProvider } from '../../domain/provider/ports.ts';
import {
  evolve,
  type Provider,
  providerFold,
  unknownProvider,
} from '../../domain/provider/state.ts';
import { providerStream } from '../../domain/stream-names.ts';
import type { SubmissionItem } from '../../domain/submission/decide-item.ts';
import type { WorkerPorts } from './worker-ports.ts';

/** Appended before the record that refers to the provider. */
export interface ProviderChange {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly ProviderEvent[];
}

export interface BatchProviders {
  /**
   * @param mayBePartiallyWritten true reads from the log, because an earlier run may have written
   * some
   * @returns survivors by provider id
   */
  load(
    courses: readonly SubmissionItem[],
    mayBePartiallyWritten: boolean,
  ): Promise<ReadonlyMap<string, string>>;
  /** The next course is decided after these changes. */
  decide(course: SubmissionItem): readonly ProviderChange[];
  size(): number;
  forget(): void;
}

interface KnownProvider {
  readonly state: Provider;
  readonly expected: ExpectedRevision;
}

export const createBatchProviders = (
  ports: Pick<WorkerPorts, 'hotReads' | 'log'>,
): BatchProviders => {
  const known = new Map<string, KnownProvider>();

  const readFromLog = async (providerId: string): Promise<KnownProvider> => {
    const stored = await ports.log.readStream(providerStream(providerId));
    return {
      state: stateAfter(stored, providerFold),
      expected: stored.at(-1)?.revision ?? 'no-stream',
    };
  };

  return {
    size: () => known.size,
    forget: () => known.clear(),

    async load(courses, mayBePartiallyWritten) {
      const idsToLoad = [...new Set(courses.flatMap(listProviderIds))].filter(
        (id) => !known.has(id),
      );
      if (idsToLoad.length === 0) return new Map();
      const found = await ports.hotReads.loadProviders(idsToLoad);
      await Promise.all(
        idsToLoad.map(async (id) => {
          known.set(
            id,
            mayBePartiallyWritten ? await readFromLog(id) : (found.get(id) ?? NOT_IDENTIFIED),
          );
        }),
      );
      return new Map([...found].map(([id, { survivorId }]) => [id, survivorId]));
    },

    decide(course) {
      const { queued, practiceId } = course;
      if (queued.kind !== 'course' || queued.partnerId === null) return [];
      const { partnerId, providers } = queued;
      return providers.flatMap((provider): ProviderChange[] => {
        const { state, expected } = known.get(provider.providerId) ?? NOT_IDENTIFIED;
        const events = recordMention({ practiceId, partnerId, provider }, state);
        if (events.length === 0) return [];
        const revision = (expected === 'no-stream' ? -1n : expected) + BigInt(events.length);
        known.set(provider.providerId, { state: events.reduce(evolve, state), expected: revision });
        return [{ stream: providerStream(provider.providerId), expected, events }];
      });
    },
  };
};

const NOT_IDENTIFIED: Pick<LoadedProvider, 'state' | 'expected'> = {
  state: unknownProvider,
  expected: 'no-stream',
};

/** Empty in the native lane. */
export const listProviderIds = ({ queued }: SubmissionItem): readonly string[] =>
  queued.kind === 'course' ? queued.providers.map(({ providerId }) => providerId) : [];
