import type { ListedAccess, ListedRecordAccess } from '../../../api/access-log/list-access.ts';
import { UNUSUAL_WORDS } from '../../../api/access-log/purpose.ts';
import { formatAccess, WAY_WORDS } from '../../../api/pages/audit/access-text.ts';
import type { CareerEntry, ListedProvider } from '../../../domain/provider/ports.ts';
import type { ListedKey, ListedMember, ListedStaff } from '../../../projections/lists/accounts.ts';
import type { ListedPartner, ListedPractice } from '../../../projections/lists/organizations.ts';
import { displayNameWithEmail } from '../../../projections/lists/people-names.ts';
import type { Style } from './style.ts';
import { momentInUtc, tableOf } from './tables.ts';

const momentOrNever = (at: Date | null): string => (at === null ? 'never' : momentInUtc(at));

const stateOfKey = (revokedAt: Date | null, endsAt: Date | null): string => {
  if (revokedAt !== null) return `revoked ${momentInUtc(revokedAt)} UTC`;
  return endsAt === null ? 'live' : `until ${momentInUtc(endsAt)} UTC`;
};

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no');

/** Table of practices, with the columns that staff need most first. */
export const practiceTable = (practices: readonly ListedPractice[], style: Style): string =>
  tableOf(
    [
      { heading: 'Name', cell: ({ name }) => name },
      { heading: 'Id', cell: ({ practiceId }) => practiceId },
      { heading: 'Sandbox', cell: ({ sandbox }) => yesOrNo(sandbox) },
      { heading: 'Beta', cell: ({ beta }) => yesOrNo(beta) },
      { heading: 'Time zone', cell: ({ timeZone }) => timeZone },
      { heading: 'Members', cell: ({ members }) => members, isFigure: true },
      { heading: 'Live keys', cell: ({ liveKeys }) => liveKeys, isFigure: true },
    ],
    practices,
    style,
    'There is no such practice. `practice create` sets one up.',
  );

/** Members of a practice. */
export const memberTable = (members: readonly ListedMember[], style: Style): string =>
  tableOf(
    [
      { heading: 'Email', cell: ({ email }) => email },
      { heading: 'Name', cell: ({ name }) => name },
      { heading: 'Role', cell: ({ role, isAuditor }) => (isAuditor ? `${role}, auditor` : role) },
      { heading: 'State', cell: ({ status }) => status },
      { heading: 'Since (UTC)', cell: ({ since }) => momentInUtc(since) },
      { heading: 'Last sign-in (UTC)', cell: ({ lastSignInAt }) => momentOrNever(lastSignInAt) },
      { heading: 'Id', cell: ({ memberId }) => memberId },
    ],
    members,
    style,
    'This practice has no members yet. `member add` adds one.',
  );

/** Service staff, former ones last. */
export const staffTable = (staff: readonly ListedStaff[], style: Style): string =>
  tableOf(
    [
      { heading: 'Email', cell: ({ email }) => email },
      { heading: 'Name', cell: ({ name }) => name },
      { heading: 'Account', cell: ({ status }) => status },
      { heading: 'Second factor', cell: ({ secondFactor }) => secondFactor.join(', ') || 'none' },
      { heading: 'Last sign-in (UTC)', cell: ({ lastSignInAt }) => momentOrNever(lastSignInAt) },
      { heading: 'Id', cell: ({ staffId }) => staffId },
    ],
    staff,
    style,
    'There is no service staff. `staff add` adds a person.',
  );

/** Keys of a practice or partner; tokens are not stored. */
export const keyTable = (keys: readonly ListedKey[], style: Style): string =>
  tableOf(
    [
      { heading: 'Id', cell: ({ keyId }) => keyId },
      { heading: 'Name', cell: ({ name }) => name },
      { heading: 'Token ends in', cell: ({ lastFour }) => lastFour },
      { heading: 'Practice', cell: ({ practiceName }) => practiceName },
      { heading: 'Partner', cell: ({ partnerName }) => partnerName },
      { heading: 'Scopes', cell: ({ scopes }) => scopes.join(', ') || 'none' },
      { heading: 'Minted (UTC)', cell: ({ mintedAt }) => momentInUtc(mintedAt) },
      {
        heading: 'Last used (UTC)',
        cell: ({ lastUsedAt }) => momentOrNever(lastUsedAt),
      },
      { heading: 'From', cell: ({ lastUsedFrom }) => lastUsedFrom },
      {
        heading: 'Works from',
        cell: ({ addresses }) => addresses.join(', ') || 'everywhere',
      },
      { heading: 'Replays', cell: ({ replays }) => replays, isFigure: true },
      {
        heading: 'State',
        cell: ({ revokedAt, endsAt }) => stateOfKey(revokedAt, endsAt),
      },
    ],
    keys,
    style,
    'There is no key. `key mint` or `partner mint-key` mints one.',
  );

