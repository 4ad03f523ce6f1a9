import { accessStream } from '../stream-names.ts';
import type {
  AccessEvent,
  DataExported,
  Export,
  FilterKind,
  PlaceShown,
  RecordsExported,
  RecordsPrinted,
  RecordsShown,
} from './events.ts';
import type { OutboxEntry } from './ports.ts';

/** Most records that one event names: some 8 KiB. */
export const MAX_RECORDS = 200;

/** Records that are about to be shown. */
export interface ShownRecords {
  readonly practiceId: string;
  readonly at: Date;
  readonly place: PlaceShown;
  /** Submission uuids, as often as they stand on the page. */
  readonly recordIds: readonly string[];
  readonly filters: readonly FilterKind[];
}

/** The records of one or more events: each once, and no event too long. */
const splitIds = (recordIds: readonly string[]): readonly (readonly string[])[] => {
  const ids = [...new Set(recordIds)];
  return Array.from({ length: Math.ceil(ids.length / MAX_RECORDS) }, (_, index) =>
    ids.slice(index * MAX_RECORDS, (index + 1) * MAX_RECORDS),
  );
};

/** What the access log says of records shown: each once, none at all for an empty page. */
export const buildRecordsShown = (command: ShownRecords): readonly RecordsShown[] => {
  const { practiceId, place, filters } = command;
  const at = command.at.toISOString();
  return splitIds(command.recordIds).map((recordIds) => ({
    type: 'RecordsShown',
    data: { at, practiceId, place, filters, recordIds },
  }));
};

/** Records that are about to be printed. */
export interface PrintedRecords extends Omit<ShownRecords, 'filters'> {
  readonly by: RecordsPrinted['data']['by'];
}

/** What the access log says of records printed. */
export const buildRecordsPrinted = (command: PrintedRecords): readonly RecordsPrinted[] => {
  const { practiceId, place, by } = command;
  const at = command.at.toISOString();
  return splitIds(command.recordIds).map((recordIds) => ({
    type: 'RecordsPrinted',
    data: { at, practiceId, place, by, recordIds },
  }));
};

/** A file that is about to be handed out. */
export interface ExportedFile {
  readonly practiceId: string;
  readonly at: Date;
  readonly what: Export;
  /** Lines without the header; null: not known yet. */
  readonly rows: number | null;
  readonly filters: readonly FilterKind[];
  /** Submission uuids of the records whose data are in the file. */
  readonly recordIds: readonly string[];
}

/** What the access log says of a file: the file itself once, then each record in it. */
export const buildDataExported = (
  command: ExportedFile,
): readonly [DataExported, ...(readonly RecordsExported[])] => {
  const { practiceId, what, rows, filters } = command;
  const at = command.at.toISOString();
  return [
    { type: 'DataExported', data: { at, practiceId, what, rows, filters } },
    ...splitIds(command.recordIds).map(
      (recordIds): RecordsExported => ({
        type: 'RecordsExported',
        data: { at, practiceId, what, recordIds },
      }),
    ),
  ];
};

/** Whole records that are about to leave the registry. */
export interface ExportedRecords {
  readonly practiceId: string;
  readonly at: Date;
  readonly what: Export;
  /** Each record once, with the version that leaves. */
  readonly records: readonly { readonly submissionUuid: string; readonly version: number }[];
}

/** What the access log says of records that leave whole: which version of each did. */
export const buildRecordsExported = (command: ExportedRecords): readonly RecordsExported[] => {
  const { practiceId, what, records } = command;
  const at = command.at.toISOString();
  const versions = new Map(records.map((one) => [one.submissionUuid, one.version]));
  return splitIds([...versions.keys()]).map((recordIds) => ({
    type: 'RecordsExported',
    data: {
      at,
      practiceId,
      what,
      recordIds,
      versions: recordIds.map((recordId) => versions.get(recordId) ?? 0),
    },
  }));
};

/** Tries of a window that a limit has counted, the one under way included. */
export interface AttemptCounts {
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
export const findLimitsJustReached = (tries: AttemptCounts): readonly ('account' | 'address')[] => [
  ...(tries.ofAccountHere === tries.mostOfAccountHere + 1 ||
  tries.ofAccountByStrangers === tries.mostOfAccountByStrangers + 1
    ? (['account'] as const)
    : []),
  ...(tries.ofAddress === tries.mostOfAddress + 1 ? (['address'] as const) : []),
];

const HOUR_LENGTH = 'YYYY-MM-DDTHH'.length;

/** The stream that an event of the access log goes to: one of its practice and hour. */
export const getAccessStream = ({ data: { practiceId, at } }: AccessEvent): string =>
  accessStream(practiceId, at.slice(0, HOUR_LENGTH));

/** What of some notes a stream does not hold yet, in their order, each once. */
export const selectUnrecorded = (
  heldIds: ReadonlySet<string>,
  notes: readonly OutboxEntry[],
): readonly OutboxEntry[] => notes.filter(({ noteId }) => !heldIds.has(noteId));
