import type { BirthRecordEvent } from '../../../../domain/birth-record/events.ts';
import { type GivenReason, listItemReasons } from '../../../../domain/birth-record/item-reasons.ts';
import {
  findProvenance,
  type ValueProvenance,
} from '../../../../domain/birth-record/provenance.ts';
import type { StoredRecordEvent } from '../../../../domain/birth-record/replay.ts';
import { findPendingRevival } from '../../../../domain/birth-record/revival-review.ts';
import {
  type BirthRecord,
  evolve,
  type KnownBirthRecord,
  noRecord,
} from '../../../../domain/birth-record/state.ts';
import {
  listOpenQuestions,
  type Question,
} from '../../../../domain/birth-record/unusual-values.ts';
import type { CourseOfCare } from '../../../../domain/course/course.ts';
import type { CustomField } from '../../../../domain/custom-field/state.ts';
import type { ListedReason } from '../../../../projections/lists/item-reasons.ts';
import type { ProviderName } from '../../../../projections/lists/people-names.ts';
import type { ListedRevival } from '../../../../projections/lists/work-items.ts';
import {
  buildCourseContext,
  type CourseContext,
  type FormattedChange,
  formatChanges,
} from '../../text/course-values.ts';
import { formatTime, type TimeFormat } from '../../text/format-times.ts';
import { formatChartPlace, IN_THE_EHR } from '../../text/prefill-text.ts';
import {
  type ActorNames,
  buildActorKey,
  describeEvent,
  formatActor,
  formatBesideEhr,
  formatVersion,
} from '../../text/record-event-text.ts';

export interface RecordNames extends TimeFormat {
  readonly actors: ActorNames;
  readonly providers: ReadonlyMap<string, ProviderName>;
  readonly customFields: readonly CustomField[];
}

export interface HistoryItem {
  readonly key: string;
  readonly type: BirthRecordEvent['type'];
  /** "Corrected by Inés Soto". */
  readonly text: string;
  /** Email of the member; `null` for another actor or an unknown member. */
  readonly email: string | null;
  readonly at: Date;
  /** Version of the record after the event. */
  readonly version: number;
  readonly changes: readonly FormattedChange[];
  readonly reason: string | null;
  /** Submission UUID of the other record, if the event involves two. */
  readonly other: string | null;
}

export interface RecordView {
  readonly state: KnownBirthRecord;
  readonly words: CourseContext;
  /** Footnotes; `noteOf` maps values to them. */
  readonly notes: readonly string[];
  /** One-based footnote number of a path; `undefined` if none. */
  readonly noteOf: (path: string) => number | undefined;
  /** Number of the most common footnote; values with another one are marked. */
  readonly usualNote: number;
  /** Newest entries of the history, oldest first. */
  readonly history: readonly HistoryItem[];
  readonly madeBy: HistoryItem;
  /** Undecided resend of a record that a person had voided. */
  readonly overruled: Resubmission | null;
  readonly questions: readonly OpenQuestion[];
  /** Why items are missing. */
  readonly reasons: readonly RecordReason[];
}

export interface RecordReason extends GivenReason {
  readonly by: string;
  readonly at: Date;
}

export type OpenQuestion = Pick<Question, 'path' | 'doubts'>;

export interface Resubmission {
  readonly version: number;
  readonly voidedBy: string;
  readonly voidedAt: Date;
  readonly reason: string | null;
  readonly revivedBy: string;
  readonly revivedAt: Date;
}

const MAKE_VERSIONS: ReadonlySet<string> = new Set([
  'BirthRecorded',
  'BirthAmended',
  'BirthRetracted',
] satisfies BirthRecordEvent['type'][]);

/** Values from the read tables, of a record whose first events are left out. */
export interface TabledRecord {
  /** `null` if the record is shown as of an earlier time. */
  readonly state: BirthRecord | null;
  readonly overruled: ListedRevival | null;
  readonly questions: readonly OpenQuestion[];
  readonly reasons: readonly ListedReason[];
}

/** `null` if there is none yet. @param tabled absent if the events are the whole history */
export const buildRecordView = (
  stored: readonly StoredRecordEvent[],
  names: RecordNames,
  tabled?: TabledRecord,
): RecordView | null => {
  const words = buildCourseContext(names);
  const { state: folded, history } = describeHistory(stored, names, words);
  const state = tabled?.state ?? folded;
  const madeBy = history.findLast(({ type }) => MAKE_VERSIONS.has(type));
  if (state.status === 'none' || madeBy === undefined) return null;
  const origins = findProvenance(
    stored.map(({ event }) => event),
    tabled === undefined,
  );
  const texts = new Map(
    [...origins].map(([path, origin]) => [path, formatOrigin(origin, stored, names)]),
  );
  const notes = [...new Set(texts.values())];
  const noteOf = (path: string) => {
    const text = texts.get(path);
    return text === undefined ? undefined : notes.indexOf(text) + 1;
  };
  return {
    state,
    words,
    notes,
    noteOf,
    history,
    madeBy,
    overruled:
      tabled === undefined
        ? formatResubmitted(stored, names)
        : formatRevival(tabled.overruled, names.actors),
    questions: tabled === undefined ? listOpenQuestions(stored) : tabled.questions,
    reasons: (tabled === undefined ? listStoredReasons(stored) : tabled.reasons).map(
      ({ givenBy, givenAt, ...reason }) => ({
        ...reason,
        by: formatActor(givenBy, names.actors),
        at: givenAt,
      }),
    ),
    usualNote: findUsual([...texts.keys()].map(noteOf)),
  };
};