/** Partners with their beta and contract status. */
export const partnerTable = (partners: readonly ListedPartner[], style: Style): string =>
  tableOf(
    [
      { heading: 'Name', cell: ({ name }) => name },
      { heading: 'Id', cell: ({ partnerId }) => partnerId },
      { heading: 'Beta', cell: ({ beta }) => yesOrNo(beta) },
      { heading: 'Contract', cell: ({ contract }) => contract },
      { heading: 'Live keys', cell: ({ liveKeys }) => liveKeys, isFigure: true },
    ],
    partners,
    style,
    'There is no partner. `partner create` sets one up.',
  );

/** Providers of a practice, as named by partners. */
export const providerTable = (providers: readonly ListedProvider[], style: Style): string =>
  tableOf(
    [
      { heading: 'Name', cell: ({ name }) => name },
      { heading: 'Credentials', cell: ({ credentials }) => credentials },
      { heading: 'Role', cell: ({ role }) => role },
      { heading: 'NPI', cell: ({ npi }) => npi },
      { heading: 'Id at the partner', cell: ({ identity }) => identity },
      { heading: 'Id', cell: ({ providerId }) => providerId },
      { heading: 'Merged into', cell: ({ mergedInto }) => mergedInto },
    ],
    providers,
    style,
    'No partner has named a provider of this practice yet.',
  );

/** Births that a provider attended or certified, including those that an amendment reassigned. */
export const careerTable = (entries: readonly CareerEntry[], style: Style): string =>
  tableOf(
    [
      { heading: 'Recorded (UTC)', cell: ({ at }) => momentInUtc(new Date(at)) },
      { heading: 'Part', cell: ({ part }) => (part === 'attendant' ? 'attended' : 'certified') },
      {
        heading: 'Replaced (UTC)',
        cell: ({ replacedAt }) =>
          replacedAt === undefined ? null : momentInUtc(new Date(replacedAt)),
      },
      { heading: 'Chart number', cell: ({ chartNumber }) => chartNumber },
      { heading: 'Place of birth', cell: ({ placeOfBirth }) => placeOfBirth },
      { heading: 'Record', cell: ({ submissionUuid }) => submissionUuid },
      { heading: 'Named as', cell: ({ via }) => via },
    ],
    entries,
    style,
    'No live record names this provider.',
  );

type Entry = ListedAccess['entries'][number];
type Summary = ListedRecordAccess['summary'][number];

/** Actor: a person, or else a key, a command, or a part of the service. */
const whoIn = ({ actor, keyName }: Pick<Entry, 'actor' | 'keyName'>): string => {
  const { kind, id, email, name } = actor;
  if (email !== null) return displayNameWithEmail({ email, name });
  if (kind === 'service') return 'not signed in';
  return keyName === null ? `${kind} ${id}` : `key ${keyName}`;
};

const whatIn = (entry: Entry): string =>
  formatAccess({
    ...entry,
    entryId: '',
    at: new Date(entry.at),
    by: entry.actor,
    records: [],
    tried: entry.accountId === null ? null : { email: `account ${entry.accountId}`, name: null },
  });

/** Id of a single record, or the number of records. */
const recordsIn = ({ recordIds }: Entry): string | number | null => {
  const [first, ...others] = recordIds;
  return first !== undefined && others.length === 0 ? first : recordIds.length || null;
};

const unusualIn = ({ unusual, letInByStaff }: Entry): string =>
  [
    ...unusual.map((mark) => UNUSUAL_WORDS[mark]),
    ...(letInByStaff ? ['emergency access'] : []),
  ].join('; ');

/** Totals of access to one record, by actor. */
const summaryTable = (summary: readonly Summary[], style: Style): string =>
  tableOf(
    [
      { heading: 'Who', cell: whoIn },
      {
        heading: 'How',
        cell: ({ ways }) => ways.map(({ way, times }) => `${WAY_WORDS[way]} ${times}`).join(', '),
      },
      { heading: 'First (UTC)', cell: ({ first }) => momentInUtc(new Date(first)) },
      { heading: 'Last (UTC)', cell: ({ last }) => momentInUtc(new Date(last)) },
    ],
    summary,
    style,
    'No one.',
  );

/** Sign-ins, record views, and downloads, latest first; for one record, also totals. */
export const accessTable = (list: ListedAccess | ListedRecordAccess, style: Style): string => {
  const isOfRecord = 'summary' in list;
  return [
    ...(isOfRecord ? [summaryTable(list.summary, style), ''] : []),
    tableOf(
      [
        { heading: 'When (UTC)', cell: ({ at }) => momentInUtc(new Date(at)) },
        { heading: 'Who', cell: whoIn },
        { heading: 'What', cell: whatIn },
        isOfRecord
          ? { heading: 'Purpose', cell: ({ purpose }) => purpose }
          : { heading: 'Records', cell: recordsIn },
        { heading: 'Unusual', cell: unusualIn },
      ],
      list.entries,
      style,
      'There is no such entry.',
    ),
    ...(list.isMore
      ? [style.bad('There are older entries than these. Ask for a period by --since and --until.')]
      : []),
  ].join('\n');
};
