import type { ImportTrace } from '../birth-record/undo-import.ts';
import { parseReference } from '../course/chart-number.ts';
import { accept, type Decision, refuse } from '../decision.ts';
import type { IngestionEvent, UndoneRecords } from './events.ts';
import { listOutcomes } from './outcomes.ts';
import type { Ingestion } from './state.ts';

export interface ImportedRecord {
  readonly submissionUuid: string;
  /** `null` if it has no chart number. */
  readonly chartNumber: string | null;
}

/** Each once, in file order. */
export const listImportedRecords = (
  events: readonly IngestionEvent[],
): readonly ImportedRecord[] => {
  const found = new Map<string, ImportedRecord>();
  for (const event of events) {
    if (event.type !== 'SubmissionIngested' && event.type !== 'RecordsProcessed') continue;
    const chunk = event.type === 'RecordsProcessed' ? event.data.chunk : 0;
    for (const { kind, position, entry } of listOutcomes({ ...event.data, chunk })) {
      if (kind === 'rejected' || found.has(entry.submission_uuid)) continue;
      const submissionUuid = entry.submission_uuid;
      found.set(submissionUuid, { submissionUuid, chartNumber: parseReference(entry, position) });
    }
  }
  return [...found.values()];
};

/** A failed import has no complete list of its records, so it cannot be undone as a whole. */
export const beginUndo = (
  records: number,
  state: Ingestion,
): Decision<IngestionEvent<'ImportUndoBegun'>> => {
  if (state.status === 'none' || state.source !== 'csv') return refuse({ code: 'no-import' });
  if (state.undo !== null) return accept();
  if (state.status === 'failed') return refuse({ code: 'import-stopped' });
  if (state.status !== 'completed') return refuse({ code: 'import-goes-on' });
  if (records === 0) return refuse({ code: 'import-without-records' });
  const { ingestionId, practiceId } = state;
  return accept({ type: 'ImportUndoBegun', data: { ingestionId, practiceId, records } });
};

/** @param traces from before or after each was undone */
export const recordUndone = (
  traces: readonly ImportTrace[],
  at: string,
  state: Ingestion,
): readonly IngestionEvent<'ImportUndoProgressed' | 'ImportUndone'>[] => {
  if (state.status === 'none' || state.undo === null || state.undo.isOver) return [];
  const { ingestionId, undo } = state;
  const done = traces.reduce(addCounts, undo.done);
  const data = { ingestionId, ...done };
  return [
    done.records < undo.total
      ? { type: 'ImportUndoProgressed', data }
      : { type: 'ImportUndone', data: { ...data, undoneAt: at } },
  ];
};

const addCounts = (done: UndoneRecords, trace: ImportTrace): UndoneRecords => {
  const next = { ...done, records: done.records + 1 };
  switch (trace.kind === 'undone' ? trace.was : trace.kind) {
    case 'created':
      return { ...next, voided: done.voided + 1 };
    case 'amended':
      return { ...next, restored: done.restored + 1 };
    case 'revived':
      return { ...next, voidedAgain: done.voidedAgain + 1 };
    case 'changed':
    case 'none':
      return { ...next, left: done.left + 1 };
  }
};
