import {
  type AllStreamSubscription,
  type EventStoreDBClient,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import type { LogEntry } from '../../domain/event-log.ts';
import { isOwnStream, STREAM_PREFIXES } from '../../domain/stream-names.ts';
import { toLogEntry } from './log-entry.ts';
import { toLogError } from './log-faults.ts';

/** Entries in the order of the log, and the position up to which the log has been seen. */
export interface LogBatch {
  readonly entries: readonly LogEntry[];
  readonly position: bigint;
}

/**
 * Follows our streams from just behind a position (null: from the start) until the signal aborts.
 * Batches arrive one at a time, larger when the handler is slower than the log.
 * @throws EventLogUnavailable when the subscription ends, which EventStoreDB does to a subscriber that
 * is too slow, or what `onBatch` throws; the caller follows again from the position it has reached
 */
export type FollowLog = (
  from: bigint | null,
  onBatch: (batch: LogBatch) => Promise<void>,
  /** Everything that was in the log has been handed over; may be called again after a slow spell. */
  onCaughtUp: () => void,
  signal: AbortSignal,
) => Promise<void>;

const MAX_PENDING = 2_000;
const CHECKPOINT_EVERY = 20; // times the client's search window of 32 events

type Seen = LogEntry | { readonly kind: 'checkpoint'; readonly position: bigint };

const positionOf = (seen: Seen): bigint =>
  seen.kind === 'event' ? seen.stored.position : seen.position;

const isEntry = (seen: Seen): seen is LogEntry => seen.kind !== 'checkpoint';

/** @see FollowLog */
export const follow = async (
  client: () => EventStoreDBClient,
  from: bigint | null,
  onBatch: (batch: LogBatch) => Promise<void>,
  onCaughtUp: () => void,
  signal: AbortSignal,
): Promise<void> => {
  if (signal.aborted) return;
  const pending: Seen[] = [];
  const subscription: AllStreamSubscription = client().subscribeToAll({
    fromPosition: from === null ? START : { commit: from, prepare: from },
    requiresLeader: false,
    filter: streamNameFilter({
      prefixes: [...STREAM_PREFIXES],
      checkpointInterval: CHECKPOINT_EVERY,
      checkpointReached: (_, { commit }) => {
        // Events seen before the checkpoint may still wait in the stream's buffer: skip it then.
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
    if (event === undefined || !isOwnStream(event.streamId)) return;
    try {
      see(toLogEntry(event));
    } catch (error) {
      // Thrown to the stream, it would end the process, which would start again into the same event.
      end(error);
    }
  });
  // Nothing tells how many buffered events stand before the notice: wait until none is left.
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
        position: positionOf(last),
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
