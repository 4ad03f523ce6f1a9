import { isDifferentMother, toBirthIdentity } from '../../domain/birth-record/birth-identity.ts';
import {
  findNewMatches,
  findSharedMatches,
  findUndismissedMatches,
  listRecordedFingerprints,
  recordCourse,
} from '../../domain/birth-record/decide.ts';
import type { BirthRecordEvent, PrefillSaved } from '../../domain/birth-record/events.ts';
import type { BirthRecord, KnownBirthRecord } from '../../domain/birth-record/state.ts';
import { evolve, noRecord } from '../../domain/birth-record/state.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import type { OffsetAt } from '../../domain/course/local-times.ts';
import { COURSE_TOO_LONG, type Rejection } from '../../domain/course/rejections.ts';
import { normalizeInstant } from '../../domain/course/stamps.ts';
import { accept, type Decision } from '../../domain/decision.ts';
import { recordStream } from '../../domain/stream-names.ts';
import { isTooLongToStore } from '../admission/course-content.ts';
import type { App } from '../ports/app-ports.ts';
import { findPracticeOffsets } from '../practice-time/practice-offsets.ts';
import { decideByMatches, listIds } from './find-matches.ts';
import {
  changeRecord,
  type DecideOnRecord,
  knownRecord,
  type RecordChanger,
  type RecordUnderLease,
} from './record-under-lease.ts';

export type SaveTarget =
  /** If the chart number is in use, the person must decide. */
  | { readonly kind: 'new' }
  /** Version of the record under the chart number that the person decided to amend or revive. */
  | {
      readonly kind: 'amend';
      readonly version: number;
      /** True if the person saw that it is another woman's record. */
      readonly replacesAnother?: true;
    }
  /** Version that the person saw. */
  | { readonly kind: 'correct'; readonly submissionUuid: string; readonly version: number };

export interface CourseToSave extends RecordChanger {
  readonly source: 'manual' | 'ehr_pull';
  /** Id of the form: its content is saved only once. */
  readonly submissionId: string;
  readonly target: SaveTarget;
  /** From `parseCourse`; the stamp is set here. */
  readonly course: CourseOfCare;
  /** True if the person saw the matches: saves the record and flags it. */
  readonly overrule: boolean;
  readonly prefill?: PrefillSaved;
  readonly reason?: string;
}

/** Only `saved` has written anything. */
export type SavedCourse =
  | {
      readonly kind: 'saved';
      readonly change: 'recorded' | 'amended' | 'revived';
      readonly submissionUuid: string;
      readonly version: number;
      readonly suspectedDuplicate: boolean;
    }
  /** The person may amend the record. */
  | {
      readonly kind: 'exists';
      readonly existing: KnownBirthRecord;
      readonly isOtherMother: boolean;
    }
  | { readonly kind: 'changed-concurrently'; readonly current: KnownBirthRecord }
  /** Oldest first; the person may save nevertheless. */
  | { readonly kind: 'look-alike'; readonly submissionUuids: readonly string[] }
  /** `matches`: blocking records, oldest first. */
  | {
      readonly kind: 'refused';
      readonly rejection: Rejection;
      readonly matches: readonly string[];
    }
  | { readonly kind: 'no-such-record' };

const CHART_NUMBER_FIXED: Rejection = {
  id: 'chart-number-fixed',
  code: 'value',
  diagnostics:
    'The chart number of a record cannot be changed. Void this record and enter the birth under the other chart number.',
};

type Answer = Exclude<SavedCourse, { readonly kind: 'saved' }>;

/**
 * The read tables show the course when it returns.
 * @throws PracticeLeaseTimeout, PracticeLeaseLost, ProjectionBehind, EventLogUnavailable: may be
 * retried
 */
export const saveCourse = async (app: App, command: CourseToSave): Promise<SavedCourse> => {
  const { practiceId, target } = command;
  if (isTooLongToStore(command.course)) return buildRefusal(COURSE_TOO_LONG);
  const ids = deriveIds(command, app);
  const offsetAt = await findPracticeOffsets(app, practiceId);
  const findStream = () =>
    target.kind === 'correct'
      ? app.reads.findRecordStream(practiceId, target.submissionUuid)
      : ids.stream;
  let repeated: SavedCourse | null = null;
  const decideUnlessSaved: DecideOnRecord<Answer> = (record) => {
    repeated = findEarlierSave(record, ids.firstEvent);
    return repeated === null ? decide(app, command, ids, offsetAt, record) : accept();
  };
  const saved = await changeRecord(app, command, findStream, decideUnlessSaved, ids.eventId);
  if (saved.kind !== 'written') return saved;
  return repeated ?? toSavedCourse(saved.before, saved.events, saved.state);
};

/** Repeats get equal ids. */
interface SaveIds {
  /** Used if this is the first version of the record. */
  readonly submissionUuid: string;
  /** Of the chart number, or of the record itself without one. */
  readonly stream: string;
  eventId(step: number): string;
  readonly firstEvent: string;
}

