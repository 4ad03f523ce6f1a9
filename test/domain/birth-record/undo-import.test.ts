import type { BirthRecordEvent, SubmissionItemId } from '../../../domain/birth-record/events.ts';
import {
  IMPORT_UNDONE,
  traceImport,
  type UndoInRecord,
  undoImportInRecord,
} from '../../../domain/birth-record/undo-import.ts';
import {
  amended,
  courseOfInes,
  INES,
  LATER,
  lookAlike,
  OLDER,
  recorded,
  retracted,
} from '../../support/birth-records.ts';
import { scenarios } from '../../support/scenarios.ts';

const asTheyAre = (events: readonly BirthRecordEvent[]) => events;
const mark: SubmissionItemId = { ingestionId: 'file', position: 3 };
const other = { ...courseOfInes, prenatal_visits: 12 };

const created: BirthRecordEvent = {
  type: 'BirthRecorded',
  data: { ...(recorded.data as never as object), source: 'csv', keyKind: null, mark } as never,
};
const byFile = (version: number) =>
  amended({ version, source: 'csv', keyKind: null, course: other, stamp: LATER, mark });
const voidedBy = (version: number): BirthRecordEvent => ({
  type: 'BirthRetracted',
  data: {
    submissionUuid: INES,
    practiceId: 'practice',
    version,
    source: 'manual',
    reason: 'Entered twice',
    mark: null,
  },
});
const undoOf = (changes: Partial<UndoInRecord> = {}): UndoInRecord => ({
  importId: 'file',
  fingerprints: ['ines-12-may'],
  matches: [],
  resolveSurvivor: (id) => id,
  ...changes,
});

const voidedByUndo = (version: number, changes: object = {}): BirthRecordEvent => ({
  type: 'BirthRetracted',
  data: {
    submissionUuid: INES,
    practiceId: 'practice',
    version,
    source: 'csv',
    reason: IMPORT_UNDONE,
    mark: null,
    undoneImport: 'file',
    ...changes,
  },
});
const asFirst = (version: number): BirthRecordEvent =>
  amended({
    version,
    source: 'manual',
    restored: { version: 1 },
    undoneImport: 'file',
  });

const undo =
  (changes: Partial<UndoInRecord> = {}) =>
  (events: readonly BirthRecordEvent[]) =>
    undoImportInRecord(undoOf(changes), events);

scenarios('taking an import back in one record', asTheyAre, [
  {
    name: 'a record that the import created is voided, and says why',
    given: [created],
    when: undo(),
    expect: { kind: 'accepted', events: [voidedByUndo(2)] },
  },
  {
    name: 'one that two rows of the file wrote is voided too',
    given: [created, byFile(2)],
    when: undo(),
    expect: { kind: 'accepted', events: [voidedByUndo(3)] },
  },
  {
    name: 'one that it amended says what it said before, with the stamp of then',
    given: [recorded, byFile(2), byFile(3)],
    when: undo(),
    expect: { kind: 'accepted', events: [asFirst(4)] },
  },
  {
    name: 'one that then looks like another live record is flagged, not refused',
    given: [recorded, amended({ ...byFile(2).data, fingerprints: [] } as never)],
    when: undo({ matches: [lookAlike()] }),
    expect: {
      kind: 'accepted',
      events: [
        asFirst(3),
        {
          type: 'DuplicateFlagged',
          data: { submissionUuid: INES, practiceId: 'practice', duplicateOf: OLDER, mark: null },
        },
      ],
    },
  },
  {
    name: 'one that it made live again is voided again, as it was and by the same word',
    given: [recorded, voidedBy(2), byFile(3)],
    when: undo(),
    expect: {
      kind: 'accepted',
      events: [asFirst(4), voidedByUndo(5, { source: 'manual', reason: 'Entered twice' })],
    },
  },
  {
    name: 'what a sender had retracted is retracted again without a reason of a person',
    given: [recorded, retracted(2), byFile(3)],
    when: (events) => {
      const { events: undone } = undoImportInRecord(undoOf(), events);
      return undone.at(-1)?.data;
    },
    expect: {
      submissionUuid: INES,
      practiceId: 'practice',
      version: 5,
      source: 'fhir_push',
      mark: null,
      undoneImport: 'file',
    },
  },
  {
    name: 'taken back already, it stays as it is, whatever came later',
    given: [created, voidedByUndo(2), amended({ version: 3 })],
    when: (events) => [undo()(events), traceImport('file', events)],
    expect: [
      { kind: 'accepted', events: [] },
      { kind: 'undone', was: 'created' },
    ],
  },
  {
    name: 'changed since, or between two rows of the file, it stays as it is',
    given: [created, amended({ version: 2 })],
    when: (events) => [
      undo()(events),
      traceImport('file', events),
      traceImport('file', [...events, byFile(3)]),
      traceImport('file', [created, voidedBy(2)]),
    ],
    expect: [
      { kind: 'accepted', events: [] },
      { kind: 'changed' },
      { kind: 'changed' },
      { kind: 'changed' },
    ],
  },
  {
    name: 'a word on duplicates or a merge of providers is no change of the record',
    given: [
      created,
      {
        type: 'DuplicateFlagged',
        data: { submissionUuid: INES, practiceId: 'practice', duplicateOf: OLDER, mark: null },
      },
      {
        type: 'AttributionRepointed',
        data: {
          submissionUuid: INES,
          practiceId: 'practice',
          part: 'attendant',
          from: 'a',
          to: 'b',
          mark: null,
        },
      },
    ],
    when: (events) => traceImport('file', events),
    expect: { kind: 'created' },
  },
  {
    name: 'an import that wrote nothing of it takes nothing back',
    given: [recorded],
    when: (events) => [undo()(events), traceImport('file', events), undo()([])],
    expect: [{ kind: 'accepted', events: [] }, { kind: 'none' }, { kind: 'accepted', events: [] }],
  },
]);
