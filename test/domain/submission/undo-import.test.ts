import type { IngestionEnvelope, IngestionEvent } from '../../../domain/submission/events.ts';
import { evolve, type Ingestion, noIngestion } from '../../../domain/submission/state.ts';
import {
  beginUndo,
  listImportedRecords,
  recordUndone,
} from '../../../domain/submission/undo-import.ts';
import { scenarios } from '../../support/scenarios.ts';

const head: IngestionEnvelope = {
  ingestionId: 'file',
  practiceId: 'practice',
  keyId: null,
  keyKind: null,
  imported: { memberId: 'm-1', fileHash: 'hash', emptyRows: [] },
  attempt: '00000000-0000-5000-8000-000000000001',
  courses: 3,
  correlationId: 'test',
  receivedAt: '2026-05-13T11:00:00.000Z',
};
const AT = '2026-05-13T12:00:00.000+00:00';

const ingested: IngestionEvent = {
  type: 'SubmissionIngested',
  data: {
    ...head,
    accepted: [
      { reference: 'C-1', submission_uuid: 'a' },
      { reference: 'record[2]', submission_uuid: 'b' },
    ],
    rejected: [{ reference: 'C-2', rejections: [] }],
    rejectedAt: [1],
    completedAt: AT,
  },
};
const pushed: IngestionEvent = {
  type: 'SubmissionIngested',
  data: { ...(({ imported: _imported, ...rest }) => rest)(ingested.data) },
};
const begun: IngestionEvent = {
  type: 'ImportUndoBegun',
  data: { ingestionId: 'file', practiceId: 'practice', records: 3 },
};
const done = { records: 2, voided: 1, restored: 1, voidedAgain: 0, left: 0 };
const progressed: IngestionEvent = {
  type: 'ImportUndoProgressed',
  data: { ingestionId: 'file', ...done },
};
const undone: IngestionEvent = {
  type: 'ImportUndone',
  data: {
    ingestionId: 'file',
    records: 3,
    voided: 1,
    restored: 1,
    voidedAgain: 0,
    left: 1,
    undoneAt: AT,
  },
};
const failed: IngestionEvent = {
  type: 'IngestionFailed',
  data: {
    ingestionId: 'file',
    error: 'error',
    exception: 'exception',
    correlationId: 'test',
    completedAt: AT,
    head,
  },
};
const started: IngestionEvent = {
  type: 'IngestionStarted',
  data: { ingestionId: 'file', run: 1, head },
};

const fold = (events: readonly IngestionEvent[]): Ingestion => events.reduce(evolve, noIngestion);

scenarios('undoing an import', fold, [
  {
    name: 'a completed import begins to be undone',
    given: [ingested],
    when: (state) => beginUndo(3, state),
    expect: { kind: 'accepted', events: [begun] },
  },
  {
    name: 'one that is being undone, or was, stays so',
    given: [ingested, begun],
    when: (state) => [beginUndo(3, state), beginUndo(3, evolve(state, undone))],
    expect: [
      { kind: 'accepted', events: [] },
      { kind: 'accepted', events: [] },
    ],
  },
  {
    name: 'one that goes on, stopped before its end or wrote nothing is refused',
    given: [],
    when: () => [
      beginUndo(3, fold([started])),
      beginUndo(3, fold([failed])),
      beginUndo(0, fold([ingested])),
    ],
    expect: [
      { kind: 'refused', code: 'import-goes-on' },
      { kind: 'refused', code: 'import-stopped' },
      { kind: 'refused', code: 'import-without-records' },
    ],
  },
  {
    name: 'what was pushed is no import, and neither is what nobody knows',
    given: [],
    when: () => [beginUndo(3, fold([pushed])), beginUndo(3, noIngestion)],
    expect: [
      { kind: 'refused', code: 'no-import' },
      { kind: 'refused', code: 'no-import' },
    ],
  },
  {
    name: 'records are counted by what became of them, in a repeated run as in the first',
    given: [ingested, begun],
    when: (state) => [
      recordUndone([{ kind: 'created' }, { kind: 'undone', was: 'amended' }], AT, state),
    ],
    expect: [[progressed]],
  },
  {
    name: 'with the last record the import is undone; what was changed meanwhile is left',
    given: [ingested, begun, progressed],
    when: (state) => recordUndone([{ kind: 'changed' }], AT, state),
    expect: [undone],
  },
  {
    name: 'what is undone, or never began to be, is not counted',
    given: [ingested],
    when: (state) => [
      recordUndone([{ kind: 'created' }], AT, state),
      recordUndone([{ kind: 'created' }], AT, fold([ingested, begun, undone])),
    ],
    expect: [[], []],
  },
  {
    name: 'an undone import stays completed',
    given: [ingested, begun, undone],
    when: (state) => state.status !== 'none' && [state.status, state.accepted, state.undo?.isOver],
    expect: ['completed', 2, true],
  },
]);

const asTheyAre = (events: readonly IngestionEvent[]) => events;

scenarios('the records that an import wrote', asTheyAre, [
  {
    name: 'each is named once, by its chart number if it has one',
    given: [
      ingested,
      {
        type: 'RecordsProcessed',
        data: {
          ingestionId: 'file',
          chunk: 1,
          accepted: [
            { reference: 'C-1', submission_uuid: 'a', amended: true, version: 2 },
            { reference: 'record[51]', submission_uuid: 'c' },
            { reference: 'record[3]', submission_uuid: 'd' },
          ],
          rejected: [],
          rejectedAt: [],
        },
      },
    ],
    when: listImportedRecords,
    expect: [
      { submissionUuid: 'a', chartNumber: 'C-1' },
      { submissionUuid: 'b', chartNumber: null },
      { submissionUuid: 'c', chartNumber: null },
      { submissionUuid: 'd', chartNumber: 'record[3]' },
    ],
  },
]);
