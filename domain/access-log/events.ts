import { defineEvents, type InferEvent } from '../define-events.ts';
import {
  array,
  count,
  type Infer,
  instant,
  literal,
  nullable,
  object,
  ordinal,
  text,
  uuid,
} from '../schema.ts';

/** Pages and operator commands that show records. Stored in the log: add places, never rename them. */
export const ACCESS_PLACES = [
  'record',
  // A record as of an earlier moment.
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

/** @see ACCESS_PLACES */
export type AccessPlace = (typeof ACCESS_PLACES)[number];

const accessPlace = literal(...ACCESS_PLACES);

/** Kinds of filters on a list. The search text is never logged. */
const filterKind = literal(
  'words',
  'state',
  'source',
  'duplicates',
  'year',
  'selection',
  'not-exported',
  'since',
  'figure',
);

export type FilterKind = Infer<typeof filterKind>;

/** Kinds of exported files. */
const exportKind = literal(
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
);

export type Export = Infer<typeof exportKind>;

/**
 * Places where a credential can be refused. `copied-passkey`: the use counter of a passkey went backward,
 * which suggests a copy.
 */
const passwordTriedAt = literal(
  'sign-in',
  'change-of-password',
  'confirmation',
  'second-factor',
  'copied-passkey',
);

export type PasswordTriedAt = Infer<typeof passwordTriedAt>;

/** Reasons for refusing a single sign-on. Stored in the log: add reasons, never rename them. */
const singleSignOnRefusal = literal(
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
);

export type SingleSignOnRefusal = Infer<typeof singleSignOnRefusal>;

/** Actor id for an identity provider that signs a person out. */
export const SINGLE_SIGN_ON = 'single-sign-on';

/** Second factors of a sign-in; `provider`: the identity provider confirms a second factor. */
export const SIGN_IN_FACTORS = ['app', 'passkey', 'recovery-code', 'provider'] as const;

/** @see SIGN_IN_FACTORS */
export type SignInFactor = (typeof SIGN_IN_FACTORS)[number];

const filters = array(filterKind);

/** Submission uuids. */
const recordIds = { ...array(uuid), minItems: 1 };

/** Properties of every access log event, in addition to the actor in its metadata. */
const accessed = {
  /** Time at which it happened; the event may be appended later. */
  at: instant,
  /** Practice of the account or records; `null` if there is none or it is unknown. */
  practiceId: nullable(text),
};

/** Events of the access log: sign-ins, and access to personal data. */
export const ACCESS_EVENTS = defineEvents('access', {
  /** The actor signed in. */
  AccountSignedIn: object(accessed, {
    /** Absent for a password. */
    by: literal('single-sign-on'),
    /** Absent if none was used, or if the entry predates this field. */
    factor: literal(...SIGN_IN_FACTORS),
  }),

  /** The actor signed out. */
  AccountSignedOut: object(accessed),

  /** A wrong password was entered for an account. The person who typed it is unknown. */
  PasswordRefused: object({
    ...accessed,
    /** Account of the attempt; `null` if it does not exist. The typed email is not stored. */
    accountId: nullable(text),
    where: passwordTriedAt,
  }),

  /** A person returned from an identity provider and was refused. */
  SingleSignOnRefused: object({
    ...accessed,
    /** Account of the email that the provider vouches for; `null` if there is no such account or email. */
    accountId: nullable(text),
    why: singleSignOnRefusal,
  }),

  /** An account or address had too many attempts: all of them are refused until the window ends. */
  SignInHeldBack: object({
    ...accessed,
    /** Account of the attempt that exceeded the limit; `null` if it does not exist. */
    accountId: nullable(text),
    by: literal('account', 'address'),
  }),

  /** The actor signed an account out everywhere. */
  SessionsEnded: object({ ...accessed, accountId: text }),

  /** A second factor of the actor's own account changed. */
  SecondFactorChanged: object({
    ...accessed,
    change: literal(
      'app-added',
      'app-removed',
      'passkey-added',
      'passkey-removed',
      'codes-made',
      'code-used',
    ),
  }),

  /** Records were shown to the actor. */
  RecordsShown: object({
    ...accessed,
    place: accessPlace,
    recordIds,
    /** Filters of a list; empty if unfiltered. */
    filters,
  }),

  /** The actor printed records, as reported by their browser. */
  RecordsPrinted: object({
    ...accessed,
    /** The page that was printed. */
    place: accessPlace,
    recordIds,
    /** `print-view`: by the Print button. `browser`: by the browser's own command, such as Ctrl+P. */
    by: literal('print-view', 'browser'),
  }),

  /** Patient data from an EHR was shown before it became a record of any practice. */
  ChartsShown: object({
    ...accessed,
    /** One per launch; no patient data. */
    prefillIds: { ...array(text), minItems: 1 },
  }),

  /** Rows of another member's import were shown; they are not records yet. */
  ImportShown: object({
    ...accessed,
    importId: text,
    /** Account of the person who staged the import. */
    stagedBy: text,
  }),

  /** Handed-over births were shown with their form values; none of them are recorded yet. */
  HandedOverShown: object({
    ...accessed,
    /** One per birth; no form values. */
    handedOverIds: { ...array(text), minItems: 1 },
  }),

  /** A handed-over birth was discarded with its form values, which were never recorded. */
  HandedOverDiscarded: object({ ...accessed, handedOverId: text }),

  /** A page of a practice's log that names no records was shown. `RecordsShown` covers pages that do. */
  LogShown: object({
    ...accessed,
    /** Logs that an Admin or an auditor can read. Stored in the log: add logs, never rename them. */
    log: literal('access-log', 'audit-trail'),
  }),

  /** Receipts were read by a key, or by a member viewing refused records. */
  ReceiptsRead: object({
    ...accessed,
    ingestionIds: { ...array(text), minItems: 1 },
    /** Submission uuids of the records that the receipts name. */
    recordIds: array(uuid),
  }),

  /** A valid key was refused because the client's address is not allowed. The actor is the key. */
  KeyRefusedElsewhere: object({
    ...accessed,
    /** Requests refused since the last such event. */
    requests: count,
  }),

  /** A person exported personal data as a file. */
  DataExported: object({
    ...accessed,
    what: exportKind,
    /** Lines of the file without its header; `null` if the file has no lines. */
    rows: nullable(count),
    filters,
  }),

  /** Records were exported in a file. `DataExported` records the file itself, once. */
  RecordsExported: object(
    { ...accessed, what: exportKind, recordIds },
    {
      /** Version of each record in the file, in the same order; absent unless the file contains whole records. */
      versions: array(ordinal),
    },
  ),
});

type Events = typeof ACCESS_EVENTS;
export type AccessEvent<Type extends keyof Events = keyof Events> = InferEvent<Events, Type>;
