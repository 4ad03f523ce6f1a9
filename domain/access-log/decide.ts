import { accessStream } from '../stream-names.ts';
import type { AccessEvent, FilterKind, PlaceShown, RecordsShown } from './events.ts';
import type { NotedAccess } from './ports.ts';

/** Most records that one event names: some 8 KiB. */
export const MOST_RECORDS = 200;

/** Records that are about to be shown. */
export interface ShowRecords {
  readonly practiceId: string;
  readonly at: Date;
  readonly place: PlaceShown;
  /** Submission uuids, as often as they stand on the page. */
  readonly recordIds: readonly string[];
  readonly filters: readonly FilterKind[];
}

/** What the access log says of records shown: each once, none at all for an empty page. */
export const showRecords = (command: ShowRecords): readonly RecordsShown[] => {
  const { practiceId, place, filters } = command;
  const recordIds = [...new Set(command.recordIds)];
  const at = command.at.toISOString();
  return Array.from({ length: Math.ceil(recordIds.length / MOST_RECORDS) }, (_, index) => ({
    type: 'RecordsShown',
    data: {
      at,
      practiceId,
      place,
      filters,
      recordIds: recordIds.slice(index * MOST_RECORDS, (index + 1) * MOST_RECORDS),
    },
  }));
};

/** Tries of a window that a limit has counted, the one under way included. */
export interface CountedTries {
  /** For the account from one address. */
  readonly ofAccountHere: number;
  readonly mostOfAccountHere: number;
  /** For the account from everywhere it has not signed in from. */
  readonly ofAccountByStrangers: number;
  readonly mostOfAccountByStrangers: number;
  readonly ofAddress: number;
  readonly mostOfAddress: number;
}

/**
 * Which limits a try is the first to exceed in their windows. Only these are noted: a stranger who goes on
 * trying must not be able to fill the log.
 */
export const limitsJustReached = (tries: CountedTries): readonly ('account' | 'address')[] => [
  ...(tries.ofAccountHere === tries.mostOfAccountHere + 1 ||
  tries.ofAccountByStrangers === tries.mostOfAccountByStrangers + 1
    ? (['account'] as const)
    : []),
  ...(tries.ofAddress === tries.mostOfAddress + 1 ? (['address'] as const) : []),
];

const HOUR_LENGTH = 'YYYY-MM-DDTHH'.length;

/** The stream that an event of the access log goes to: one of its practice and hour. */
export const streamOf = ({ data: { practiceId, at } }: AccessEvent): string =>
  accessStream(practiceId, at.slice(0, HOUR_LENGTH));

/** What of some notes a stream does not hold yet, in their order, each once. */
export const notYetIn = (
  heldIds: ReadonlySet<string>,
  notes: readonly NotedAccess[],
): readonly NotedAccess[] => notes.filter(({ noteId }) => !heldIds.has(noteId));
