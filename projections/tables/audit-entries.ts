import type { MemberEvent } from '../../domain/account/member-events.ts';
import type { StaffEvent } from '../../domain/account/staff-events.ts';
import type { ApiKeyEvent } from '../../domain/api-key/events.ts';
import type { CustomFieldEvent } from '../../domain/custom-field/events.ts';
import type { Actor, StoredEvent } from '../../domain/event-log.ts';
import type { PartnerEvent } from '../../domain/partner/events.ts';
import type { PracticeEvent } from '../../domain/practice/events.ts';
import { type Change, column, defineTable, type Handlers, upsert } from '../projection.ts';

const auditEntry = defineTable({
  name: 'audit_entry',
  columns: {
    entry_id: column.text(),
    position: column.bigint(),
    type: column.text<AuditedType>(),
    at: column.timestamptz(),
    actor: column.jsonb<Actor>(),
    practice_id: column.textOrNull(),
    partner_id: column.textOrNull(),
    key_id: column.textOrNull(),
    member_id: column.textOrNull(),
    /** Status, seat, name, `true`, or `false`. For a new practice or partner, all its values: `sandbox beta`. */
    value: column.textOrNull(),
  },
  key: ['entry_id'],
  indexes: [
    '(practice_id, position desc) where practice_id is not null',
    '(partner_id, position desc) where partner_id is not null',
    '(key_id) where key_id is not null',
    "(practice_id, at) where type = 'AccessReviewed'",
  ],
});

interface AuditSubject {
  readonly practiceId?: string;
  readonly partnerId?: string;
  readonly keyId?: string;
  readonly memberId?: string;
  readonly value?: string | boolean;
}

const buildEntry = (
  { id, position, event, metadata }: StoredEvent,
  { practiceId, partnerId, keyId, memberId, value }: AuditSubject,
): readonly Change[] => [
  upsert('audit_entry', {
    entry_id: id,
    position: position.toString(),
    type: event.type,
    at: metadata.recordedAt,
    actor: metadata.actor,
    practice_id: practiceId ?? null,
    partner_id: partnerId ?? null,
    key_id: keyId ?? null,
    member_id: memberId ?? null,
    value: value === undefined ? null : String(value),
  }),
];

/** All events about access rights, so that a new one fails the build until the audit trail lists it. */
type AuditedEvent = Exclude<
  ApiKeyEvent | PartnerEvent | PracticeEvent | MemberEvent | StaffEvent,
  CustomFieldEvent | StaffEvent<'StaffAdded' | 'StaffNamed' | 'StaffRemoved' | 'StaffPasswordGiven'>
>;

export type AuditedType = AuditedEvent['type'];

