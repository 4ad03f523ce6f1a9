import { voidRecord as decideVoid } from '../../domain/birth-record/decide.ts';
import {
  dismissDuplicate as decideDismissal,
  restoreDuplicateFlag as decideRestoredFlag,
} from '../../domain/birth-record/duplicate-decisions.ts';
import { keepRevival as decideToKeep } from '../../domain/birth-record/revival-review.ts';
import {
  type BirthRecord,
  type KnownBirthRecord,
  noRecord,
} from '../../domain/birth-record/state.ts';
import {
  type ConfirmQuestions,
  confirmQuestions as decideToConfirm,
} from '../../domain/birth-record/unusual-values.ts';
import type { Refusal } from '../../domain/decision.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import {
  changeRecord,
  type DecideOnRecord,
  loadRecent,
  type ReadHistory,
  type RecordToChange,
  readWholeHistory,
} from './record-under-lease.ts';

/** Result of a change. `done`: the record is as requested, by this or an earlier command. */
export type ChangedRecord =
  | { readonly kind: 'done'; readonly state: KnownBirthRecord }
  | Refusal
  /** The record was changed since the person loaded it. */
  | { readonly kind: 'changed-concurrently'; readonly held: KnownBirthRecord }
  | { readonly kind: 'no-such-record' };

type Answer = Exclude<ChangedRecord, { readonly kind: 'done' }>;

const change = async (
  registry: AppPorts,
  record: RecordToChange,
  decide: DecideOnRecord<Answer>,
  history?: ReadHistory,
): Promise<ChangedRecord> => {
  const { practiceId, submissionUuid } = record;
  const findStream = () => registry.reads.findRecordStream(practiceId, submissionUuid);
  const changed = await changeRecord(registry, record, findStream, decide, undefined, history);
  return changed.kind === 'written' ? { kind: 'done', state: changed.state } : changed;
};

/** Voids the record at the version the person saw. @param reason 3 to 500 characters */
export const voidRecord = (
  registry: AppPorts,
  record: RecordToChange,
  { version, reason }: { readonly version: number; readonly reason: string },
): Promise<ChangedRecord> =>
  change(registry, record, ({ state }) =>
    state.status === 'live' && state.version !== version
      ? { kind: 'changed-concurrently', held: state }
      : decideVoid({ reason }, state),
  );

/** Keeps a record live that a Bundle revived. @param version that revived it */
export const keepRevival = (
  registry: AppPorts,
  record: RecordToChange,
  version: number,
): Promise<ChangedRecord> =>
  change(
    registry,
    record,
    ({ events, state }) => decideToKeep({ version }, events, state),
    readWholeHistory(registry),
  );

/** Confirms unusual values, at the version the person saw. */
export const confirmQuestions = (
  registry: AppPorts,
  record: RecordToChange,
  { version, questions }: ConfirmQuestions & { readonly version: number },
): Promise<ChangedRecord> =>
  change(
    registry,
    record,
    ({ state, stored }) =>
      state.status === 'live' && state.version !== version
        ? { kind: 'changed-concurrently', held: state }
        : decideToConfirm({ questions }, stored, state),
    readWholeHistory(registry),
  );

/** Dismisses a match: the two records are different births. */
export const dismissDuplicate = (
  registry: AppPorts,
  record: RecordToChange,
  duplicateOf: string,
): Promise<ChangedRecord> =>
  change(registry, record, async ({ state }) => {
    const other = await readOther(registry, record.practiceId, duplicateOf);
    return decideDismissal({ duplicateOf, other, mark: null }, state);
  });

/** Undoes the dismissal. */
export const restoreDuplicateFlag = (
  registry: AppPorts,
  record: RecordToChange,
  duplicateOf: string,
): Promise<ChangedRecord> =>
  change(registry, record, async ({ state }) => {
    const other = await readOther(registry, record.practiceId, duplicateOf);
    return decideRestoredFlag({ duplicateOf, other, mark: null }, state);
  });

/** Reads the other record of a pair from the log; `noRecord` if the practice has none. */
const readOther = async (
  registry: AppPorts,
  practiceId: string,
  submissionUuid: string,
): Promise<BirthRecord> => {
  const stream = await registry.reads.findRecordStream(practiceId, submissionUuid);
  if (stream === null) return noRecord;
  return (await loadRecent(registry, stream)).state;
};
