import type { EventLog } from '../../adapters/event-log/event-log.ts';
import {
  isCachedStream,
  type StreamCache,
} from '../../adapters/postgres/read-model/stream-cache.ts';
import type { ReadStream, StreamEvent } from '../../domain/event-log.ts';
import {
  EventLogAccessDenied,
  EventLogCertificateRefused,
  EventLogUnavailable,
  StreamTruncated,
} from '../../domain/event-log-errors.ts';

/** More than are in use; beyond it, streams are stored again. */
const MAX_REMEMBERED = 50_000;

/**
 * Submissions can then be accepted without the log.
 * @see docs/decisions/2026-11-26-start-without-the-log.md
 */
export const cacheStreams = (log: EventLog, cache: StreamCache): EventLog => {
  const cachedRevisions = new Map<string, bigint>();
  const cacheEvents = async (stream: string, events: readonly StreamEvent[]): Promise<void> => {
    const revision = events.at(-1)?.revision ?? -1n;
    if (cachedRevisions.get(stream) === revision) return;
    await cache.put(stream, events);
    if (cachedRevisions.size >= MAX_REMEMBERED) cachedRevisions.clear();
    cachedRevisions.set(stream, revision);
  };
  return {
    ...log,
    async readStream(stream) {
      const events = await log.readStream(stream);
      // The caller has the events from the log; the next read repeats a failed copy.
      if (isCachedStream(stream)) await cacheEvents(stream, events).catch(() => undefined);
      return events;
    },
    async append(stream, ...given) {
      const appended = await log.append(stream, ...given);
      if (appended.kind === 'appended' && isCachedStream(stream))
        try {
          await cacheEvents(stream, await log.readStream(stream));
        } catch {
          // A revoked key must not stay in the copy as valid.
          cachedRevisions.delete(stream);
          await cache.put(stream, []);
        }
      return appended;
    },
  };
};

export interface GuardedLog {
  readonly log: EventLog;
  readonly isOpen: () => boolean;
  /** True if the log did not answer when first asked. */
  readonly wasAway: () => boolean;
  open(): void;
  /** Callers get this fault. */
  setFault(fault: unknown): void;
}

/** Each request first waits for the check. */
const guardRequests = <Requests extends Record<keyof Requests, AnyRequest>>(
  requests: Requests,
  requireOpen: () => Promise<void>,
): Requests => {
  const guard =
    (request: AnyRequest): AnyRequest =>
    async (...args) => {
      await requireOpen();
      return request(...args);
    };
  return Object.fromEntries(
    Object.entries<AnyRequest>(requests).map(([name, request]) => [name, guard(request)]),
  ) as Requests;
};

type AnyRequest = (...args: never[]) => Promise<unknown>;

/** Faults of a log that answers, or of its certificate. */
const KNOWN_FAULTS = [EventLogAccessDenied, EventLogCertificateRefused, StreamTruncated];

/** @param firstAnswer callers wait for it as for a slow log @see GuardedLog */
export const guardLog = (log: EventLog, firstAnswer: Promise<unknown>): GuardedLog => {
  let isOpen = false;
  let wasAway = false;
  let fault: unknown = null;
  const open = () => {
    isOpen = true;
  };
  const first = firstAnswer.then(open, (error: unknown) => {
    wasAway = true;
    fault = error;
  });
  const requireOpen = async (): Promise<void> => {
    await first;
    if (isOpen) return;
    if (KNOWN_FAULTS.some((known) => fault instanceof known)) throw fault;
    throw new EventLogUnavailable('The event log has not answered since the start.');
  };
  const { readAll, appendHealth, close, ...requests } = log;
  return {
    log: {
      ...guardRequests(requests, async () => {
        if (!isOpen) await requireOpen();
      }),
      async *readAll() {
        await requireOpen();
        yield* readAll();
      },
      appendHealth,
      close,
    },
    isOpen: () => isOpen,
    wasAway: () => wasAway,
    open,
    setFault(later) {
      fault = later;
    },
  };
};

/**
 * Reads the stored copy while the log is unavailable, refuses our account, or has not answered yet.
 */
export const readLogOrCache =
  (
    { log, isOpen }: Pick<GuardedLog, 'log' | 'isOpen'>,
    cache: Pick<StreamCache, 'find'>,
  ): ReadStream =>
  async (stream) => {
    const early = isOpen() ? null : await cache.find(stream);
    if (early !== null) return early;
    try {
      return await log.readStream(stream);
    } catch (error) {
      const isAway = error instanceof EventLogUnavailable || error instanceof EventLogAccessDenied;
      const events = isAway ? await cache.find(stream) : null;
      if (events === null) throw error;
      return events;
    }
  };
