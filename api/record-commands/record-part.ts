import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import { type StoredRecordEvent, toLoadedRecord } from '../../domain/birth-record/replay.ts';
import { type BirthRecord, evolve } from '../../domain/birth-record/state.ts';
import type { LoadedRecord } from '../../domain/birth-record/working-set.ts';
import { isKnown, type ReadRecent, type StreamEvent } from '../../domain/event-log.ts';
import type { AppPorts } from '../ports/app-ports.ts';

/** A sender in a loop makes thousands of versions: nothing reads more than these at a time. */
export const RECENT_EVENTS = 200;

/** Events read in addition, to find the version before the ones returned. */
const LEAD = 20;

/** Oldest first, without the first ones of a long history. */
export interface RecordPart {
  readonly stored: readonly StoredRecordEvent[];
  /** If false, the first version is one that others preceded. */
  readonly isWhole: boolean;
}

/**
 * Includes as many earlier events as it takes to know the values.
 * @param before revision after the last event to read; the end of the stream if absent
 */
export const readRecordPart = async (
  readRecent: ReadRecent,
  stream: string,
  count: number,
  before?: bigint,
): Promise<RecordPart> => {
  for (let most = count + LEAD; ; most *= 2) {
    const all = await readRecent(stream, most, before);
    const isWhole = isFromStart(all);
    if (isWhole || all.length < most || all.slice(0, all.length - count).some(isVersion))
      return { stored: all.filter(isKnown) as readonly StoredRecordEvent[], isWhole };
  }
};

const isFromStart = ([first]: readonly StreamEvent[]): boolean =>
  first === undefined || first.revision === 0n;

const isVersion = ({ event }: StreamEvent): boolean =>
  event?.type === 'BirthRecorded' || event?.type === 'BirthAmended';

const makesVersion = (
  one: StoredRecordEvent,
): one is StoredRecordEvent & { readonly event: VersionEvent } =>
  isVersion(one) || one.event.type === 'BirthRetracted';

type VersionEvent = BirthRecordEvent<'BirthRecorded' | 'BirthAmended' | 'BirthRetracted'>;

/** Searches, because a long history takes too long to read. */
export const findVersionEvent = async (
  readRecent: ReadRecent,
  stream: string,
  version: number,
  end: bigint,
): Promise<StoredRecordEvent | undefined> => {
  let found: (StoredRecordEvent & { readonly event: VersionEvent }) | undefined;
  let [from, to] = [0n, end];
  while (from < to) {
    const middle = (from + to) / 2n;
    const { stored } = await readRecordPart(readRecent, stream, 1, middle + 1n);
    const last = stored.findLast(makesVersion);
    if (last === undefined || last.event.data.version < version) from = middle + 1n;
    else {
      found = last;
      to = middle;
    }
  }
  return found?.event.data.version === version ? found : undefined;
};

/** All events if another program has written the recent ones. */
export const readRecentEvents = async (
  { readRecent, readStream }: Pick<AppPorts['log'], 'readRecent' | 'readStream'>,
  stream: string,
): Promise<readonly StreamEvent[]> => {
  const recent = await readRecent(stream, RECENT_EVENTS);
  return recent.some(isKnown) || isFromStart(recent) ? recent : readStream(stream);
};

/**
 * Comes from the read tables if the history is long, and from the events that they do not show yet.
 */
export const toRecentRecord = async (
  { log, reads }: Pick<AppPorts, 'log' | 'reads'>,
  stream: string,
  stored: readonly StoredRecordEvent[],
): Promise<LoadedRecord> => {
  const [first] = stored;
  const folded = toLoadedRecord(stored);
  if (first === undefined || isFromStart(stored)) return folded;
  const tableRecord = (await reads.loadRecords([stream])).get(stream);
  const tableRevision = tableRecord?.expectedRevision ?? 'no-stream';
  if (
    folded.state.status === 'none' &&
    (tableRevision === 'no-stream' || tableRevision < first.revision - 1n)
  )
    return toLoadedRecord((await log.readStream(stream)).filter(isKnown) as StoredRecordEvent[]);
  // While the tables are far behind, the events have the latest content, and the tables the flags.
  if (
    tableRecord === undefined ||
    tableRevision === 'no-stream' ||
    tableRevision < first.revision - 1n
  )
    return { ...folded, state: keepFlags(folded.state, tableRecord?.state) };
  const later = stored.filter(({ revision }) => revision > tableRevision);
  const state = later.reduce<BirthRecord>(
    (known, { event }) => evolve(known, event),
    tableRecord.state,
  );
  return { ...tableRecord, state, expectedRevision: folded.expectedRevision };
};

const keepFlags = (state: BirthRecord, before: BirthRecord | undefined): BirthRecord =>
  state.status === 'none' || before === undefined || before.status === 'none'
    ? state
    : {
        ...state,
        duplicateOf: state.duplicateOf ?? before.duplicateOf,
        dismissedMatches: [...new Set([...before.dismissedMatches, ...state.dismissedMatches])],
      };
