import type { Fact } from '../event-log.ts';
import type { Role } from '../roles.ts';

/** A person got an account and a seat in a practice, for the first time or anew. The password is not in the log. */
export type MemberAdded = Fact<
  'MemberAdded',
  {
    /** Keyed hash of the email: it names the stream, so an email has one account. */
    readonly memberId: string;
    readonly practiceId: string;
    /** Trimmed, lower case. */
    readonly email: string;
    readonly role: Role;
    /** Display name; absent: none. */
    readonly name?: string;
  }
>;

/** A person was asked into a practice. It is no seat before they accept, whatever seat they have elsewhere. */
export type MemberInvited = Fact<
  'MemberInvited',
  {
    readonly memberId: string;
    readonly practiceId: string;
    /** Trimmed, lower case. */
    readonly email: string;
    readonly role: Role;
    /** ISO 8601 instant from which it cannot be accepted any more. */
    readonly endsAt: string;
    /** By the service staff: good only while the practice has no Admin. */
    readonly byStaff: boolean;
    /** What others call them, as the person who invites them writes it; absent: not said. */
    readonly name?: string;
  }
>;

/** An invitation was taken back before it was accepted. */
export type InvitationWithdrawn = Fact<
  'InvitationWithdrawn',
  { readonly memberId: string; readonly practiceId: string }
>;

/** A member has another role. */
export type SeatChanged = Fact<
  'SeatChanged',
  { readonly memberId: string; readonly practiceId: string; readonly role: Role }
>;

/** A member was given the permission of an auditor, or lost it. It lapses when the seat becomes an Admin's or a Scribe's. */
export type AuditorPermissionSet = Fact<
  'AuditorPermissionSet',
  { readonly memberId: string; readonly practiceId: string; readonly granted: boolean }
>;

/** A member has a name, or another one: at this practice, for as long as the seat is there. */
export type MemberNamed = Fact<
  'MemberNamed',
  { readonly memberId: string; readonly practiceId: string; readonly name: string }
>;

/** A member lost the seat: the account is closed. */
export type MemberRemoved = Fact<
  'MemberRemoved',
  { readonly memberId: string; readonly practiceId: string }
>;

/** A member who had no password any more was given one to choose another with. It is not in the log. */
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