export const auditEntries = {
  name: 'audit_entries',
  version: 6,
  tables: [auditEntry],
  on: {
    ApiKeyMinted: ({ keyId, practiceId, partnerId }, stored) =>
      buildEntry(stored, { keyId, practiceId, ...(partnerId === null ? {} : { partnerId }) }),
    ApiKeyEndSet: ({ keyId, endsAt }, stored) => buildEntry(stored, { keyId, value: endsAt }),
    ApiKeyAddressesSet: ({ keyId, addresses }, stored) =>
      buildEntry(stored, { keyId, value: addresses.join(' ') }),
    // Contains only the key, because the key's row has the owner.
    ApiKeyRevoked: ({ keyId }, stored) => buildEntry(stored, { keyId }),
    PartnerCreated: ({ partnerId, status, beta }, stored) =>
      buildEntry(stored, { partnerId, value: beta ? `${status} beta` : status }),
    PartnerBetaSet: ({ partnerId, beta }, stored) => buildEntry(stored, { partnerId, value: beta }),
    PartnerContractStatusChanged: ({ partnerId, status }, stored) =>
      buildEntry(stored, { partnerId, value: status }),
    PracticeCreated: ({ practiceId, sandbox, beta }, stored) =>
      buildEntry(stored, {
        practiceId,
        value: `${sandbox ? 'sandbox' : 'real'}${beta ? ' beta' : ''}`,
      }),
    PracticeSandboxSet: ({ practiceId, sandbox }, stored) =>
      buildEntry(stored, { practiceId, value: sandbox }),
    PracticeSandboxChangeRefused: ({ practiceId, sandbox }, stored) =>
      buildEntry(stored, { practiceId, value: sandbox }),
    PracticeBetaSet: ({ practiceId, beta }, stored) =>
      buildEntry(stored, { practiceId, value: beta }),
    PracticeRenamed: ({ practiceId, name }, stored) =>
      buildEntry(stored, { practiceId, value: name }),
    PracticeTimeZoneSet: ({ practiceId, timeZone }, stored) =>
      buildEntry(stored, { practiceId, value: timeZone }),
    PracticeDateOrderSet: ({ practiceId, dateOrder }, stored) =>
      buildEntry(stored, { practiceId, value: dateOrder }),
    PracticeClockSet: ({ practiceId, clock }, stored) =>
      buildEntry(stored, { practiceId, value: clock }),
    SecondFactorRequirementSet: ({ practiceId, required }, stored) =>
      buildEntry(stored, { practiceId, value: required }),
    BreakGlassUsed: ({ practiceId, reason }, stored) =>
      buildEntry(stored, { practiceId, value: reason }),
    AccessReviewed: ({ practiceId, seats }, stored) =>
      buildEntry(stored, { practiceId, value: String(seats.length) }),
    SingleSignOnSet: ({ practiceId, issuer, allowedDomains }, stored) =>
      buildEntry(stored, { practiceId, value: `${issuer} ${allowedDomains.join(' ')}` }),
    SingleSignOnTurnedOff: ({ practiceId }, stored) => buildEntry(stored, { practiceId }),
    NeededItemsChosen: ({ practiceId, items }, stored) =>
      buildEntry(stored, { practiceId, value: String(items.length) }),
    DaysUntilDueSet: ({ practiceId, days }, stored) =>
      buildEntry(stored, { practiceId, value: String(days ?? '') }),
    EditFlagsSet: ({ practiceId, written }, stored) =>
      buildEntry(stored, { practiceId, value: written }),
    ImportColumnsMapped: ({ practiceId, columns }, stored) =>
      buildEntry(stored, { practiceId, value: String(columns.length) }),
    ImportColumnsForgotten: ({ practiceId, headings }, stored) =>
      buildEntry(stored, { practiceId, value: String(headings.length) }),
    // Belongs to no practice; the actor is the reviewer.
    StaffAccessReviewed: ({ people }, stored) =>
      buildEntry(stored, { value: String(people.length) }),
    MemberInvited: ({ practiceId, memberId, role }, stored) =>
      buildEntry(stored, { practiceId, memberId, value: role }),
    InvitationWithdrawn: ({ practiceId, memberId }, stored) =>
      buildEntry(stored, { practiceId, memberId }),
    MemberAdded: ({ practiceId, memberId, role }, stored) =>
      buildEntry(stored, { practiceId, memberId, value: role }),
    SeatChanged: ({ practiceId, memberId, role }, stored) =>
      buildEntry(stored, { practiceId, memberId, value: role }),
    AuditorPermissionSet: ({ practiceId, memberId, granted }, stored) =>
      buildEntry(stored, { practiceId, memberId, value: granted }),
    MemberNamed: ({ practiceId, memberId, name }, stored) =>
      buildEntry(stored, { practiceId, memberId, value: name }),
    MemberRemoved: ({ practiceId, memberId }, stored) =>
      buildEntry(stored, { practiceId, memberId }),
    OneTimePasswordGiven: ({ practiceId, memberId }, stored) =>
      buildEntry(stored, { practiceId, memberId }),
  } satisfies Handlers<AuditedEvent>,
};
