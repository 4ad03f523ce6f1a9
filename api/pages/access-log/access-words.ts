import type { Export, FilterKind, PlaceShown } from '../../../domain/access-log/events.ts';
import type { AccessEntry, AccessKind } from '../../../projections/access-entries.ts';
import { personInWords } from '../../../projections/people-names.ts';
import { type Audience, doerFirst } from '../audit/doer-words.ts';
import type { Choice } from '../frame/select-field.tsx';
import { countInWords } from '../words/measures-in-words.ts';

const PLACES: Readonly<Record<PlaceShown, string>> = {
  record: 'Opened a record',
  'record-then': 'Opened a record as it was before',
  'void-form': 'Opened the form that voids a record',
  correction: 'Opened the form that corrects a record',
  entry: 'Saw a record that a new birth looked like',
  list: 'Listed records',
  births: 'Looked at the births log',
  home: 'Looked at the home page',
  duplicates: 'Compared suspected duplicates',
  'import-check': 'Checked a file against records',
  provider: 'Looked at the births of a provider',
  'access-log': 'Looked at the access log',
  'history-command': 'Read the history of a record',
  'career-command': 'Read the births of a provider',
};

const FILTERS: Readonly<Record<FilterKind, string>> = {
  words: 'a name or number',
  state: 'their state',
  source: 'how they came',
  duplicates: 'suspected duplicates',
  year: 'the year of birth',
};

const EXPORTED: Readonly<Record<Export, string>> = {
  'import-result': 'Downloaded the result of an import',
  backup: 'Made a copy of the whole registry',
};

/** What the log can be narrowed down to, as a filter offers it. */
export const KIND_CHOICES: readonly (Choice & { readonly value: AccessKind })[] = [
  { value: 'sign-ins', text: 'Signing in and out' },
  { value: 'records', text: 'Records shown' },
  { value: 'exports', text: 'Files taken away' },
  { value: 'receipts', text: 'Receipts read with a key' },
];

const FACTOR_CHANGES: Readonly<Record<string, string>> = {
  'app-added': 'Set up an authenticator app',
  'app-removed': 'Removed the authenticator app',
  'codes-made': 'Made new recovery codes',
  'code-used': 'Signed in with a recovery code',
};

/** What an entry tells, in a sentence without its end. */
export const accessWords = (entry: AccessEntry): string => {
  switch (entry.type) {
    case 'AccountSignedIn':
      return 'Signed in';
    case 'AccountSignedOut':
      return 'Signed out';
    case 'PasswordRefused':
      if (entry.detail === 'second-factor')
        return `Typed a wrong code for ${triedWords(entry)}, after the right password`;
      return entry.detail === 'change-of-password'
        ? 'Typed a wrong old password to choose a new one'
        : `Typed a wrong password for ${triedWords(entry)}`;
    case 'SignInHeldBack':
      return entry.detail === 'account'
        ? `Too many tries: ${triedWords(entry)} was held back for a while`
        : `Too many tries from one place, the last for ${triedWords(entry)}: held back for a while`;
    case 'SecondFactorChanged':
      return FACTOR_CHANGES[entry.detail ?? ''] ?? 'Changed their second factor';
    case 'SessionsEnded':
      return `Signed ${triedWords(entry)} out everywhere`;
    case 'RecordsShown':
      return `${placeWords(entry.place)}${filterWords(entry.filters)}`;
    case 'ChartsShown':
      return 'Looked at what an EHR said of a patient';
    case 'ImportShown':
      return 'Looked at rows of a file that another member had checked or imported';
    case 'ReceiptsRead':
      return `Read ${countInWords(entry.rows ?? 0, 'receipt')}`;
    case 'DataExported':
      return `${entry.exported === null ? 'Took a file' : EXPORTED[entry.exported]}${
        entry.rows === null ? '' : `, ${countInWords(entry.rows, 'row')}`
      }${filterWords(entry.filters)}`;
  }
};

/** Who did it; a person known only by what they typed has no name. */
export const whoWords = ({ by, keyName }: AccessEntry, audience: Audience): string => {
  if (by.kind === 'service') return 'Someone not signed in';
  if (by.kind === 'key') return `The key ${keyName ?? by.id}`;
  return doerFirst(by, audience);
};

const placeWords = (place: PlaceShown | null): string =>
  place === null ? 'Saw records' : PLACES[place];

const triedWords = ({ tried }: AccessEntry): string =>
  tried === null ? 'an account that there is not' : personInWords(tried);

const filterWords = (filters: readonly FilterKind[]): string =>
  filters.length === 0
    ? ''
    : `, narrowed down by ${LIST.format(filters.map((kind) => FILTERS[kind]))}`;

const LIST = new Intl.ListFormat('en-US');
