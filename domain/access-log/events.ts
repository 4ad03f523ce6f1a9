import type { Fact } from '../event-log.ts';

/** Pages and operator commands that show records. Stored in the log: add places, never rename them. */
export const PLACES_SHOWN = [
  'record',
  'record-then',
  'void-form',
  'restore-form',
  'correction',
  'entry',
  'list',
  'births',
  'home',
  'statistics',
  'duplicates',
  'import-check',
  'provider',
  'access-log',
  'record-access',
  'history-command',
  'career-command',
  'access-command',
  'to-do',
  'worksheet',
  'elsewhere',
] as const;

/** @see PLACES_SHOWN */
export type PlaceShown = (typeof PLACES_SHOWN)[number];

/** Kinds of filters on a list. The search text is never logged. */
export const FILTER_KINDS = [
  'words',
  'state',
  'source',
  'duplicates',
  'year',
  'selection',
  'not-exported',
  'since',
  'figure',
] as const;

/** @see FILTER_KINDS */
export type FilterKind = (typeof FILTER_KINDS)[number];

/** Kinds of exported files. */
export const EXPORTS = [
  'import-result',
  'backup',
  'encrypted-backup',
  'access-log',
  'records-json',
  'records-ndjson',
  'records-csv',
  'records-ije',
  /** Legacy exports, still in the log but no longer produced. */
  'records-api',
  'records-command',
  'record-proofs',
] as const;

/** @see EXPORTS */
export type Export = (typeof EXPORTS)[number];

/**
 * Places where a credential can be refused. `copied-passkey`: the use counter of a passkey went backward,
 * which suggests a copy.
 */
export const PASSWORD_TRIED_AT = [
  'sign-in',
  'change-of-password',
  'confirmation',
  'second-factor',
  'copied-passkey',
] as const;

/** @see PASSWORD_TRIED_AT */
export type PasswordTriedAt = (typeof PASSWORD_TRIED_AT)[number];

/** Changes to the second factors of an account. */
export const SECOND_FACTOR_CHANGES = [
  'app-added',
  'app-removed',
  'passkey-added',
  'passkey-removed',
  'codes-made',
  'code-used',
] as const;

/** Reasons for refusing a single sign-on. Stored in the log: add reasons, never rename them. */
export const SINGLE_SIGN_ON_REFUSALS = [
  'declined',
  'unusable-answer',
  'provider-trouble',
  'wrong-token',
  'email-missing',
  'email-not-verified',
  'domain-not-allowed',
  'no-account',
  'practice-has-provider',
  'several-invitations',
  'invitation-refused',
  'another-person',
  'ended-meanwhile',
] as const;

/** @see SINGLE_SIGN_ON_REFUSALS */
export type SingleSignOnRefusal = (typeof SINGLE_SIGN_ON_REFUSALS)[number];

/** Fields of every access log event, in addition to the actor in its metadata. */
interface Happened {
  /** ISO 8601 instant at which it happened; the event may be appended later. */
  readonly at: string;
  /** Practice of the account or records; `null` if there is none or it is unknown. */
  readonly practiceId: string | null;
}

/** Actor id for an identity provider that signs a person out. */
export const SINGLE_SIGN_ON = 'single-sign-on';

/** Second factors of a sign-in; `provider`: the identity provider confirms a second factor. */
export const SIGN_IN_FACTORS = ['app', 'passkey', 'recovery-code', 'provider'] as const;

/** @see SIGN_IN_FACTORS */
export type SignInFactor = (typeof SIGN_IN_FACTORS)[number];

/** The actor signed in. */
export type AccountSignedIn = Fact<
  'AccountSignedIn',
  Happened & {
    /** Absent for a password. */
    readonly by?: 'single-sign-on';
    /** Absent if none was used, or if the entry predates this field. */
    readonly factor?: SignInFactor;
  }
>;

/** The actor signed out. */
export type AccountSignedOut = Fact<'AccountSignedOut', Happened>;

/** A wrong password was entered for an account. The person who typed it is unknown. */
export type PasswordRefused = Fact<
  'PasswordRefused',
  Happened & {
    /** Account of the attempt; `null` if it does not exist. The typed email is not stored. */
    readonly accountId: string | null;
    readonly where: PasswordTriedAt;
  }
>;

/** A person returned from an identity provider and was refused. */
export type SingleSignOnRefused = Fact<
  'SingleSignOnRefused',
  Happened & {
    /** Account of the email that the provider vouches for; `null` if there is no such account or email. */
    readonly accountId: string | null;
    readonly why: SingleSignOnRefusal;
  }
>;

