import { randomUUID } from 'node:crypto';
import { evolve } from '../../domain/birth-record/state.ts';
import {
  type ImportTrace,
  traceImport,
  undoImportInRecord,
} from '../../domain/birth-record/undo-import.ts';
import type { Refusal } from '../../domain/decision.ts';
import { type AppendContext, isKnown, type StreamEvent } from '../../domain/event-log.ts';
import { formatInstant } from '../../domain/fhir/dates.ts';
import { stateAfter } from '../../domain/fold.ts';
import { ingestionStream, recordStream } from '../../domain/stream-names.ts';
import type { IngestionEvent } from '../../domain/submission/events.ts';
import { ingestionFold } from '../../domain/submission/state.ts';
import {
  beginUndo as decideToBegin,
  type ImportedRecord,
  listImportedRecords,
  recordUndone,
} from '../../domain/submission/undo-import.ts';
import type { App } from '../ports/app-ports.ts';
import { findPracticeOffsets } from '../practice-time/practice-offsets.ts';
import { decideWithMore } from '../record-commands/find-matches.ts';
import {
  decideUnderLease,
  type RecordChanger,
  readWholeHistory,
  requirePermissionToAppend,
} from '../record-commands/record-under-lease.ts';
import { createRestoring, loadKnown, type Restoring } from '../record-commands/restore-record.ts';
import { ConcurrentModification } from '../writes/practice-lease.ts';
import { type PracticeLeaseScope, withPracticeLease } from '../writes/with-practice-lease.ts';

const RECORDS_PER_LEASE = 200;
const RECORDS_AT_ONCE = 16;

export interface ImportToUndo extends RecordChanger {
  readonly importId: string;
}

/** `begun`: by this or an earlier command. */
export type BegunUndo =
  | { readonly kind: 'begun' }
  | Refusal
  /** Nothing is undone. */
  | { readonly kind: 'changed'; readonly records: number };

/**
 * The records follow under separate leases, so that others can write; see {@link undoNext}.
 * @throws PracticeLeaseTimeout, PracticeLeaseLost, ProjectionBehind, EventLogUnavailable: may be
 * retried
 */
export const beginUndo = (app: App, undoing: ImportToUndo): Promise<BegunUndo> =>
  withPracticeLease(app, undoing.practiceId, async (lease): Promise<BegunUndo> => {
    const { practiceId, importId, actor, correlationId } = undoing;
    const leaseScope = requirePermissionToAppend(lease, undoing);
    const { log, reads, afterStep } = app;
    const stream = ingestionStream(importId);
    const stored = await log.readStream(stream);
    const state = stateAfter(stored, ingestionFold);
    const records = listImportedRecords(listEvents(stored));
    const isOfPractice = state.status !== 'none' && state.practiceId === practiceId;
    if (!isOfPractice) return { kind: 'refused', code: 'no-import' };
    const decision = decideToBegin(records.length, state);
    if (decision.kind === 'refused') return decision;
    if (decision.events.length === 0) return { kind: 'begun' };
    // Records are only written under leases, and the read tables show all writes of earlier ones.
    const { changed } = await reads.imports.effect(practiceId, importId, 0);
    if (changed > 0) return { kind: 'changed', records: changed };
    const context = { correlationId, causationId: null, actor };
    await appendTo(leaseScope, stream, stored, decision.events, context);
    afterStep('undo-begun');
    await leaseScope.settle();
    app.wakeups.emit('undo');
    return { kind: 'begun' };
  });

/**
 * Resumes after an interruption. @returns true if there are more records
 * @throws PracticeLeaseTimeout, PracticeLeaseLost, ConcurrentModification, ProjectionBehind,
 * EventLogUnavailable: may be retried
 */
