import type { Fact } from '../../event-log.ts';

/** What a seat of a practice lets its member do. @see spec "Authentication" */
export type Role = 'Admin' | 'Provider' | 'Viewer' | 'Scribe';

/** Every role there is. */
export const ROLES: readonly Role[] = ['Admin', 'Provider', 'Viewer', 'Scribe'];

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
  }
>;

/** A member has another role. */
export type SeatChanged = Fact<
  'SeatChanged',
  { readonly memberId: string; readonly practiceId: string; readonly role: Role }
>;

/** A member lost the seat: the account opens nothing any more. */
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
export type MemberEvent = MemberAdded | SeatChanged | MemberRemoved | OneTimePasswordGiven;
