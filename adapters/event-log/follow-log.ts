import {
  type AllStreamSubscription,
  type EventStoreDBClient,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import type { LogEntry } from '../../domain/event-log.ts';
import { STREAM_PREFIXES } from '../../domain/stream-names.ts';
import { SETTINGS_PREFIXES, toLogEntry } from './log-entry.ts';
import { toLogError } from './log-faults.ts';

/** Entries in log order, and the position up to which we have read the log. */
export interface LogBatch {
  readonly entries: readonly LogEntry[];
  readonly position: bigint;
}

/**
 * Follows our streams from just after a position (`null`: from the start) until the signal aborts.
 * Batches arrive one at a time and grow if the handler is slower than the log.
 * @throws EventLogPositionRefused if the log has no event at that position, EventLogUnavailable if the subscription ends, which EventStoreDB does to slow
 * subscribers, or the error of `onBatch`; the caller then follows again from its last position
 */
export type FollowLog = (
  from: bigint | null,
  onBatch: (batch: LogBatch) => Promise<void>,
  /** Called after all existing events were delivered, and maybe again after the follower fell behind. */
  onCaughtUp: () => void,
  signal: AbortSignal,
) => Promise<void>;

const MAX_PENDING = 1_000;
const CHECKPOINT_EVERY = 20; // in multiples of the client's search window of 32 events

type Seen = LogEntry | { readonly kind: 'checkpoint'; readonly position: bigint };

const getPosition = (seen: Seen): bigint => ('stored' in seen ? seen.stored : seen).position;

const isEntry = (seen: Seen): seen is LogEntry => seen.kind !== 'checkpoint';

export const follow = async (
  client: () => EventStoreDBClient,
  ...[from, onBatch, onCaughtUp, signal]: Parameters<FollowLog>
): Promise<void> => {
  if (signal.aborted) return;
  const pending: Seen[] = [];
  const subscription: AllStreamSubscription = client().subscribeToAll({
    fromPosition: from === null ? START : { commit: from, prepare: from },
    requiresLeader: false,
    filter: streamNameFilter({
      prefixes: [...STREAM_PREFIXES, ...SETTINGS_PREFIXES],
      checkpointInterval: CHECKPOINT_EVERY,
      checkpointReached: (_, { commit }) => {
        // Skip the checkpoint if events before it may still be in the stream's buffer.
        if (subscription.readableLength === 0) see({ kind: 'checkpoint', position: commit });
      },
    }),
  });

  let wake: () => void = () => undefined;
  let ended = false;
  let fault: unknown;
  const end = (error?: unknown) => {
    ended = true;
    fault ??= error;
    wake();
  };
  const see = (seen: Seen) => {
    pending.push(seen);
    if (pending.length >= MAX_PENDING) subscription.pause();
    wake();
  };
  subscription.on('data', ({ event }) => {
    if (event === undefined) return;
    try {
      const entry = toLogEntry(event);
      if (entry !== null) see(entry);
    } catch (error) {
      // Throwing into the stream would end the process, and its next start would hit the same event.
      end(error);
    }
  });
  // We cannot know how many buffered events precede the notice, so wait until the buffer is empty.
  let hasNotice = false;
  subscription.on('caughtUp', () => {
    hasNotice = true;
    wake();
  });
  subscription.on('error', end);
  subscription.on('end', () => end(new Error('The subscription ended.')));
  subscription.on('close', () => end(new Error('The subscription was closed.')));
  const onAbort = () => end();
  signal.addEventListener('abort', onAbort, { once: true });

  try {
    while (!ended) {
      if (pending.length === 0) {
        if (hasNotice && subscription.readableLength === 0) {
          hasNotice = false;
          onCaughtUp();
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const seen = pending.splice(0);
      subscription.resume();
      const last = seen[seen.length - 1];
      if (last === undefined) continue;
      await onBatch({
        entries: seen.filter(isEntry),
        position: getPosition(last),
      });
    }
    if (!signal.aborted) throw toLogError('a subscription', fault);
  } finally {
    signal.removeEventListener('abort', onAbort);
    subscription.removeAllListeners('data');
    subscription.on('error', () => undefined);
    await subscription.unsubscribe().catch(() => undefined);
    subscription.destroy();
  }
};