const deriveIds = (
  command: CourseToSave,
  { identity, deriveId }: Pick<App, 'identity' | 'deriveId'>,
): SaveIds => {
  const { practiceId, submissionId, course, target } = command;
  // A form sent again with other content is not a repeat. Keyed, because the id outlives all logs.
  const content = identity.fingerprint(practiceId, JSON.stringify([target, course]));
  const eventId = (step: number) => deriveId('entry', practiceId, submissionId, content, step);
  const { chart_number: chartNumber } = course;
  const recordHash = chartNumber === null ? null : identity.recordHash(practiceId, chartNumber);
  // With another chart number the form creates another record, which needs its own id.
  const submissionUuid = deriveId('entry', practiceId, submissionId, recordHash ?? '');
  return {
    submissionUuid,
    stream: recordStream(recordHash ?? identity.submissionHash(submissionUuid)),
    eventId,
    firstEvent: eventId(0),
  };
};

/** `null` if no earlier attempt has saved anything. */
const findEarlierSave = ({ stored }: RecordUnderLease, firstEvent: string): SavedCourse | null => {
  const first = stored.findIndex(({ id }) => id === firstEvent);
  if (first === -1) return null;
  const fold = (upTo: number) =>
    stored.slice(0, upTo).reduce<BirthRecord>((state, { event }) => evolve(state, event), noRecord);
  // A flag is in the same append, right after the record's event.
  const isFlagged = stored[first + 1]?.event.type === 'DuplicateFlagged';
  const last = first + (isFlagged ? 2 : 1);
  const events = stored.slice(first, last).map(({ event }) => event);
  return toSavedCourse(fold(first), events, knownRecord(fold(last)));
};

const CHANGES = { none: 'recorded', live: 'amended', voided: 'revived' } as const;

const toSavedCourse = (
  before: BirthRecord,
  events: readonly BirthRecordEvent[],
  state: KnownBirthRecord,
): SavedCourse => ({
  kind: 'saved',
  change: CHANGES[before.status],
  submissionUuid: state.submissionUuid,
  version: state.version,
  suspectedDuplicate: events.some(({ type }) => type === 'DuplicateFlagged'),
});

const decide = async (
  app: App,
  command: CourseToSave,
  ids: SaveIds,
  offsetAt: OffsetAt | null,
  record: RecordUnderLease,
): Promise<Decision<BirthRecordEvent, Answer>> => {
  const { practiceId, source, course: entered, overrule, prefill, reason } = command;
  const { state } = record;
  const answer = findObstacle(command, state);
  if (answer !== null) return answer;

  const now = app.now();
  const stamp = chooseStamp(now, state);
  const courseUnderLease = { practiceId, record, course: entered, offsetAt };
  return decideByMatches(app, courseUnderLease, ({ matches, ...fingerprints }) => {
    const decision = recordCourse(
      {
        submissionUuid: ids.submissionUuid,
        practiceId,
        source,
        stamp,
        ...fingerprints,
        matches,
        receivedAt: now.toISOString(),
        keyKind: null,
        providers: [],
        mark: null,
        prefill,
        reason,
        course: { ...entered, stamp },
      },
      state,
    );
    if (decision.kind === 'rejected') {
      const inTheWay = listIds(
        findNewMatches(matches, listRecordedFingerprints(fingerprints), state),
      );
      return buildRefusal(decision.rejection, inTheWay);
    }
    const { events } = decision;
    // Correcting a live record needs no question: new matches reject the correction instead.
    const needsAnswer = !overrule && state.status !== 'live';
    if (needsAnswer && events.some(({ type }) => type === 'DuplicateFlagged')) {
      // Uses the fingerprints of the new event, since those of a voided version may no longer count.
      const counting = events.flatMap(({ type, data }) =>
        type === 'BirthRecorded' || type === 'BirthAmended' ? data.fingerprints : [],
      );
      const alike = findSharedMatches(matches, counting);
      const submissionUuids = listIds(findUndismissedMatches(alike, state));
      return { kind: 'look-alike', submissionUuids };
    }
    return decision;
  });
};

/** `null` if the target fits the record. */
const findObstacle = ({ target, course }: CourseToSave, state: BirthRecord): Answer | null => {
  if (state.status === 'none') return target.kind === 'correct' ? { kind: 'no-such-record' } : null;
  const describeExisting = (): Extract<Answer, { readonly kind: 'exists' }> => ({
    kind: 'exists',
    existing: state,
    isOtherMother: isDifferentMother(toBirthIdentity(state.course), toBirthIdentity(course)),
  });
  switch (target.kind) {
    case 'new':
      return describeExisting();
    case 'amend': {
      const exists = describeExisting();
      const mayAmend = target.replacesAnother === true || !exists.isOtherMother;
      return state.version === target.version && mayAmend ? null : exists;
    }
    case 'correct':
      if (state.version !== target.version) return { kind: 'changed-concurrently', current: state };
      return course.chart_number === state.course.chart_number
        ? null
        : buildRefusal(CHART_NUMBER_FIXED);
  }
};

const buildRefusal = (rejection: Rejection, matches: readonly string[] = []): Answer => ({
  kind: 'refused',
  rejection,
  matches,
});

/**
 * docs/design/duplicates.md#stamps; the record's stamp if a sender's clock is ahead: a person who sees the record
 * never makes a stale change.
 */
export const chooseStamp = (now: Date, state: BirthRecord): string | null => {
  const own = normalizeInstant(now.toISOString());
  const current = state.status === 'none' ? null : state.stamp;
  return own !== null && current !== null && current > own ? current : own;
};
