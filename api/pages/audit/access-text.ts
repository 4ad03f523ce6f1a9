import {
  type AccessPlace,
  type Export,
  type FilterKind,
  SIGN_IN_FACTORS,
  SINGLE_SIGN_ON,
  type SignInFactor,
  type SingleSignOnRefusal,
} from '../../../domain/access-log/events.ts';
import { countInWords } from '../../../domain/format-measures.ts';
import type { AccessEntry, AccessKind } from '../../../projections/lists/access.ts';
import { displayNameWithEmail } from '../../../projections/lists/people-names.ts';
import type { AccessAction } from '../../access-log/purpose.ts';
import { UNNAMED_OPERATOR } from '../../commands/command-context.ts';
import type { Choice } from '../layout/select-field.tsx';
import { type Audience, actorNameCapitalized } from '../text/actor-name.ts';

export const PLACE_WORDS: Readonly<Record<AccessPlace, string>> = {
  record: 'Opened a record',
  'record-then': 'Opened a record as it was before',
  'void-form': 'Opened the form that voids a record',
  'restore-form': 'Opened the form that restores a record',
  correction: 'Opened the form that corrects a record',
  entry: 'Saw a possible duplicate of a new birth',
  list: 'Listed records',
  births: 'Viewed the births log',
  home: 'Viewed the home page',
  statistics: 'Listed the records behind a statistic',
  duplicates: 'Compared possible duplicates',
  'import-check': 'Checked a file against records',
  provider: 'Viewed the births of a provider',
  'access-log': 'Viewed the access log',
  'record-access': 'Viewed who saw a record',
  'history-command': 'Read the history of a record',
  'career-command': 'Read the births of a provider',
  'access-command': 'Listed who saw a record',
  'to-do': 'Viewed the to-do list',
  worksheet: 'Opened the worksheet of a record',
  elsewhere: 'Saw a page that names a record',
};

const PRINTED: Readonly<Record<AccessPlace, string>> = {
  record: 'a record',
  'record-then': 'a record as it was before',
  'void-form': 'the form that voids a record',
  'restore-form': 'the form that restores a record',
  correction: 'the form that corrects a record',
  entry: 'a question about a new birth, with its possible duplicate',
  list: 'a list of records',
  births: 'the births log',
  home: 'the home page',
  statistics: 'the records behind a statistic',
  duplicates: 'possible duplicates',
  'import-check': 'the check of a file',
  provider: 'the births of a provider',
  'access-log': 'the access log',
  'record-access': 'who saw a record',
  'history-command': 'the history of a record',
  'career-command': 'the births of a provider',
  'access-command': 'who saw a record',
  'to-do': 'the to-do list',
  worksheet: 'the worksheet of a record',
  elsewhere: 'a page that names a record',
};

const FILTERS: Readonly<Record<FilterKind, string>> = {
  words: 'a name or number',
  state: 'their state',
  source: 'their source',
  duplicates: 'possible duplicates',
  year: 'the year of birth',
  selection: 'a selection',
  'not-exported': 'what changed since the last export',
  since: 'the time of the last change',
  figure: 'a statistic',
};

export const EXPORT_WORDS: Readonly<Record<Export, string>> = {
  'import-result': 'Downloaded the result of an import',
  backup: 'Made a backup of the whole registry',
  'encrypted-backup': 'Made an encrypted backup of the whole registry',
  'access-log': 'Downloaded the access log',
  'records-json': 'Exported records as a FHIR Bundle',
  'records-ndjson': 'Exported records as NDJSON',
  'records-csv': 'Exported records as CSV',
  'records-ije': 'Exported records as a state file (IJE)',
  'records-api': 'Exported records through the API',
  'records-command': 'Exported records with a command of the operator',
  'record-proofs': 'Downloaded the proofs of a record',
};

export const KIND_CHOICES: readonly (Choice & { readonly value: AccessKind })[] = [
  { value: 'sign-ins', text: 'Signing in and out' },
  { value: 'records', text: 'Records shown' },
  { value: 'prints', text: 'Records printed' },
  { value: 'exports', text: 'Downloads' },
  { value: 'receipts', text: 'Receipts read with a key' },
  { value: 'prefills', text: 'Pre-fills saved' },
];