const listStoredReasons = (stored: readonly StoredRecordEvent[]): readonly ListedReason[] =>
  listItemReasons(stored).map(({ givenBy: { metadata }, ...reason }) => ({
    ...reason,
    givenBy: metadata.actor,
    givenAt: new Date(metadata.recordedAt),
  }));

const formatResubmitted = (
  stored: readonly StoredRecordEvent[],
  { actors }: RecordNames,
): Resubmission | null => {
  const found = findPendingRevival(stored.map(({ event }) => event));
  if (found === null) return null;
  const voided = stored[found.voided];
  const revived = stored[found.revived];
  if (voided === undefined || revived === undefined) return null;
  return {
    version: found.version,
    voidedBy: formatActor(voided.metadata.actor, actors),
    voidedAt: new Date(voided.metadata.recordedAt),
    reason: voided.event.type === 'BirthRetracted' ? (voided.event.data.reason ?? null) : null,
    revivedBy: formatActor(revived.metadata.actor, actors),
    revivedAt: new Date(revived.metadata.recordedAt),
  };
};

const formatRevival = (revival: ListedRevival | null, actors: ActorNames): Resubmission | null =>
  revival === null
    ? null
    : {
        ...revival,
        voidedBy: formatActor(revival.voidedBy, actors),
        revivedBy: formatActor(revival.revivedBy, actors),
      };

/** Most common number; 0 if empty. */
const findUsual = (numbers: readonly (number | undefined)[]): number => {
  const counts = new Map<number, number>();
  for (const one of numbers) if (one !== undefined) counts.set(one, (counts.get(one) ?? 0) + 1);
  const [usual] = [...counts].toSorted(([, one], [, other]) => other - one);
  return usual?.[0] ?? 0;
};

const formatOrigin = (
  { event, version, isFromEhr, chartPlace }: ValueProvenance,
  stored: readonly StoredRecordEvent[],
  names: RecordNames,
): string => {
  const origin = event === null ? undefined : stored[event];
  // No version of the events that were read has changed it.
  if (origin === undefined) return `From version ${version} or earlier`;
  const { data } = origin.event;
  const isPrefill = 'source' in data && data.source === 'ehr_pull';
  const text =
    isPrefill && !isFromEhr
      ? formatBesideEhr(formatActor(origin.metadata.actor, names.actors))
      : formatVersion(origin, names.actors);
  const at = formatTime(new Date(origin.metadata.recordedAt), names);
  const way = isFromEhr && !text.includes('the EHR') ? `Read from the EHR. ${text}` : text;
  const note = `${way}, ${at} (version ${version})`;
  return chartPlace === null
    ? note
    : `${note}. ${IN_THE_EHR} ${formatChartPlace(chartPlace, names)}`;
};

export const describeHistory = (
  stored: readonly StoredRecordEvent[],
  names: RecordNames,
  words: CourseContext,
): { readonly state: BirthRecord; readonly history: readonly HistoryItem[] } => {
  let state: BirthRecord = noRecord;
  const history: HistoryItem[] = [];
  for (const one of stored) {
    const before = state;
    state = evolve(state, one.event);
    if (state.status === 'none') continue;
    const wasVoided = before.status === 'voided';
    history.push({
      key: one.revision.toString(),
      type: one.event.type,
      text: formatText(one, names, wasVoided),
      email: names.actors.get(buildActorKey(one.metadata.actor))?.email ?? null,
      at: new Date(one.metadata.recordedAt),
      version: state.version,
      changes: formatVersionChanges(before, state.course, words, one.event),
      reason: 'reason' in one.event.data ? (one.event.data.reason ?? null) : null,
      other: findOtherRecord(one.event),
    });
  }
  return { state, history };
};

export const findOtherRecord = (event: BirthRecordEvent): string | null => {
  if ('duplicateOf' in event.data) return event.data.duplicateOf;
  if (event.type === 'BirthRetracted') return event.data.mergedInto ?? null;
  return event.type === 'BirthAmended' ? (event.data.mergedFrom?.submissionUuid ?? null) : null;
};

const formatText = (stored: StoredRecordEvent, names: RecordNames, wasVoided: boolean): string => {
  const { event } = stored;
  if (event.type !== 'AttributionRepointed') return describeEvent(stored, names.actors, wasVoided);
  const part = event.data.part === 'attendant' ? 'Attendant' : 'Certifier';
  const name = names.providers.get(event.data.to)?.name ?? 'a provider without a name';
  return `${part} is now ${name}: two entries of this provider were merged`;
};

const formatVersionChanges = (
  before: BirthRecord,
  after: CourseOfCare,
  words: CourseContext,
  event: BirthRecordEvent,
): readonly FormattedChange[] => {
  if (before.status === 'none') return [];
  // After the merge both ids have the survivor's name, so a comparison would show no change.
  if (event.type === 'AttributionRepointed') return [];
  return formatChanges(before.course, after, words);
};
