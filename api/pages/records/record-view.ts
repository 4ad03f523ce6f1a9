import type { BirthRecordEvent } from '../../../domain/birth-record/events.ts';
import { findProvenance, type ValueProvenance } from '../../../domain/birth-record/provenance.ts';
import type { StoredRecordEvent } from '../../../domain/birth-record/replay.ts';
import { findPendingRevival } from '../../../domain/birth-record/revival-review.ts';
import {
  type BirthRecord,
  evolve,
  type KnownBirthRecord,
  noRecord,
} from '../../../domain/birth-record/state.ts';
import { listOpenQuestions, type Question } from '../../../domain/birth-record/unusual-values.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import type { ProviderName } from '../../../projections/lists/people-names.ts';
import { momentText } from '../frame/time.tsx';
import { chartPlaceInWords, IN_THE_EHR } from '../prefill/prefill-words.ts';
import { type ChangeInWords, type CourseWords, changesInWords } from '../words/course-values.ts';
import {
  type ActorNames,
  actorInWords,
  actorKey,
  besideEhrInWords,
  happeningInWords,
  versionInWords,
} from './who-did-it.ts';

/** What it takes to show a record. */
export interface RecordNames {
  readonly timeZone: string;
  readonly actors: ActorNames;
  readonly providers: ReadonlyMap<string, ProviderName>;
  readonly customFields: readonly CustomField[];
}

/** One event of a record's history, as people read it. */
export interface HistoryItem {
  readonly key: string;
  readonly type: BirthRecordEvent['type'];
  /** "Corrected by Inés Soto". */
  readonly text: string;
  /** Email of the member who did it; null: no member did, or they are not known. */
  readonly email: string | null;
  readonly at: Date;
  /** Version of the record since then. */
  readonly version: number;
  readonly changes: readonly ChangeInWords[];
  /** Why a person corrected, restored or voided it. */
  readonly reason: string | null;
  /** Submission uuid of the other record, where the event is about two. */
  readonly other: string | null;
}

/** A record as its page tells it. */
export interface RecordView {
  readonly state: KnownBirthRecord;
  readonly words: CourseWords;
  /** Texts of the footnotes; a value's is at `noteOf`. */
  readonly notes: readonly string[];
  /** Number of a value's footnote from 1, by the value's path; undefined: it has none. */
  readonly noteOf: (path: string) => number | undefined;
  /** Number of the footnote that most values have: the others stand out. */
  readonly usualNote: number;
  /** Oldest first. */
  readonly history: readonly HistoryItem[];
  /** The event that made the version. */
  readonly madeBy: HistoryItem;
  /** A person voided it, and it was sent again: that is not decided yet. */
  readonly overruled: OverruledVoidInWords | null;
  /** Odd values that nobody has confirmed. */
  readonly questions: readonly Question[];
}

/** Who voided a record, and who sent it again. */
export interface OverruledVoidInWords {
  /** The version that made the record live again. */
  readonly version: number;
  readonly voidedBy: string;
  readonly voidedAt: Date;
  readonly reason: string | null;
  readonly revivedBy: string;
  readonly revivedAt: Date;
}

/** What it takes to write courses of care in words. */
export const courseWordsOf = ({
  timeZone,
  providers,
  customFields,
}: Omit<RecordNames, 'actors'>): CourseWords => ({
  timeZone,
  providerName: (providerId) => providers.get(providerId)?.name ?? null,
  customFields: new Map(customFields.map((field) => [field.fieldId, field])),
});

const MAKE_VERSIONS: ReadonlySet<string> = new Set([
  'BirthRecorded',
  'BirthAmended',
  'BirthRetracted',
] satisfies BirthRecordEvent['type'][]);

/** The record that these events make, as people read it; null: there is none yet. */
export const recordViewOf = (
  stored: readonly StoredRecordEvent[],
  names: RecordNames,
): RecordView | null => {
  const words = courseWordsOf(names);
  const { state, history } = describedHistory(stored, names, words);
  const madeBy = history.findLast(({ type }) => MAKE_VERSIONS.has(type));
  if (state.status === 'none' || madeBy === undefined) return null;
  const origins = findProvenance(stored.map(({ event }) => event));
  const overruled = overruledInWords(stored, names);
  const texts = new Map(
    [...origins].map(([path, origin]) => [path, originInWords(origin, stored, names)]),
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
    overruled,
    questions: listOpenQuestions(stored),
    usualNote: usualOf([...texts.keys()].map(noteOf)),
  };
};

