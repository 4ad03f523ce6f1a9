import type { AccessPlace, FilterKind } from '../../domain/access-log/events.ts';
import type { UnusualMark } from '../../domain/access-log/unusual.ts';
import type { Actor } from '../../domain/event-log.ts';
import type { CamelRow } from '../read-model.ts';
import type { AccessEntryType } from '../tables/access-entries.ts';
import type { ActorSummary } from './audit.ts';
import type { NamedPerson } from './people-names.ts';

export interface AccessedRecord {
  readonly submissionUuid: string;
  /** Null if the record has none, is not projected yet, or is part of a longer list. */
  readonly chartNumber: string | null;
}

export interface AccessEntry
  extends Pick<
    CamelRow<'access_entry'>,
    'entryId' | 'type' | 'at' | 'accountId' | 'place' | 'detail' | 'exported'
  > {
  readonly by: ActorSummary & Pick<Actor, 'id'>;
  /** Name of the key that acted. Null if it is unnamed, or if no key acted. */
  readonly keyName: string | null;
  /** Owner of the account that a sign-in was attempted for. Null if there is none or it is unknown. */
  readonly tried: NamedPerson | null;
  readonly rows: number | null;
  readonly filters: readonly FilterKind[];
  readonly records: readonly AccessedRecord[];
  readonly unusual: readonly UnusualMark[];
}

/** `null` does not filter. Without kind or record: no reads by keys, and exported files as one entry. */
export interface AccessQuery {
  /** Id of the account that acted, or that a sign-in was attempted for. */
  readonly person: string | null;
  readonly record: string | null;
  readonly kind: AccessKind | null;
  readonly onlyUnusual?: boolean;
  /** Inclusive. */
  readonly since?: Date | null;
  /** Exclusive. */
  readonly until?: Date | null;
}

export interface AccessCount extends Pick<AccessEntry, 'type' | 'place' | 'by' | 'keyName'> {
  readonly times: number;
  readonly first: Date;
  readonly last: Date;
}

/** Entries with more records omit chart numbers: otherwise the log itself would disclose them. */
const MAX_NAMED_RECORDS = 3;

export const canShowChartNumbers = (place: AccessPlace | null, records: number): boolean =>
  place !== 'access-log' && records <= MAX_NAMED_RECORDS;

export type AccessKind = (typeof ACCESS_KINDS)[number];

export const ACCESS_KINDS = [
  'sign-ins',
  'records',
  'prints',
  'exports',
  'receipts',
  'prefills',
] as const;

export const TYPES_OF_KIND: Readonly<Record<AccessKind, readonly AccessEntryType[]>> = {
  'sign-ins': [
    'AccountSignedIn',
    'AccountSignedOut',
    'PasswordRefused',
    'SingleSignOnRefused',
    'SignInHeldBack',
    'SessionsEnded',
    'SecondFactorChanged',
    'KeyRefusedElsewhere',
  ],
  records: [
    'RecordsShown',
    'ChartsShown',
    'ImportShown',
    'HandedOverShown',
    'HandedOverDiscarded',
    'LogShown',
  ],
  prints: ['RecordsPrinted'],
  exports: ['DataExported', 'RecordsExported'],
  receipts: ['ReceiptsRead'],
  prefills: ['RecordPrefilled'],
};
