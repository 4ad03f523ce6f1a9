import type { StoredRecordEvent } from '../../../../domain/birth-record/replay.ts';
import { isKnown, type ReadRecent, type StoredEvent } from '../../../../domain/event-log.ts';
import type { Seat } from '../../../access/signed-in.ts';
import type { App } from '../../../ports/app-ports.ts';
import {
  RECENT_EVENTS,
  type RecordPart,
  readRecordPart,
  toRecentRecord,
} from '../../../record-commands/record-part.ts';
import { buildCourseContext } from '../../text/course-values.ts';
import {
  describeHistory,
  type HistoryItem,
  type RecordNames,
  type TabledRecord,
} from './record-view.ts';

const FIRST_SEARCHED = 20;

/**
 * Skips any number of events of another program.
 * @param before revision after the last event to read; the end of the stream if absent
 */
const findLastKnown = async (
  readRecent: ReadRecent,
  stream: string,
  before?: bigint,
): Promise<StoredEvent | undefined> => {
  for (let most = FIRST_SEARCHED; ; most *= 2) {
    const events = await readRecent(stream, most, before);
    const known = events.findLast(isKnown);
    if (known !== undefined || events.length < most) return known;
  }
};

/** @param at as-of time; `null` for the present */
export const loadHistoryNames = async (
  app: App,
  { practiceId, practice }: Seat,
  stored: readonly StoredRecordEvent[],
  at: Date | null = null,
): Promise<RecordNames> => {
  const providerIds = stored.flatMap(({ event }) => {
    if (event.type === 'AttributionRepointed') return [event.data.from, event.data.to];
    if (!('course' in event.data)) return [];
    const { attendant, certifier } = event.data.course;
    return [attendant, certifier].filter((id) => id !== null);
  });
  const [actors, providers, customFields] = await Promise.all([
    app.reads.findActorNames(
      practiceId,
      stored.map(({ metadata }) => metadata.actor),
    ),
    app.reads.findProviderNames(practiceId, providerIds),
    app.reads.listCustomFields(practiceId),
  ]);
  return {
    timeZone: practice.timeZone,
    clock: practice.clock,
    actors,
    customFields,
    // In the past, later merges do not apply; earlier ones are among the record's events.
    providers:
      at === null
        ? providers
        : new Map([...providers].map(([id, one]) => [id, { ...one, name: one.ownName }])),
  };
};

const ENTRIES_PER_PAGE = 50;
/** Entries in a file of proofs, counted from the first, so that a file keeps its address. */
export const PROOFS_PER_FILE = 200;

export interface HistoryPart extends RecordPart {
  /** Events of this page of the history, oldest first. */
  readonly entries: readonly StoredRecordEvent[];
  /** The entries and the events before them, which their changes are compared with. */
  readonly compared: readonly StoredRecordEvent[];
  /** One-based; the first has the newest entries. */
  readonly page: number;
  readonly pages: number;
  /** Number of events after the requested time. */
  readonly later: number;
}

/** @param at as-of time; `null` for the present */
export const loadHistoryPart = async (
  { log }: Pick<App, 'log'>,
  stream: string,
  at: Date | null,
  requestedPage: number,
): Promise<HistoryPart> => {
  const newest = await readRecordPart(log.readRecent, stream, RECENT_EVENTS);
  const all = countTo(newest.stored);
  if (newest.isWhole) {
    const stored = newest.stored.filter((one) => isBy(one, at));
    const { page, pages, from, to } = computeSlice(stored.length, requestedPage);
    const later = newest.stored.length - stored.length;
    const entries = stored.slice(from, to);
    return { stored, isWhole: true, entries, compared: stored, page, pages, later };
  }
  const end = at === null ? all : await countBy(log, stream, all, at);
  const part =
    end === all ? newest : await readRecordPart(log.readRecent, stream, RECENT_EVENTS, BigInt(end));
  const { page, pages, from, to } = computeSlice(end, requestedPage);
  const { stored: compared } =
    page === 1 ? part : await readRecordPart(log.readRecent, stream, ENTRIES_PER_PAGE, BigInt(to));
  const entries = compared.filter(({ revision }) => revision >= BigInt(from));
  return { ...part, entries, compared, page, pages, later: all - end };
};

const countTo = (stored: readonly StoredRecordEvent[]): number =>
  Number((stored.at(-1)?.revision ?? -1n) + 1n);

const isBy = ({ metadata }: Pick<StoredRecordEvent, 'metadata'>, at: Date | null): boolean =>
  at === null || Date.parse(metadata.recordedAt) <= at.getTime();

/** Number of events by a time. A search, because a long history takes too long to read. */
const countBy = async (
  { readRecent }: App['log'],
  stream: string,
  all: number,
  at: Date,
): Promise<number> => {
  let [from, to] = [0, all];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const event = await findLastKnown(readRecent, stream, BigInt(middle + 1));
    if (event !== undefined && isBy(event, at)) from = middle + 1;
    else to = middle;
  }
  return from;
};

const computeSlice = (total: number, requestedPage: number) => {
  const pages = Math.max(1, Math.ceil(total / ENTRIES_PER_PAGE));
  const page = Math.min(requestedPage, pages);
  const to = total - (page - 1) * ENTRIES_PER_PAGE;
  return { page, pages, from: Math.max(0, to - ENTRIES_PER_PAGE), to };
};

export const findFirstRecorded = async (
  { log }: Pick<App, 'log'>,
  stream: string,
): Promise<Date> => {
  const first =
    (await log.readRecent(stream, 1, 1n)).find(isKnown) ??
    (await log.readStream(stream)).find(isKnown);
  return new Date(first?.metadata.recordedAt ?? 0);
};

export const describeEntries = (
  { entries, compared }: HistoryPart,
  names: RecordNames,
): readonly HistoryItem[] => {
  const revisions = new Set(entries.map(({ revision }) => revision.toString()));
  const { history } = describeHistory(compared, names, buildCourseContext(names));
  return history.filter(({ key }) => revisions.has(key));
};

export const listProofFiles = (entries: readonly StoredRecordEvent[]): readonly number[] => [
  ...new Set(entries.map(({ revision }) => 1 + Math.floor(Number(revision) / PROOFS_PER_FILE))),
];

/** Loads what a long history says of a record from the read tables. */
export const loadTabled = async (
  app: App,
  practiceId: string,
  stream: string,
  stored: readonly StoredRecordEvent[],
  at: Date | null,
): Promise<TabledRecord> => {
  if (at !== null) return { state: null, overruled: null, questions: [], reasons: [] };
  const { state } = await toRecentRecord(app, stream, stored.filter(isKnown));
  if (state.status === 'none') return { state, overruled: null, questions: [], reasons: [] };
  const key = state.submissionUuid;
  const [{ revived, questions }, reasons] = await Promise.all([
    app.reads.work.details(practiceId, [
      { kind: 'revived', key },
      { kind: 'question', key },
    ]),
    app.reads.listItemReasons(key),
  ]);
  return {
    state,
    overruled: revived.get(key) ?? null,
    questions: questions.get(key)?.questions ?? [],
    reasons,
  };
};