/** An account or address had too many attempts: all of them are refused until the window ends. */
export type SignInHeldBack = Fact<
  'SignInHeldBack',
  Happened & {
    /** Account of the attempt that exceeded the limit; `null` if it does not exist. */
    readonly accountId: string | null;
    readonly by: 'account' | 'address';
  }
>;

/** The actor signed an account out everywhere. */
export type SessionsEnded = Fact<'SessionsEnded', Happened & { readonly accountId: string }>;

/** A second factor of the actor's own account changed. */
export type SecondFactorChanged = Fact<
  'SecondFactorChanged',
  Happened & {
    readonly change: (typeof SECOND_FACTOR_CHANGES)[number];
  }
>;

/** Records were shown to the actor. */
export type RecordsShown = Fact<
  'RecordsShown',
  Happened & {
    readonly place: PlaceShown;
    /** Submission uuids, at least one. */
    readonly recordIds: readonly string[];
    /** Filters of a list; empty if unfiltered. */
    readonly filters: readonly FilterKind[];
  }
>;

/** The actor printed records, as reported by their browser. */
export type RecordsPrinted = Fact<
  'RecordsPrinted',
  Happened & {
    /** The page that was printed. */
    readonly place: PlaceShown;
    /** Submission uuids, at least one. */
    readonly recordIds: readonly string[];
    /** `print-view`: by the Print button. `browser`: by the browser's own command, such as Ctrl+P. */
    readonly by: 'print-view' | 'browser';
  }
>;

/** Records were exported in a file. `DataExported` records the file itself, once. */
export type RecordsExported = Fact<
  'RecordsExported',
  Happened & {
    readonly what: Export;
    /** Submission uuids, at least one. */
    readonly recordIds: readonly string[];
    /** Version of each record in the file, in the same order; absent unless the file contains whole records. */
    readonly versions?: readonly number[];
  }
>;

/** Patient data from an EHR was shown before it became a record of any practice. */
export type ChartsShown = Fact<
  'ChartsShown',
  Happened & {
    /** One per launch; no patient data. */
    readonly prefillIds: readonly string[];
  }
>;

/** Rows of another member's import were shown; they are not records yet. */
export type ImportShown = Fact<
  'ImportShown',
  Happened & {
    readonly importId: string;
    /** Account of the person who staged the import. */
    readonly stagedBy: string;
  }
>;

/** Handed-over births were shown with their form values; none of them are recorded yet. */
export type HandedOverShown = Fact<
  'HandedOverShown',
  Happened & {
    /** One per birth; no form values. */
    readonly handedOverIds: readonly string[];
  }
>;

/** A handed-over birth was discarded with its form values, which were never recorded. */
export type HandedOverDiscarded = Fact<
  'HandedOverDiscarded',
  Happened & {
    readonly handedOverId: string;
  }
>;

/** Logs that an Admin or an auditor can read. Stored in the log: add logs, never rename them. */
export const LOGS_SHOWN = ['access-log', 'audit-trail'] as const;

/** A page of a practice's log that names no records was shown. `RecordsShown` covers pages that do. */
export type LogShown = Fact<'LogShown', Happened & { readonly log: (typeof LOGS_SHOWN)[number] }>;

/** Receipts were read by a key, or by a member viewing refused records. */
export type ReceiptsRead = Fact<
  'ReceiptsRead',
  Happened & {
    /** At least one. */
    readonly ingestionIds: readonly string[];
    /** Submission uuids of the records that the receipts name. */
    readonly recordIds: readonly string[];
  }
>;

/** A valid key was refused because the client's address is not allowed. The actor is the key. */
export type KeyRefusedElsewhere = Fact<
  'KeyRefusedElsewhere',
  Happened & {
    /** Requests refused since the last such event. */
    readonly requests: number;
  }
>;

/** A person exported personal data as a file. */
export type DataExported = Fact<
  'DataExported',
  Happened & {
    readonly what: Export;
    /** Lines of the file without its header; `null` if the file has no lines. */
    readonly rows: number | null;
    readonly filters: readonly FilterKind[];
  }
>;

/** Events of the access log: sign-ins, and access to personal data. */
export type AccessEvent =
  | AccountSignedIn
  | AccountSignedOut
  | PasswordRefused
  | SingleSignOnRefused
  | SignInHeldBack
  | SessionsEnded
  | SecondFactorChanged
  | RecordsShown
  | RecordsPrinted
  | ChartsShown
  | ImportShown
  | HandedOverShown
  | HandedOverDiscarded
  | LogShown
  | ReceiptsRead
  | KeyRefusedElsewhere
  | DataExported
  | RecordsExported;
