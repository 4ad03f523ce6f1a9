import { randomUUID } from 'node:crypto';
import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import { type StoredRecordEvent, toLoadedRecord } from '../../domain/birth-record/replay.ts';
import {
  type BirthRecord,
  evolve,
  type KnownBirthRecord,
} from '../../domain/birth-record/state.ts';
import type { LoadedRecord } from '../../domain/birth-record/working-set.ts';
import type { Accepted, Decision } from '../../domain/decision.ts';
import {
  type Actor,
  type AppendContext,
  isKnown,
  type ReadStream,
} from '../../domain/event-log.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { decideAndAppend } from '../writes/decide-and-append.ts';
import { ConcurrentModification } from '../writes/practice-lease.ts';
import { type PracticeLeaseScope, withPracticeLease } from '../writes/with-practice-lease.ts';
import { readRecentEvents, toRecentRecord } from './record-part.ts';

export interface RecordChanger {
  readonly practiceId: string;
  readonly actor: Actor;
  readonly correlationId: string;
  /**
   * Called right before each write, since the lease may take long; if it throws, nothing is
   * written.
   */
  readonly requirePermission?: () => Promise<void>;
}

export interface RecordToChange extends RecordChanger {
  readonly submissionUuid: string;
}

export const requirePermissionToAppend = (
  leaseScope: PracticeLeaseScope,
  { requirePermission }: RecordChanger,
): PracticeLeaseScope => ({
  ...leaseScope,
  async append(...order) {
    await requirePermission?.();
    return leaseScope.append(...order);
  },
});

/** From the log, not the read tables. */
export interface RecordUnderLease extends LoadedRecord {
  readonly stream: string;
  readonly stored: readonly StoredRecordEvent[];
  readonly events: readonly BirthRecordEvent[];
}

export interface ReadHistory {
  readonly readStream: ReadStream;
  readonly toLoaded: (
    stream: string,
    stored: readonly StoredRecordEvent[],
  ) => LoadedRecord | Promise<LoadedRecord>;
}

/** For decisions on earlier versions. */
export const readWholeHistory = ({ log }: Pick<AppPorts, 'log'>): ReadHistory => ({
  readStream: log.readStream,
  toLoaded: (_stream, stored) => toLoadedRecord(stored),
});

/** For decisions on the current version, which take no longer for a record of many. */
export const readRecentHistory = (ports: Pick<AppPorts, 'log' | 'reads'>): ReadHistory => ({
  readStream: (stream) => readRecentEvents(ports.log, stream),
  toLoaded: (stream, stored) => toRecentRecord(ports, stream, stored),
});

export const loadRecent = async (ports: Pick<AppPorts, 'log' | 'reads'>, stream: string) => {
  const { readStream, toLoaded } = readRecentHistory(ports);
  const stored = (await readStream(stream)).filter(isKnown) as readonly StoredRecordEvent[];
  return { ...(await toLoaded(stream, stored)), stored };
};

type AnyAnswer = { readonly kind: string };

/** No events if nothing changes. */
export type DecideOnRecord<Answer extends AnyAnswer> = (
  record: RecordUnderLease,
) => Decision<BirthRecordEvent, Answer> | Promise<Decision<BirthRecordEvent, Answer>>;

interface WrittenRecord<State extends BirthRecord> {
  readonly kind: 'written';
  readonly before: BirthRecord;
  readonly state: State;
  readonly events: readonly BirthRecordEvent[];
}

// Every writer has the practice lease, so more than one concurrent write means that it was lost.
const MAX_TRIES = 5;

/**
 * Reads the log, not the read tables, and appends at the exact revision; decides again after a
 * concurrent append.
 * @throws ConcurrentModification after too many of them, PracticeLeaseLost
 */
export const decideUnderLease = async <Answer extends AnyAnswer>(
  history: ReadHistory,
  leaseScope: PracticeLeaseScope,
  stream: string,
  context: AppendContext,
  decide: DecideOnRecord<Answer>,
  eventId: (step: number) => string = () => randomUUID(),
): Promise<WrittenRecord<BirthRecord> | Answer> => {
  let tries = 0;
  const read: ReadStream = async (name) => {
    tries += 1;
    if (tries > MAX_TRIES)
      throw new ConcurrentModification(
        'A record has moved on again and again while it was decided on.',
      );
    await leaseScope.renew();
    return history.readStream(name);
  };
  const log = { append: leaseScope.append, readStream: read };
  const { decided } = await decideAndAppend(log, stream, context, async (all) => {
    const stored = all.filter(isKnown) as readonly StoredRecordEvent[];
    const current = await history.toLoaded(stream, stored);
    const eventsBefore = stored.map(({ event }) => event);
    const decision = await decide({ ...current, stream, stored, events: eventsBefore });
    const events = isAccepted(decision) ? decision.events : [];
    const added = events.map((event, step) => ({ id: eventId(step), event }));
    return { before: current.state, decision, events: added };
  });
  const { before, decision } = decided;
  if (!isAccepted(decision)) return decision;
  const { events } = decision;
  return { kind: 'written', before, state: events.reduce<BirthRecord>(evolve, before), events };
};

const isAccepted = <Answer extends AnyAnswer>(
  decision: Decision<BirthRecordEvent, Answer>,
): decision is Accepted<BirthRecordEvent> => decision.kind === 'accepted';

/**
 * The read tables show the change when it returns.
 * @param findStream `null` for no such record
 * @throws PracticeLeaseTimeout, PracticeLeaseLost, ProjectionBehind, EventLogUnavailable: may be
 * retried
 */
export const changeRecord = <Answer extends AnyAnswer>(
  app: AppPorts,
  changer: RecordChanger,
  findStream: () => string | Promise<string | null>,
  decide: DecideOnRecord<Answer>,
  eventId?: (step: number) => string,
  history: ReadHistory = readRecentHistory(app),
): Promise<WrittenRecord<KnownBirthRecord> | Answer | { readonly kind: 'no-such-record' }> =>
  withPracticeLease(app, changer.practiceId, async (lease) => {
    const { actor, correlationId } = changer;
    const leaseScope = requirePermissionToAppend(lease, changer);
    const stream = await findStream();
    if (stream === null) return { kind: 'no-such-record' };
    const context = { correlationId, causationId: null, actor };
    const written = await decideUnderLease(history, leaseScope, stream, context, decide, eventId);
    if (!isWritten(written)) return written;
    await leaseScope.settle();
    return { ...written, state: knownRecord(written.state) };
  });

const isWritten = <Answer extends AnyAnswer>(
  result: WrittenRecord<BirthRecord> | Answer,
): result is WrittenRecord<BirthRecord> => result.kind === 'written';

export const knownRecord = (state: BirthRecord): KnownBirthRecord => {
  if (state.status === 'none') throw new Error('A record was decided on that has no event.');
  return state;
};