/** Kinds of access to a record in a summary: "printed 2 times". */
export const ACTION_WORDS: Readonly<Record<AccessAction, string>> = {
  viewed: 'viewed',
  listed: 'in a list',
  printed: 'printed',
  exported: 'in a file',
  receipt: 'in an API receipt',
  prefilled: 'pre-filled',
  'chart-viewed': 'chart viewed before it was saved',
  'import-viewed': 'import viewed',
  'handed-over-viewed': 'birth sent for review viewed',
  'handed-over-discarded': 'birth sent for review discarded',
  'log-viewed': 'log viewed',
  account: 'account',
};

export const FACTOR_CHANGES = {
  'app-added': 'Set up an authenticator app',
  'app-removed': 'Removed the authenticator app',
  'passkey-added': 'Added a passkey',
  'passkey-removed': 'Removed a passkey',
  'codes-made': 'Made new recovery codes',
  'code-used': 'Used a recovery code',
} as const;

const REFUSAL_TEXTS: Readonly<Record<SingleSignOnRefusal, string>> = {
  declined: 'the provider declined',
  'unusable-answer': 'the provider’s answer could not be used',
  'provider-trouble': 'the provider’s answer was wrong',
  'wrong-token': 'the provider’s token was not for this sign-in',
  'email-missing': 'the provider sent no email',
  'email-not-verified': 'the provider has not verified the email',
  'domain-not-allowed': 'the domain of the email is not allowed',
  'no-account': 'the email has no account or invitation that the provider may open',
  'practice-has-provider': 'the practice has a provider of its own',
  'several-invitations': 'several practices have invited the person',
  'invitation-refused': 'the invitation could not be accepted',
  'another-person': 'the account belongs to another person at the provider',
  'ended-meanwhile': 'the account was changed or signed out in the meantime',
};

export const HANDED_OVER_VIEWED = 'Viewed births that a Scribe sent for review';

export const AUDIT_TRAIL_VIEWED = 'Viewed the audit trail';

/** Log wording for discarding handed-over input without creating a record. */
export const HANDED_OVER_DISCARDED = 'Discarded a birth that a Scribe sent for review';

export const CHART_VIEWED = 'Viewed what an EHR said about a patient';

/** Log wording for a signed-in person who failed to re-enter the account's password. */
export const WRONG_CONFIRMATION = 'Entered a wrong password to confirm their identity';

/** Sentence for an entry, without the period. */
export const formatAccess = (entry: AccessEntry): string => {
  switch (entry.type) {
    case 'AccountSignedIn':
      return describeSignIn(entry.detail?.split(' ') ?? []);
    case 'AccountSignedOut':
      return 'Signed out';
    case 'PasswordRefused':
      if (entry.detail === 'second-factor')
        return `Entered a wrong second factor for ${formatAttempt(entry)}, after the right password`;
      if (entry.detail === 'copied-passkey') return describeCopiedPasskey(formatAttempt(entry));
      if (entry.detail === 'confirmation') return WRONG_CONFIRMATION;
      return entry.detail === 'change-of-password'
        ? 'Entered a wrong current password to choose a new one'
        : `Entered a wrong password for ${formatAttempt(entry)}`;
    case 'SingleSignOnRefused':
      return `Was refused by single sign-on${entry.tried === null ? '' : ` as ${formatAttempt(entry)}`}: ${
        REFUSAL_TEXTS[entry.detail as SingleSignOnRefusal]
      }`;
    case 'SignInHeldBack':
      return entry.detail === 'account'
        ? `Too many attempts: ${formatAttempt(entry)} was locked out temporarily`
        : `Too many attempts from one place, the last for ${formatAttempt(entry)}: locked out temporarily`;
    case 'SecondFactorChanged':
      return (
        (FACTOR_CHANGES as Readonly<Record<string, string>>)[entry.detail ?? ''] ??
        'Changed their second factor'
      );
    case 'SessionsEnded':
      return `Signed ${formatAttempt(entry)} out everywhere`;
    case 'RecordsShown':
      return `${formatPlace(entry.place)}${formatFilter(entry.filters)}`;
    case 'RecordsPrinted':
      return `${describePrint(entry.place)}${
        entry.detail === 'browser' ? ', with the browser’s own command' : ''
      }`;
    case 'RecordPrefilled':
      return describePrefill(entry.detail);
    case 'RecordsExported':
      return describeExport(entry.exported);
    case 'ChartsShown':
      return CHART_VIEWED;
    case 'ImportShown':
      return 'Viewed rows of a file that another member checked or imported';
    case 'HandedOverShown':
      return HANDED_OVER_VIEWED;
    case 'HandedOverDiscarded':
      return HANDED_OVER_DISCARDED;
    case 'LogShown':
      return entry.detail === 'audit-trail' ? AUDIT_TRAIL_VIEWED : PLACE_WORDS['access-log'];
    case 'ReceiptsRead':
      return describeReceipts(entry.rows ?? 0);
    case 'KeyRefusedElsewhere':
      return `Was refused, because it was used from an address that is not allowed: ${countInWords(entry.rows ?? 1, 'request')}`;
    case 'DataExported':
      return `${formatFile(entry.exported)}${
        entry.rows === null ? '' : `, ${countInWords(entry.rows, 'row')}`
      }${formatFilter(entry.filters)}`;
  }
};

