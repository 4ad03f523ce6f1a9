import type { ListedAccess, ListedRecordAccess } from '../../../api/access-log/list-access.ts';
import { UNUSUAL_WORDS } from '../../../api/access-log/purpose.ts';
import { ACTION_WORDS, formatAccess } from '../../../api/pages/audit/access-text.ts';
import type { CareerEntry, ListedProvider } from '../../../domain/provider/ports.ts';
import type { ListedKey, ListedMember, ListedStaff } from '../../../projections/lists/accounts.ts';
import type { ListedPartner, ListedPractice } from '../../../projections/lists/organizations.ts';
import { displayNameWithEmail } from '../../../projections/lists/people-names.ts';
import type { Style } from './style.ts';
import { createTable, momentInUtc } from './tables.ts';

const formatMomentOrNever = (at: Date | null): string => (at === null ? 'never' : momentInUtc(at));

const describeKeyState = (revokedAt: Date | null, endsAt: Date | null): string => {
  if (revokedAt !== null) return `revoked ${momentInUtc(revokedAt)} UTC`;
  return endsAt === null ? 'live' : `until ${momentInUtc(endsAt)} UTC`;
};

const formatYesNo = (value: boolean): string => (value ? 'yes' : 'no');

export const practiceTable = createTable<ListedPractice>(
  'There is no such practice. `practice create` sets one up.',
  {
    Name: ({ name }) => name,
    Id: ({ practiceId }) => practiceId,
    Sandbox: ({ sandbox }) => formatYesNo(sandbox),
    Beta: ({ beta }) => formatYesNo(beta),
    'Time zone': ({ timeZone }) => timeZone,
    Members: ({ members }) => members,
    'Live keys': ({ liveKeys }) => liveKeys,
  },
);

export const memberTable = createTable<ListedMember>(
  'This practice has no members yet. `member add` adds one.',
  {
    Email: ({ email }) => email,
    Name: ({ name }) => name,
    Role: ({ role, isAuditor }) => (isAuditor ? `${role}, auditor` : role),
    State: ({ status }) => status,
    'Since (UTC)': ({ since }) => momentInUtc(since),
    'Last sign-in (UTC)': ({ lastSignInAt }) => formatMomentOrNever(lastSignInAt),
    Id: ({ memberId }) => memberId,
  },
);

/** Service staff, former ones last. */
export const staffTable = createTable<ListedStaff>(
  'There is no service staff. `staff add` adds a person.',
  {
    Email: ({ email }) => email,
    Name: ({ name }) => name,
    Account: ({ status }) => status,
    'Second factor': ({ secondFactor }) => secondFactor.join(', ') || 'none',
    'Last sign-in (UTC)': ({ lastSignInAt }) => formatMomentOrNever(lastSignInAt),
    Id: ({ staffId }) => staffId,
  },
);

export const keyTable = createTable<ListedKey>(
  'There is no key. `key mint` or `partner mint-key` mints one.',
  {
    Id: ({ keyId }) => keyId,
    Name: ({ name }) => name,
    'Token ends in': ({ lastFour }) => lastFour,
    Practice: ({ practiceName }) => practiceName,
    Partner: ({ partnerName }) => partnerName,
    Scopes: ({ scopes }) => scopes.join(', ') || 'none',
    'Minted (UTC)': ({ mintedAt }) => momentInUtc(mintedAt),
    'Last used (UTC)': ({ lastUsedAt }) => formatMomentOrNever(lastUsedAt),
    From: ({ lastUsedFrom }) => lastUsedFrom,
    'Works from': ({ addresses }) => addresses.join(', ') || 'everywhere',
    Replays: ({ replays }) => replays,
    State: ({ revokedAt, endsAt }) => describeKeyState(revokedAt, endsAt),
  },
);

