import { accessStream } from '../stream-names.ts';
import type { AccessEvent, AccessPlace, Export, FilterKind } from './events.ts';
import type { OutboxEntry } from './ports.ts';

/** Keeps events small. */
export const MAX_RECORDS = 200;

export interface ShownRecords {
  readonly practiceId: string;
  readonly at: Date;
  readonly place: AccessPlace;
  readonly recordIds: readonly string[];
  readonly filters: readonly FilterKind[];
}

const splitIds = (recordIds: readonly string[]): readonly (readonly string[])[] => {
  const ids = [...new Set(recordIds)];
  return Array.from({ length: Math.ceil(ids.length / MAX_RECORDS) }, (_, index) =>
    ids.slice(index * MAX_RECORDS, (index + 1) * MAX_RECORDS),
  );
};

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

export interface ExportedFile {
  readonly practiceId: string;
  readonly at: Date;
  readonly what: Export;
  /** Lines without the header; `null` if not known yet. */
  readonly rows: number | null;
  readonly filters: readonly FilterKind[];
  readonly recordIds: readonly string[];
}

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

export interface ExportedRecords {
  readonly practiceId: string;
  readonly at: Date;
  readonly what: Export;
  readonly records: readonly { readonly submissionUuid: string; readonly version: number }[];
}

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

export interface AttemptCounts {
  /** For the account from one address. */
  readonly attemptsAtAddress: number;
  readonly maxAtAddress: number;
  /** For the account from all unknown addresses together. */
  readonly attemptsFromUnknownAddresses: number;
  readonly maxFromUnknownAddresses: number;
  readonly attemptsOfAddress: number;
  readonly maxOfAddress: number;
}

/** Only these are recorded, so that an attacker who keeps trying cannot fill the log. */
export const findLimitsJustExceeded = (
  counts: AttemptCounts,
): readonly ('account' | 'address')[] => [
  ...(counts.attemptsAtAddress === counts.maxAtAddress + 1 ||
  counts.attemptsFromUnknownAddresses === counts.maxFromUnknownAddresses + 1
    ? (['account'] as const)
    : []),
  ...(counts.attemptsOfAddress === counts.maxOfAddress + 1 ? (['address'] as const) : []),
];

const HOUR_LENGTH = 'YYYY-MM-DDTHH'.length;

/** One stream per practice and hour. */
export const getAccessStream = ({ data: { practiceId, at } }: AccessEvent): string =>
  accessStream(practiceId, at.slice(0, HOUR_LENGTH));

export const selectUnrecorded = (
  existingIds: ReadonlySet<string>,
  notes: readonly OutboxEntry[],
): readonly OutboxEntry[] => notes.filter(({ noteId }) => !existingIds.has(noteId));