/** @param place `null` if unknown */
export const describePrint = (place: AccessPlace | null): string =>
  `Printed ${place === null ? 'records' : PRINTED[place]}`;

/** @param ehr `null` if unknown */
export const describePrefill = (ehr: string | null): string =>
  `Saved a pre-fill from an EHR${ehr === null ? '' : `: ${ehr}`}`;

export const describeExport = (exported: Export | null): string =>
  `${formatFile(exported)}, with this record in it`;

export const describeReceipts = (count: number): string => `Read ${countInWords(count, 'receipt')}`;

const SIGN_IN_FACTOR_WORDS: Readonly<Record<SignInFactor, string>> = {
  app: 'code of an authenticator app',
  passkey: 'passkey',
  'recovery-code': 'recovery code',
  provider: 'second factor at the provider',
};

/** @param tried owner of the passkey */
export const describeCopiedPasskey = (tried: string): string =>
  `Used a passkey of ${tried} that may be a copy, after the right password`;

/** @param ways methods used */
export const describeSignIn = (ways: readonly string[]): string => {
  const factor = SIGN_IN_FACTORS.find((kind) => ways.includes(kind));
  return [
    ways.includes('single-sign-on') ? 'Signed in with single sign-on' : 'Signed in',
    ...(factor === undefined ? [] : [`(${SIGN_IN_FACTOR_WORDS[factor]})`]),
  ].join(' ');
};

const formatFile = (exported: Export | null): string =>
  exported === null ? 'Downloaded a file' : EXPORT_WORDS[exported];

/** Person or service that acted. A person known only by their typed input has no name. */
export const formatSubject = (
  { by, keyName }: Pick<AccessEntry, 'by' | 'keyName'>,
  audience: Audience,
): string => {
  if (by.kind === 'service')
    return by.id === SINGLE_SIGN_ON ? 'The identity provider' : 'Someone not signed in';
  if (by.kind === 'operator' && by.id !== UNNAMED_OPERATOR)
    return `${by.id}, operator of the service`;
  if (by.kind === 'key') return `The key ${keyName ?? by.id}`;
  return actorNameCapitalized(by, audience);
};

const formatPlace = (place: AccessPlace | null): string =>
  place === null ? 'Saw records' : PLACE_WORDS[place];

const formatAttempt = ({ tried }: AccessEntry): string =>
  tried === null ? 'an unknown account' : displayNameWithEmail(tried);

const formatFilter = (filters: readonly FilterKind[]): string =>
  filters.length === 0 ? '' : `, filtered by ${LIST.format(filters.map((kind) => FILTERS[kind]))}`;

const LIST = new Intl.ListFormat('en-US');
