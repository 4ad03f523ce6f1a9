import { randomUUID } from 'node:crypto';
import type { AppendContext, StreamEvent } from '../../domain/event-log.ts';
import { groupBy } from '../../domain/group-by.ts';
import { getSharedStream } from '../../domain/stream-names.ts';
import type { IngestedPush, SharedIngestionEvent } from '../../domain/submission/events.ts';
import { findPushEnd, listSettledPushes, type PushEnd } from '../../domain/submission/pushes.ts';
import type { QueueEntry } from '../../domain/submission/queue-entry.ts';
import { splitBySize } from '../../domain/submission/split-by-size.ts';
import { decideAndAppend } from '../writes/decide-and-append.ts';
import { PracticeLeaseLost } from '../writes/practice-lease.ts';
import { buildContext, SERVICE_ACTOR, withIds } from './ingestion-context.ts';
import type { PracticeBatch } from './practice-batch.ts';

const MAX_KNOWN_ENDS = 100;

export interface ProcessedPush {
  readonly entry: QueueEntry;
  readonly push: IngestedPush;
}

/**
 * Ends pushes that no other worker has begun. Those of one key share events.
 * @throws PracticeLeaseLost if another worker has taken one up
 */
export const endPushes = async (
  processed: readonly ProcessedPush[],
  completedAt: string,
  practiceBatch: PracticeBatch,
): Promise<void> => {
  const groups = groupBy(
    processed,
    ({ entry }) => `${getSharedStream(entry.ingestionId)} ${entry.keyId}`,
  );
  for (const group of groups.values()) await endGroup(group, completedAt, practiceBatch);
};

const endGroup = async (
  group: readonly ProcessedPush[],
  completedAt: string,
  practiceBatch: PracticeBatch,
): Promise<void> => {
  const [first] = group;
  const entry = first?.entry;
  const stream = getSharedStream(entry?.ingestionId ?? '');
  if (entry === undefined || stream === null || entry.keyId === null || entry.keyKind === null)
    throw new TypeError('Only pushes without an Idempotency-Key share a stream.');
  const { practiceId, keyId, keyKind } = entry;
  const context = buildSharedContext(group.map((one) => one.entry));
  for (const pushes of splitBySize(group.map(({ push }) => push))) {
    const event: SharedIngestionEvent = {
      type: 'PushesIngested',
      data: { practiceId, keyId, keyKind, pushes, completedAt },
    };
    const decided = { events: withIds([event], practiceBatch.ports) };
    const { lease, ports } = practiceBatch;
    const known = ports.sharedStreamEnds;
    const { end } = await decideAndAppend(
      { append: lease.append, readStream: ports.log.readStream },
      stream,
      context,
      (stored) => {
        requireOpen(pushes, stored);
        return decided;
      },
      { decided, end: known.get(stream) ?? 'no-stream' },
    );
    // The newest is the last, and the oldest is not needed for long.
    known.delete(stream);
    known.set(stream, end);
    if (known.size > MAX_KNOWN_ENDS) known.delete(known.keys().next().value ?? '');
  }
};

const requireOpen = (pushes: readonly IngestedPush[], shared: readonly StreamEvent[]): void => {
  const settled = listSettledPushes(shared);
  if (pushes.some(({ ingestionId }) => settled.has(ingestionId)))
    throw new PracticeLeaseLost('The push was taken up by another.');
};

/**
 * Before pushes are processed in their own streams, makes sure that a worker that may have begun them can no
 * longer end them in a shared one.
 * @returns those that had ended there, by id
 */
export const takeUpPushes = async (
  entries: readonly QueueEntry[],
  practiceBatch: PracticeBatch,
): Promise<ReadonlyMap<string, PushEnd>> => {
  const ends = new Map<string, PushEnd>();
  const groups = groupBy(entries, ({ ingestionId }) => getSharedStream(ingestionId));
  for (const [stream, group] of groups)
    if (stream !== null) await takeUpGroup(stream, group, ends, practiceBatch);
  return ends;
};

const takeUpGroup = async (
  stream: string,
  entries: readonly QueueEntry[],
  ends: Map<string, PushEnd>,
  { ports, lease }: PracticeBatch,
): Promise<void> => {
  const decide = (stored: readonly StreamEvent[]) => {
    const settled = listSettledPushes(stored);
    for (const { ingestionId } of entries) {
      const end = findPushEnd(ingestionId, stored);
      if (end !== null) ends.set(ingestionId, end);
    }
    const open = entries.filter(({ ingestionId }) => !settled.has(ingestionId));
    return { events: open.length === 0 ? [] : withIds([buildTakenUp(open)], ports) };
  };
  // A stream that does not exist yet has nothing to read.
  await decideAndAppend(
    { append: lease.append, readStream: ports.log.readStream },
    stream,
    buildSharedContext(entries),
    decide,
    { decided: decide([]), end: 'no-stream' },
  );
};

const buildTakenUp = (entries: readonly QueueEntry[]): SharedIngestionEvent => ({
  type: 'PushesTakenUp',
  data: {
    practiceId: entries[0]?.practiceId ?? '',
    ingestionIds: entries.map(({ ingestionId }) => ingestionId),
  },
});

const buildSharedContext = (entries: readonly QueueEntry[]): AppendContext => {
  const [first, ...others] = entries;
  return first !== undefined && others.length === 0
    ? buildContext(first)
    : { correlationId: randomUUID(), causationId: null, actor: SERVICE_ACTOR };
};
