import { countInWords } from '../../../domain/format-measures.ts';
import type { AuditEntry } from '../../../projections/lists/audit.ts';
import { displayNameWithEmail } from '../../../projections/lists/people-names.ts';
import { DEFAULT_TIME_FORMAT, formatTime, type TimeFormat } from './format-times.ts';
import { formatScopes } from './scope-text.ts';

export type AuditedChange = Pick<AuditEntry, 'type' | 'value' | 'key' | 'member'>;

/** Sentence for an entry, without the period. */
export const formatAuditEntry = (
  entry: AuditedChange,
  times: TimeFormat = DEFAULT_TIME_FORMAT,
): string => {
  const { type, value } = entry;
  switch (type) {
    case 'ApiKeyMinted':
      return `Minted ${formatKey(entry)}${entry.key === null ? '' : `, ${formatScopes(entry.key.scopes)}`}`;
    case 'ApiKeyRevoked':
      return `Revoked ${formatKey(entry)}`;
    case 'ApiKeyEndSet':
      return `Set ${formatKey(entry)} to expire ${formatEnd(value, times)}`;
    case 'ApiKeyAddressesSet':
      return value === ''
        ? `Allowed ${formatKey(entry)} to be used from any address`
        : `Limited ${formatKey(entry)} to ${value?.replaceAll(' ', ', ')}`;
    case 'PartnerCreated':
      return `Created the partner, contract ${formatStart(value)[0]}, ${formatInitialBeta(value)}`;
    case 'PartnerBetaSet':
      return formatBeta('partner', value);
    case 'PartnerContractStatusChanged':
      return `Changed the contract to ${value}`;
    case 'PracticeCreated':
      return `Created the practice as ${formatStart(value)[0] === 'sandbox' ? 'a sandbox' : 'a real practice'}, ${formatInitialBeta(value)}`;
    case 'PracticeSandboxSet':
      return value === 'true'
        ? 'Made the practice a sandbox'
        : 'Made the practice a real one; it is no longer a sandbox';
    case 'PracticeSandboxChangeRefused':
      return value === 'true'
        ? 'Tried to make the practice a sandbox; it has active records'
        : 'Tried to make the practice a real one; it has active records';
    case 'PracticeBetaSet':
      return formatBeta('practice', value);
    case 'PracticeRenamed':
      return `Renamed the practice to ${value}`;
    case 'PracticeTimeZoneSet':
      return `Set the time zone to ${value}`;
    case 'PracticeDateOrderSet':
      return value === 'month-first' ? 'Set dates to month first' : 'Set dates to day first';
    case 'PracticeClockSet':
      return `Set times to a ${value}-hour clock`;
    case 'SecondFactorRequirementSet':
      return value === 'true'
        ? 'Required a second factor for every member'
        : 'Made the second factor optional';
    case 'BreakGlassUsed':
      return `Invited an Admin (emergency access), because the practice had none: “${value}”`;
    case 'AccessReviewed':
      return `Reviewed who has access: ${countInWords(Number(value), 'member')}`;
    case 'SingleSignOnSet': {
      const [issuer, ...domains] = (value ?? '').split(' ');
      return `Set up single sign-on at ${issuer} for ${domains.join(', ')}`;
    }
    case 'SingleSignOnTurnedOff':
      return 'Turned off single sign-on';
    case 'NeededItemsChosen':
      return `Chose what records need: ${countInWords(Number(value), 'certificate item')}`;
    case 'DaysUntilDueSet':
      return value === ''
        ? 'Removed the due date of records'
        : `Set records to be due ${countInWords(Number(value), 'day')} after the birth`;
    case 'EditFlagsSet':
      return value === 'true'
        ? 'Set the state file to have edit flags'
        : 'Set the state file to have no edit flags of the practice';
    case 'ImportColumnsMapped':
      return `Mapped ${countInWords(Number(value), 'heading')} of imported files to fields`;
    case 'ImportColumnsForgotten':
      return `Removed the mapping of ${countInWords(Number(value), 'heading')} of imported files`;
    case 'StaffAccessReviewed':
      return `Reviewed who is on the service staff: ${countInWords(Number(value), 'person', 'people')}`;
    case 'MemberInvited':
      return `Invited ${formatMember(entry)} as ${value}`;
    case 'InvitationWithdrawn':
      return `Withdrew the invitation to ${formatMember(entry)}`;
    case 'MemberAdded':
      return `Added ${formatMember(entry)} as ${value}`;
    case 'SeatChanged':
      return `Changed the role of ${formatMember(entry)} to ${value}`;
    case 'AuditorPermissionSet':
      return value === 'true'
        ? `Gave ${formatMember(entry)} permission to audit`
        : `Removed permission to audit from ${formatMember(entry)}`;
    case 'MemberNamed':
      return `Named ${entry.member?.email ?? 'a former member'} “${value}”`;
    case 'MemberRemoved':
      return `Removed ${formatMember(entry)}`;
    case 'OneTimePasswordGiven':
      return `Gave ${formatMember(entry)} a one-time password`;
  }
};

/** Initial values of something new. @see AuditEntry.value */
const formatStart = (value: string | null): readonly string[] => (value ?? '').split(' ');

const formatInitialBeta = (value: string | null): string =>
  formatStart(value).includes('beta') ? 'in the beta' : 'not in the beta';

const formatMember = ({ member }: AuditedChange): string =>
  member === null ? 'a former member' : displayNameWithEmail(member);

const formatBeta = (noun: string, value: string | null): string =>
  value === 'true' ? `Added the ${noun} to the beta` : `Removed the ${noun} from the beta`;

const formatEnd = (value: string | null, times: TimeFormat): string =>
  value === null ? '' : `on ${formatTime(new Date(value), times)}`;

const formatKey = ({ key }: AuditedChange): string => {
  if (key === null) return 'a key';
  const name = key.name === null ? 'a key without a name' : `the key “${key.name}”`;
  return key.kind === 'partner'
    ? `${name} of ${key.partnerName ?? 'a partner'} for ${key.practiceName ?? 'a practice'}`
    : name;
};