const overruledInWords = (
  stored: readonly StoredRecordEvent[],
  { actors }: RecordNames,
): OverruledVoidInWords | null => {
  const found = findPendingRevival(stored.map(({ event }) => event));
  if (found === null) return null;
  const voided = stored[found.voided];
  const revived = stored[found.revived];
  if (voided === undefined || revived === undefined) return null;
  return {
    version: found.version,
    voidedBy: actorInWords(voided.metadata.actor, actors),
    voidedAt: new Date(voided.metadata.recordedAt),
    reason: voided.event.type === 'BirthRetracted' ? (voided.event.data.reason ?? null) : null,
    revivedBy: actorInWords(revived.metadata.actor, actors),
    revivedAt: new Date(revived.metadata.recordedAt),
  };
};

/** The number that occurs most often; 0: there is none. */
const usualOf = (numbers: readonly (number | undefined)[]): number => {
  const counts = new Map<number, number>();
  for (const one of numbers) if (one !== undefined) counts.set(one, (counts.get(one) ?? 0) + 1);
  const [usual] = [...counts].toSorted(([, one], [, other]) => other - one);
  return usual?.[0] ?? 0;
};

const originInWords = (
  { event, version, isFromEhr, chartPlace }: ValueProvenance,
  stored: readonly StoredRecordEvent[],
  names: RecordNames,
): string => {
  const origin = stored[event];
  if (origin === undefined) return `Version ${version}`;
  const { event: said, metadata } = origin;
  const isPrefill = 'source' in said.data && said.data.source === 'ehr_pull';
  const text =
    isPrefill && !isFromEhr
      ? besideEhrInWords(actorInWords(metadata.actor, names.actors))
      : versionInWords(origin, names.actors);
  const at = momentText(new Date(origin.metadata.recordedAt), names.timeZone);
  const way = isFromEhr && !text.includes('the EHR') ? `Read from the EHR. ${text}` : text;
  const told = `${way}, ${at} (version ${version})`;
  return chartPlace === null
    ? told
    : `${told}. ${IN_THE_EHR} ${chartPlaceInWords(chartPlace, names.timeZone)}`;
};

const describedHistory = (
  stored: readonly StoredRecordEvent[],
  names: RecordNames,
  words: CourseWords,
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
      text: textOf(one, names, wasVoided),
      email: names.actors.get(actorKey(one.metadata.actor))?.email ?? null,
      at: new Date(one.metadata.recordedAt),
      version: state.version,
      changes: changesOf(before, state.course, words, one.event),
      reason: 'reason' in one.event.data ? (one.event.data.reason ?? null) : null,
      other: otherRecordOf(one.event),
    });
  }
  return { state, history };
};

/** The other record of an event that is about two. */
export const otherRecordOf = (event: BirthRecordEvent): string | null => {
  if ('duplicateOf' in event.data) return event.data.duplicateOf;
  if (event.type === 'BirthRetracted') return event.data.mergedInto ?? null;
  return event.type === 'BirthAmended' ? (event.data.mergedFrom?.submissionUuid ?? null) : null;
};

/** Says that a record names a provider now who was merged. */
export const describeRepointing = (part: 'Attendant' | 'Certifier', name: string): string =>
  `${part} is now ${name}: two entries of this provider were merged`;

const textOf = (stored: StoredRecordEvent, names: RecordNames, wasVoided: boolean): string => {
  const { event } = stored;
  if (event.type !== 'AttributionRepointed')
    return happeningInWords(stored, names.actors, wasVoided);
  const part = event.data.part === 'attendant' ? 'Attendant' : 'Certifier';
  const name = names.providers.get(event.data.to)?.name ?? 'a provider without a name';
  return describeRepointing(part, name);
};

const changesOf = (
  before: BirthRecord,
  after: CourseOfCare,
  words: CourseWords,
  event: BirthRecordEvent,
): readonly ChangeInWords[] => {
  if (before.status === 'none') return [];
  // By its id, for after the merge both ids have the survivor's name.
  if (event.type === 'AttributionRepointed') return [];
  return changesInWords(before.course, after, words);
};
