import { voidRecord as decideVoid } from '../../domain/birth-record/decide.ts';
import {
  dismissDuplicate as decideDismissal,
  restoreDuplicateFlag as decideRestoredFlag,
} from '../../domain/birth-record/duplicate-decisions.ts';
import {
  giveReason as decideReason,
  takeBackReason as decideToTakeBack,
  type GiveReason,
  type ItemPlace,
} from '../../domain/birth-record/item-reasons.ts';
import { keepRevival as decideToKeep } from '../../domain/birth-record/revival-review.ts';
import {
  type BirthRecord,
  type KnownBirthRecord,
  noRecord,
} from '../../domain/birth-record/state.ts';
import {
  type AnswerQuestions,
  answerQuestions as decideAnswer,
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
  app: AppPorts,
  record: RecordToChange,
  decide: DecideOnRecord<Answer>,
  history?: ReadHistory,
): Promise<ChangedRecord> => {
  const { practiceId, submissionUuid } = record;
  const findStream = () => app.reads.findRecordStream(practiceId, submissionUuid);
  const changed = await changeRecord(app, record, findStream, decide, undefined, history);
  return changed.kind === 'written' ? { kind: 'done', state: changed.state } : changed;
};

/** @param reason 3 to 500 characters */
export const voidRecord = (
  app: AppPorts,
  record: RecordToChange,
  { version, reason }: { readonly version: number; readonly reason: string },
): Promise<ChangedRecord> =>
  change(app, record, ({ state }) =>
    state.status === 'live' && state.version !== version
      ? { kind: 'changed-concurrently', current: state }
      : decideVoid({ reason }, state),
  );

/** @param version made by the Bundle that revived the record */
export const keepRevival = (
  app: AppPorts,
  record: RecordToChange,
  version: number,
): Promise<ChangedRecord> =>
  change(
    app,
    record,
    ({ events, state }) => decideToKeep({ version }, events, state),
    readWholeHistory(app),
  );

/** Decides on the version that the person loaded, with the whole history. */
const changeVersion = (
  app: AppPorts,
  record: RecordToChange,
  version: number,
  decide: DecideOnRecord<Answer>,
): Promise<ChangedRecord> =>
  change(
    app,
    record,
    (loaded) =>
      loaded.state.status === 'live' && loaded.state.version !== version
        ? { kind: 'changed-concurrently', current: loaded.state }
        : decide(loaded),
    readWholeHistory(app),
  );

export const answerQuestions = (
  app: AppPorts,
  record: RecordToChange,
  { version, ...answered }: AnswerQuestions & { readonly version: number },
): Promise<ChangedRecord> =>
  changeVersion(app, record, version, ({ state, stored }) => decideAnswer(answered, stored, state));

export const giveReason = (
  app: AppPorts,
  record: RecordToChange,
  { version, ...command }: GiveReason & { readonly version: number },
): Promise<ChangedRecord> =>
  changeVersion(app, record, version, ({ state, stored }) => decideReason(command, stored, state));

export const takeBackReason = (
  app: AppPorts,
  record: RecordToChange,
  { version, ...place }: ItemPlace & { readonly version: number },
): Promise<ChangedRecord> =>
  changeVersion(app, record, version, ({ state, stored }) =>
    decideToTakeBack(place, stored, state),
  );

export const dismissDuplicate = (
  app: AppPorts,
  record: RecordToChange,
  duplicateOf: string,
): Promise<ChangedRecord> =>
  change(app, record, async ({ state }) => {
    const other = await readOther(app, record.practiceId, duplicateOf);
    return decideDismissal({ duplicateOf, other, mark: null }, state);
  });

export const restoreDuplicateFlag = (
  app: AppPorts,
  record: RecordToChange,
  duplicateOf: string,
): Promise<ChangedRecord> =>
  change(app, record, async ({ state }) => {
    const other = await readOther(app, record.practiceId, duplicateOf);
    return decideRestoredFlag({ duplicateOf, other, mark: null }, state);
  });

/** `noRecord` if the practice has no such record. */
const readOther = async (
  app: AppPorts,
  practiceId: string,
  submissionUuid: string,
): Promise<BirthRecord> => {
  const stream = await app.reads.findRecordStream(practiceId, submissionUuid);
  if (stream === null) return noRecord;
  return (await loadRecent(app, stream)).state;
};