export const undoNext = async (
  app: App,
  practiceId: string,
  importId: string,
): Promise<boolean> => {
  const offsetAt = await findPracticeOffsets(app, practiceId);
  return withPracticeLease(app, practiceId, async (leaseScope) => {
    const { log, now, afterStep } = app;
    const stream = ingestionStream(importId);
    const stored = await log.readStream(stream);
    const state = stateAfter(stored, ingestionFold);
    const begun = stored.filter(isKnown).find(({ event }) => event.type === 'ImportUndoBegun');
    if (state.status === 'none' || state.undo === null || begun === undefined) return false;
    if (state.undo.isOver) return false;
    const { actor, correlationId } = begun.metadata;
    const context = { correlationId, causationId: begun.id, actor };
    const restoring = createRestoring(practiceId, offsetAt);
    const from = state.undo.done.records;
    const next = listImportedRecords(listEvents(stored)).slice(from, from + RECORDS_PER_LEASE);
    const traces: ImportTrace[] = [];
    for (let at = 0; at < next.length; at += RECORDS_AT_ONCE) {
      const some = next.slice(at, at + RECORDS_AT_ONCE);
      const takeBack = (record: ImportedRecord) =>
        undoInRecord(app, leaseScope, restoring, importId, record, context);
      traces.push(...(await Promise.all(some.map(takeBack))));
    }
    await appendTo(
      leaseScope,
      stream,
      stored,
      recordUndone(traces, formatInstant(now()), state),
      context,
    );
    afterStep('undo-progressed');
    await leaseScope.settle();
    return from + next.length < state.undo.total;
  });
};

const listEvents = (stored: readonly StreamEvent[]): readonly IngestionEvent[] =>
  stored.filter(isKnown).map(({ event }) => event as IngestionEvent);

const appendTo = async (
  leaseScope: PracticeLeaseScope,
  stream: string,
  stored: readonly StreamEvent[],
  events: readonly IngestionEvent[],
  context: AppendContext,
): Promise<void> => {
  const end = stored.at(-1)?.revision ?? 'no-stream';
  // Random event ids: of two processes that do the same, one must fail.
  const added = events.map((event) => ({ id: randomUUID(), event }));
  const appended = await leaseScope.append(stream, end, added, context);
  if (appended.kind === 'wrong-revision')
    throw new ConcurrentModification('An import has moved on while it was undone.');
};

/** @returns the import's earlier effect on the record */
const undoInRecord = async (
  app: App,
  leaseScope: PracticeLeaseScope,
  restoring: Restoring,
  importId: string,
  record: ImportedRecord,
  context: AppendContext,
): Promise<ImportTrace> => {
  const { identity, reads } = app;
  const { practiceId } = restoring;
  const { chartNumber, submissionUuid } = record;
  const undo = (stream: string) =>
    undoInStream(stream, app, leaseScope, restoring, importId, submissionUuid, context);
  const stream = recordStream(
    chartNumber === null
      ? identity.submissionHash(submissionUuid)
      : identity.recordHash(practiceId, chartNumber),
  );
  const trace = await undo(stream);
  if (trace.kind !== 'none') return trace;
  // A chart number can equal the reference that a receipt gives to a row without one.
  const found = await reads.findRecordStream(practiceId, submissionUuid);
  return found === null || found === stream ? trace : undo(found);
};

const undoInStream = async (
  stream: string,
  app: App,
  leaseScope: PracticeLeaseScope,
  restoring: Restoring,
  importId: string,
  submissionUuid: string,
  context: AppendContext,
): Promise<ImportTrace> => {
  let trace: ImportTrace = { kind: 'none' };
  const written = await decideUnderLease<never>(
    readWholeHistory(app),
    leaseScope,
    stream,
    context,
    async (current) => {
      const { state } = current;
      const isMeant = state.status !== 'none' && state.submissionUuid === submissionUuid;
      const events = isMeant ? current.events : [];
      trace = traceImport(importId, events);
      const before = 'before' in trace ? trace.before : null;
      const known = await loadKnown(app, restoring, before, current);
      return decideWithMore(app, restoring, () => {
        const decision = undoImportInRecord({ ...known, importId }, events);
        // The next records of this batch are compared with the new state of this one.
        const then = decision.events.reduce(evolve, state);
        restoring.workingSet.put(stream, { ...current, state: then });
        return decision;
      });
    },
    (step) => app.deriveId('undo', importId, submissionUuid, step),
  );
  if (written.events.length > 0) app.afterStep('record-taken-back');
  return trace;
};
