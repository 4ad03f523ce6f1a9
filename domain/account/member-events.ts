import type { Fact } from '../event-log.ts';
import type { Role } from '../roles.ts';

/**
 * A person got an account and a seat in a practice, for the first time or again. The password is not in the
 * log.
 */
export type MemberAdded = Fact<
  'MemberAdded',
  {
    /** Keyed hash of the email: it names the stream, so an email has one account. */
    readonly memberId: string;
    readonly practiceId: string;
    /** Trimmed, lower case. */
    readonly email: string;
    readonly role: Role;
    /** Display name; absent for none. */
    readonly name?: string;
  }
>;

/** A person was invited to a practice. The seat begins when they accept, regardless of seats elsewhere. */
export type MemberInvited = Fact<
  'MemberInvited',
  {
    readonly memberId: string;
    readonly practiceId: string;
    /** Trimmed, lower case. */
    readonly email: string;
    readonly role: Role;
    /** ISO 8601 instant at which the invitation expires. */
    readonly endsAt: string;
    /** Invited by the service staff: valid only while the practice has no Admin. */
    readonly byStaff: boolean;
    /** Display name given by the person who invites; absent for none. */
    readonly name?: string;
  }
>;

/** An invitation was withdrawn before it was accepted. */
export type InvitationWithdrawn = Fact<
  'InvitationWithdrawn',
  { readonly memberId: string; readonly practiceId: string }
>;

/** The role of a member changed. */
export type SeatChanged = Fact<
  'SeatChanged',
  { readonly memberId: string; readonly practiceId: string; readonly role: Role }
>;

/** The auditor permission was granted or revoked. It lapses when the role becomes Admin or Scribe. */
export type AuditorPermissionSet = Fact<
  'AuditorPermissionSet',
  { readonly memberId: string; readonly practiceId: string; readonly granted: boolean }
>;

/** The display name of a member was set; it applies to this practice for the lifetime of the seat. */
export type MemberNamed = Fact<
  'MemberNamed',
  { readonly memberId: string; readonly practiceId: string; readonly name: string }
>;

/** A member lost the seat, so the account is closed. */
export type MemberRemoved = Fact<
  'MemberRemoved',
  { readonly memberId: string; readonly practiceId: string }
>;

/** A member got a one-time password, to choose a new password. It is not in the log. */
export type OneTimePasswordGiven = Fact<
  'OneTimePasswordGiven',
  { readonly memberId: string; readonly practiceId: string }
>;

/** Events of a `member-` stream. */
export type MemberEvent =
  | MemberAdded
  | MemberInvited
  | InvitationWithdrawn
  | SeatChanged
  | AuditorPermissionSet
  | MemberNamed
  | MemberRemoved
  | OneTimePasswordGiven;
