import { randomUUID } from 'node:crypto';
import type {
  Actor,
  AppendResult,
  AppendToStream,
  ReadStream,
  StreamEvent,
} from '../../domain/event-log.ts';
import type { LostEvents, RegistryStreamEvent } from '../../domain/registry/events.ts';
import { REGISTRY_STREAM } from '../../domain/stream-names.ts';

export interface RegistryLog {
  readonly append: AppendToStream;
  readonly readStream: ReadStream;
}

export interface RegistryState {
  readonly registryId: string;
  readonly wrappedIdentityKey: string;
  readonly checkValue: string;
  /** All keys after the identity key. */
  readonly fingerprintKeys: readonly AddedKey[];
  readonly checkpointKeys: readonly AddedCheckpointKey[];
  /** Accepted losses of the end of the log, oldest first. */
  readonly losses: readonly RegistryStreamEvent<'LogLossAccepted'>['data'][];
  /** By stream, the revision up to which an operator knows of events that are not ours. */
  readonly acknowledged: ReadonlyMap<string, bigint>;
  /** By stream, the events that an operator has accepted as lost. */
  readonly lostEvents: ReadonlyMap<string, readonly LostEvents[]>;
  readonly revision: bigint;
}

export type AddedKey = Omit<RegistryStreamEvent<'FingerprintKeyAdded'>['data'], 'registryId'>;

export type AddedCheckpointKey = Omit<
  RegistryStreamEvent<'CheckpointKeyAdded'>['data'],
  'registryId'
>;

export type ReadRegistry = (
  stream: typeof REGISTRY_STREAM,
) => Promise<readonly Pick<StreamEvent, 'event' | 'revision'>[]>;

/** Registry of a log, or `null` if the log contains none. */
export const loadRegistryState = async (readStream: ReadRegistry): Promise<RegistryState | null> =>
  (await readStream(REGISTRY_STREAM)).reduce<RegistryState | null>(
    (registry, { event, revision }) =>
      (event && evolve(registry, event as RegistryStreamEvent, revision)) ??
      skipEvent(registry, revision),
    null,
  );

/** State after an event of a type that only a newer version knows, which `evolve` does not. */
const skipEvent = (registry: RegistryState | null, revision: bigint): RegistryState | null =>
  registry && { ...registry, revision };

const evolve = (
  registry: RegistryState | null,
  event: RegistryStreamEvent,
  revision: bigint,
): RegistryState | null => {
  switch (event.type) {
    case 'RegistryInitialised':
      return {
        ...event.data,
        fingerprintKeys: [],
        checkpointKeys: [],
        losses: [],
        acknowledged: new Map(),
        lostEvents: new Map(),
        revision,
      };
    case 'IdentityKeyRewrapped': {
      const {
        wrappedIdentityKey,
        wrappedFingerprintKeys = [],
        wrappedCheckpointKeys = [],
      } = event.data;
      return (
        registry && {
          ...registry,
          wrappedIdentityKey,
          fingerprintKeys: replaceWrappings(registry.fingerprintKeys, wrappedFingerprintKeys),
          checkpointKeys: replaceWrappings(registry.checkpointKeys, wrappedCheckpointKeys),
          revision,
        }
      );
    }
    case 'FingerprintKeyAdded': {
      const { registryId: _, ...added } = event.data;
      return (
        registry && { ...registry, fingerprintKeys: [...registry.fingerprintKeys, added], revision }
      );
    }
    case 'CheckpointKeyAdded': {
      const { registryId: _, ...added } = event.data;
      return (
        registry && { ...registry, checkpointKeys: [...registry.checkpointKeys, added], revision }
      );
    }
    case 'LogLossAccepted': {
      const { checkpointKeys, losses } = registry ?? { checkpointKeys: [], losses: [] };
      const renamed = checkpointKeys.slice(-1).map((key) => ({ ...key, name: event.data.origin }));
      return (
        registry && {
          ...registry,
          checkpointKeys: [...checkpointKeys, ...renamed],
          losses: [...losses, event.data],
          revision,
        }
      );
    }
    case 'ForeignEventsAcknowledged': {
      const added = event.data.streams.map(
        ({ stream, revision: upTo }) => [stream, BigInt(upTo)] as const,
      );
      return (
        registry && {
          ...registry,
          acknowledged: new Map([...registry.acknowledged, ...added]),
          revision,
        }
      );
    }
    case 'StreamLossAccepted': {
      const lostEvents = new Map(registry?.lostEvents);
      for (const lost of event.data.streams)
        lostEvents.set(lost.stream, [...(lostEvents.get(lost.stream) ?? []), lost]);
      return registry && { ...registry, lostEvents, revision };
    }
  }
};

/** True if an operator has accepted the loss of all of these events. */
export const isLossAccepted = (
  ports: Pick<RegistryState, 'lostEvents'> | null,
  { stream, from, to }: LostEvents,
): boolean =>
  ports?.lostEvents
    .get(stream)
    ?.some((known) => BigInt(known.from) <= BigInt(from) && BigInt(to) <= BigInt(known.to)) ===
  true;

/** Keys with their new wrappings, where there is one. */
const replaceWrappings = <Key extends { readonly version: number; readonly wrappedKey: string }>(
  keys: readonly Key[],
  wrappings: readonly Pick<Key, 'version' | 'wrappedKey'>[],
): readonly Key[] =>
  keys.map((key) => ({ ...key, ...wrappings.find(({ version }) => version === key.version) }));

export const appendToRegistry = (
  append: AppendToStream,
  expected: RegistryState['revision'] | 'no-stream',
  events: readonly RegistryStreamEvent[],
  actor: Actor,
): Promise<AppendResult> =>
  append(
    REGISTRY_STREAM,
    expected,
    events.map((event) => ({ id: randomUUID(), event })),
    {
      correlationId: randomUUID(),
      causationId: null,
      actor,
    },
  );

/** Starts over if another process appended first. `next` returns `null` if there is nothing to append. */
export const changeRegistry = async (
  { readStream, append }: RegistryLog,
  actor: Actor,
  next: (registry: RegistryState) => RegistryStreamEvent | null,
): Promise<boolean> => {
  for (;;) {
    const registry = await loadRegistryState(readStream);
    const event = registry && next(registry);
    if (registry === null || event === null) return false;
    const appended = await appendToRegistry(append, registry.revision, [event], actor);
    if (appended.kind === 'appended') return true;
  }
};
