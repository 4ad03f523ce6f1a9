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

/** `done`: the record is as requested, by this or an earlier command. */
export type ChangedRecord =
  | { readonly kind: 'done'; readonly state: KnownBirthRecord }
  | Refusal
  /** The version is not the one that the person loaded. */
  | { readonly kind: 'changed-concurrently'; readonly current: KnownBirthRecord }
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

/** @param reason 3 to 500 characters */
export const voidRecord = (
  registry: AppPorts,
  record: RecordToChange,
  { version, reason }: { readonly version: number; readonly reason: string },
): Promise<ChangedRecord> =>
  change(registry, record, ({ state }) =>
    state.status === 'live' && state.version !== version
      ? { kind: 'changed-concurrently', current: state }
      : decideVoid({ reason }, state),
  );

/** @param version made by the Bundle that revived the record */
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
        ? { kind: 'changed-concurrently', current: state }
        : decideToConfirm({ questions }, stored, state),
    readWholeHistory(registry),
  );

export const dismissDuplicate = (
  registry: AppPorts,
  record: RecordToChange,
  duplicateOf: string,
): Promise<ChangedRecord> =>
  change(registry, record, async ({ state }) => {
    const other = await readOther(registry, record.practiceId, duplicateOf);
    return decideDismissal({ duplicateOf, other, mark: null }, state);
  });

export const restoreDuplicateFlag = (
  registry: AppPorts,
  record: RecordToChange,
  duplicateOf: string,
): Promise<ChangedRecord> =>
  change(registry, record, async ({ state }) => {
    const other = await readOther(registry, record.practiceId, duplicateOf);
    return decideRestoredFlag({ duplicateOf, other, mark: null }, state);
  });

/** `noRecord` if the practice has no such record. */
const readOther = async (
  registry: AppPorts,
  practiceId: string,
  submissionUuid: string,
): Promise<BirthRecord> => {
  const stream = await registry.reads.findRecordStream(practiceId, submissionUuid);
  if (stream === null) return noRecord;
  return (await loadRecent(registry, stream)).state;
};
