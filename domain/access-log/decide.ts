import { accessStream } from '../stream-names.ts';
import type { AccessEvent, Export, FilterKind, PlaceShown } from './events.ts';
import type { OutboxEntry } from './ports.ts';

/** Maximum number of records per event: keeps events small. */
export const MAX_RECORDS = 200;

/** Records that are about to be shown. */
export interface ShownRecords {
  readonly practiceId: string;
  readonly at: Date;
  readonly place: PlaceShown;
  /** Submission uuids, possibly with duplicates. */
  readonly recordIds: readonly string[];
  readonly filters: readonly FilterKind[];
}

/** Removes duplicates and splits the ids so that no event is too large. */
const splitIds = (recordIds: readonly string[]): readonly (readonly string[])[] => {
  const ids = [...new Set(recordIds)];
  return Array.from({ length: Math.ceil(ids.length / MAX_RECORDS) }, (_, index) =>
    ids.slice(index * MAX_RECORDS, (index + 1) * MAX_RECORDS),
  );
};

/** Returns no events for an empty page. */
export const buildRecordsShown = (
  command: ShownRecords,
): readonly AccessEvent<'RecordsShown'>[] => {
  const { practiceId, place, filters } = command;
  const at = command.at.toISOString();
  return splitIds(command.recordIds).map((recordIds) => ({
    type: 'RecordsShown',
    data: { at, practiceId, place, filters, recordIds },
  }));
};

/** Records that are about to be printed. */
export interface PrintedRecords extends Omit<ShownRecords, 'filters'> {
  readonly by: AccessEvent<'RecordsPrinted'>['data']['by'];
}

export const buildRecordsPrinted = (
  command: PrintedRecords,
): readonly AccessEvent<'RecordsPrinted'>[] => {
  const { practiceId, place, by } = command;
  const at = command.at.toISOString();
  return splitIds(command.recordIds).map((recordIds) => ({
    type: 'RecordsPrinted',
    data: { at, practiceId, place, by, recordIds },
  }));
};

/** File that is about to be exported. */
export interface ExportedFile {
  readonly practiceId: string;
  readonly at: Date;
  readonly what: Export;
  /** Lines without the header; `null` if not known yet. */
  readonly rows: number | null;
  readonly filters: readonly FilterKind[];
  /** Submission uuids of the records in the file. */
  readonly recordIds: readonly string[];
}

/** One event for the file, followed by the events for its records. */
export const buildDataExported = (
  command: ExportedFile,
): readonly [AccessEvent<'DataExported'>, ...(readonly AccessEvent<'RecordsExported'>[])] => {
  const { practiceId, what, rows, filters } = command;
  const at = command.at.toISOString();
  return [
    { type: 'DataExported', data: { at, practiceId, what, rows, filters } },
    ...splitIds(command.recordIds).map(
      (recordIds): AccessEvent<'RecordsExported'> => ({
        type: 'RecordsExported',
        data: { at, practiceId, what, recordIds },
      }),
    ),
  ];
};

/** Whole records that are about to be exported. */
export interface ExportedRecords {
  readonly practiceId: string;
  readonly at: Date;
  readonly what: Export;
  /** Each record once, with its exported version. */
  readonly records: readonly { readonly submissionUuid: string; readonly version: number }[];
}

/** Includes the exported version of each record. */
export const buildRecordsExported = (
  command: ExportedRecords,
): readonly AccessEvent<'RecordsExported'>[] => {
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

/** Sign-in attempts in the current window of each limit, including this one. */
export interface AttemptCounts {
  /** For the account from one address. */
  readonly ofAccountHere: number;
  readonly mostOfAccountHere: number;
  /** For the account from places it has never signed in from. */
  readonly ofAccountElsewhere: number;
  readonly maxOfAccountElsewhere: number;
  readonly ofAddress: number;
  readonly mostOfAddress: number;
}

/**
 * Limits that this attempt is the first to exceed. Only these are recorded, so that an attacker who keeps
 * trying cannot fill the log.
 */
export const findLimitsJustReached = (tries: AttemptCounts): readonly ('account' | 'address')[] => [
  ...(tries.ofAccountHere === tries.mostOfAccountHere + 1 ||
  tries.ofAccountElsewhere === tries.maxOfAccountElsewhere + 1
    ? (['account'] as const)
    : []),
  ...(tries.ofAddress === tries.mostOfAddress + 1 ? (['address'] as const) : []),
];

const HOUR_LENGTH = 'YYYY-MM-DDTHH'.length;

/** One stream per practice and hour. */
export const getAccessStream = ({ data: { practiceId, at } }: AccessEvent): string =>
  accessStream(practiceId, at.slice(0, HOUR_LENGTH));

/** Selects the entries that the stream does not contain yet. */
export const selectUnrecorded = (
  heldIds: ReadonlySet<string>,
  notes: readonly OutboxEntry[],
): readonly OutboxEntry[] => notes.filter(({ noteId }) => !heldIds.has(noteId));
