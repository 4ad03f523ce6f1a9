import type { Fact } from '../event-log.ts';

/**
 * Where records were shown: a page, or a command of the operator. Stored in the log:
 * a place may be added, never renamed.
 */
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

/** By what a list was narrowed down: the kinds of its filters, never what was looked for. */
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

/** What leaves the registry as a file. */
export const EXPORTS = [
  'import-result',
  'backup',
  'encrypted-backup',
  'access-log',
  'records-json',
  'records-ndjson',
  'records-csv',
  'records-ije',
  /** Of before: the log holds them, and nothing is exported so any more. */
  'records-api',
  'records-command',
  'record-proofs',
] as const;

/** @see EXPORTS */
export type Export = (typeof EXPORTS)[number];

/**
 * What was refused, and where. `copied-passkey`: one that counted fewer uses than it had before, as a
 * copy of it would.
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

/** How the second factors of an account may change. */
export const SECOND_FACTOR_CHANGES = [
  'app-added',
  'app-removed',
  'passkey-added',
  'passkey-removed',
  'codes-made',
  'code-used',
] as const;

/**
 * Why a sign-in by single sign-on was refused. Stored in the log: a reason may be added, never renamed.
 */
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

/** What every event of the access log says, beside the actor of its metadata. */
interface Happened {
  /** ISO 8601 instant at which it happened; the event may come to the log later. */
  readonly at: string;
  /** The practice whose account or records it is about; null: none, or not known. */
  readonly practiceId: string | null;
}

/** Stands for an identity provider that signs somebody out. */
export const SINGLE_SIGN_ON = 'single-sign-on';

/** Second factors of a sign-in; `provider`: the identity provider says that one was shown there. */
export const SIGN_IN_FACTORS = ['app', 'passkey', 'recovery-code', 'provider'] as const;

/** @see SIGN_IN_FACTORS */
export type SignInFactor = (typeof SIGN_IN_FACTORS)[number];

/** A person signed in; the actor says who. */
export type AccountSignedIn = Fact<
  'AccountSignedIn',
  Happened & {
    /** Not by a password. */
    readonly by?: 'single-sign-on';
    /** Absent: none was shown, or the entry is of before this was noted. */
    readonly factor?: SignInFactor;
  }
>;

/** A person signed out; the actor says who. */
export type AccountSignedOut = Fact<'AccountSignedOut', Happened>;

/** A password was not the one of its account. Who typed it is not known. */
export type PasswordRefused = Fact<
  'PasswordRefused',
  Happened & {
    /** The account that it was tried for; null: there is none, and what was typed is kept nowhere. */
    readonly accountId: string | null;
    readonly where: PasswordTriedAt;
  }
>;

/** A person came back from an identity provider, and was not let in. */
export type SingleSignOnRefused = Fact<
  'SingleSignOnRefused',
  Happened & {
    /** The account of the email that the provider vouches for; null: none, or it vouches for none. */
    readonly accountId: string | null;
    readonly why: SingleSignOnRefusal;
  }
>;

/** An account or an address was tried too often: until its window ends no try is let through. */
export type SignInHeldBack = Fact<
  'SignInHeldBack',
  Happened & {
    /** The account of the try that was one too many; null: there is none. */
    readonly accountId: string | null;
    readonly by: 'account' | 'address';
  }
>;

/** The actor signed an account out everywhere. */
export type SessionsEnded = Fact<'SessionsEnded', Happened & { readonly accountId: string }>;

/** What an account signs in with beside its password has changed. The actor is its owner. */
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
    /** Submission uuids; one at least. */
    readonly recordIds: readonly string[];
    /** How a list was narrowed down; empty: it was not. */
    readonly filters: readonly FilterKind[];
  }
>;

/** The actor printed records, as reported by their browser. */
export type RecordsPrinted = Fact<
  'RecordsPrinted',
  Happened & {
    /** The page that was printed. */
    readonly place: PlaceShown;
    /** Submission uuids; one at least. */
    readonly recordIds: readonly string[];
    /** `print-view`: by the Print button. `browser`: by the browser's own command, such as Ctrl+P. */
    readonly by: 'print-view' | 'browser';
  }
>;

/** Records left the registry in a file; `DataExported` notes the file itself, once. */
export type RecordsExported = Fact<
  'RecordsExported',
  Happened & {
    readonly what: Export;
    /** Submission uuids; one at least. */
    readonly recordIds: readonly string[];
    /** The version that each record had in the file, in the same order; absent: the file held no whole records. */
    readonly versions?: readonly number[];
  }
>;

/** What an EHR said of patients was shown, before it is a record of any practice. */
export type ChartsShown = Fact<
  'ChartsShown',
  Happened & {
    /** One for each launch that was shown: nothing of the patient. */
    readonly prefillIds: readonly string[];
  }
>;

/** Rows of a file that another member had checked or imported were shown; what they hold is no record yet. */
export type ImportShown = Fact<
  'ImportShown',
  Happened & {
    readonly importId: string;
    /** Account of the person who had it checked. */
    readonly stagedBy: string;
  }
>;

/** Births that were handed over were shown with what was typed; nothing of it is recorded yet. */
export type HandedOverShown = Fact<
  'HandedOverShown',
  Happened & {
    /** One for each birth that was shown; nothing of what was typed. */
    readonly handedOverIds: readonly string[];
  }
>;

/** A birth that was handed over was discarded with all that was typed: nothing of it was ever recorded. */
export type HandedOverDiscarded = Fact<
  'HandedOverDiscarded',
  Happened & {
    readonly handedOverId: string;
  }
>;

/** The logs that an Admin or an auditor reads. Stored in the log: one may be added, never renamed. */
export const LOGS_SHOWN = ['access-log', 'audit-trail'] as const;

/** A page of a log of the practice was shown to the actor, and named no record: `RecordsShown` tells of those that do. */
export type LogShown = Fact<'LogShown', Happened & { readonly log: (typeof LOGS_SHOWN)[number] }>;

/** Somebody was told what became of submissions: a key, or a member to whom refused records were shown. */
export type ReceiptsRead = Fact<
  'ReceiptsRead',
  Happened & {
    /** One at least. */
    readonly ingestionIds: readonly string[];
    /** Submission uuids of the records that the receipts name. */
    readonly recordIds: readonly string[];
  }
>;

/** A working key was used from an address that is not allowed, and refused. The actor is the key. */
export type KeyRefusedElsewhere = Fact<
  'KeyRefusedElsewhere',
  Happened & {
    /** How many were refused since the last of these. */
    readonly requests: number;
  }
>;

/** A person downloaded data of people as a file. */
export type DataExported = Fact<
  'DataExported',
  Happened & {
    readonly what: Export;
    /** Lines of the file without its header; null for what has none. */
    readonly rows: number | null;
    readonly filters: readonly FilterKind[];
  }
>;

/** Events of the access log: who signed in, and who saw which data of people. */
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