export const partnerTable = createTable<ListedPartner>(
  'There is no partner. `partner create` sets one up.',
  {
    Name: ({ name }) => name,
    Id: ({ partnerId }) => partnerId,
    Beta: ({ beta }) => formatYesNo(beta),
    Contract: ({ contract }) => contract,
    'Live keys': ({ liveKeys }) => liveKeys,
  },
);

export const providerTable = createTable<ListedProvider>(
  'No partner has named a provider of this practice yet.',
  {
    Name: ({ name }) => name,
    Credentials: ({ credentials }) => credentials,
    Role: ({ role }) => role,
    NPI: ({ npi }) => npi,
    'Id at the partner': ({ identity }) => identity,
    Id: ({ providerId }) => providerId,
    'Merged into': ({ mergedInto }) => mergedInto,
  },
);

/** Births that a provider attended or certified, including those that an amendment reassigned. */
export const careerTable = createTable<CareerEntry>('No live record names this provider.', {
  'Recorded (UTC)': ({ at }) => momentInUtc(new Date(at)),
  Part: ({ part }) => (part === 'attendant' ? 'attended' : 'certified'),
  'Replaced (UTC)': ({ replacedAt }) =>
    replacedAt === undefined ? null : momentInUtc(new Date(replacedAt)),
  'Chart number': ({ chartNumber }) => chartNumber,
  'Place of birth': ({ placeOfBirth }) => placeOfBirth,
  Record: ({ submissionUuid }) => submissionUuid,
  'Named as': ({ via }) => via,
});

type Entry = ListedAccess['entries'][number];
type Summary = ListedRecordAccess['summary'][number];

/** Actor: a person, or else a key, a command, or a part of the service. */
const formatActor = ({ actor, keyName }: Pick<Entry, 'actor' | 'keyName'>): string => {
  const { kind, id, email, name } = actor;
  if (email !== null) return displayNameWithEmail({ email, name });
  if (kind === 'service') return 'not signed in';
  return keyName === null ? `${kind} ${id}` : `key ${keyName}`;
};

const formatAction = (entry: Entry): string =>
  formatAccess({
    ...entry,
    entryId: '',
    at: new Date(entry.at),
    by: entry.actor,
    records: [],
    tried: entry.accountId === null ? null : { email: `account ${entry.accountId}`, name: null },
  });

/** Id of a single record, or the number of records. */
const formatRecords = ({ recordIds }: Entry): string | number | null => {
  const [first, ...others] = recordIds;
  return first !== undefined && others.length === 0 ? first : recordIds.length || null;
};

const formatUnusual = ({ unusual, letInByStaff }: Entry): string =>
  [
    ...unusual.map((mark) => UNUSUAL_WORDS[mark]),
    ...(letInByStaff ? ['emergency access'] : []),
  ].join('; ');

const summaryTable = createTable<Summary>('No one.', {
  Who: formatActor,
  How: ({ ways }) => ways.map(({ way, times }) => `${ACTION_WORDS[way]} ${times}`).join(', '),
  'First (UTC)': ({ first }) => momentInUtc(new Date(first)),
  'Last (UTC)': ({ last }) => momentInUtc(new Date(last)),
});

/** Sign-ins, record views, and downloads, latest first; for one record, also totals. */
export const accessTable = (list: ListedAccess | ListedRecordAccess, style: Style): string => {
  const isOfRecord = 'summary' in list;
  return [
    ...(isOfRecord ? [summaryTable(list.summary, style), ''] : []),
    createTable<Entry>('There is no such entry.', {
      'When (UTC)': ({ at }) => momentInUtc(new Date(at)),
      Who: formatActor,
      What: formatAction,
      ...(isOfRecord ? { Purpose: ({ purpose }) => purpose } : { Records: formatRecords }),
      Unusual: formatUnusual,
    })(list.entries, style),
    ...(list.isMore
      ? [style.bad('There are older entries than these. Ask for a period by --since and --until.')]
      : []),
  ].join('\n');
};
