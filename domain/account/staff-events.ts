import type { Fact } from '../event-log.ts';

/** A staff member got an account, for the first time or again. The password is not in the log. */
export type StaffAdded = Fact<
  'StaffAdded',
  {
    /** Keyed hash of the email: it names the stream, so an email has one account. */
    readonly staffId: string;
    /** Trimmed, lower case. */
    readonly email: string;
    /** Display name; absent for none. */
    readonly name?: string;
  }
>;

/** The display name of a staff member was set. */
export type StaffNamed = Fact<'StaffNamed', { readonly staffId: string; readonly name: string }>;

/** A person left the service staff, so the account is closed. */
export type StaffRemoved = Fact<'StaffRemoved', { readonly staffId: string }>;

/** A staff member got a one-time password, to choose a new password. It is not in the log. */
export type StaffPasswordGiven = Fact<'StaffPasswordGiven', { readonly staffId: string }>;

/** A staff member reviewed all staff accounts and confirmed that each is still needed. */
export type StaffAccessReviewed = Fact<
  'StaffAccessReviewed',
  {
    /** The reviewer. */
    readonly staffId: string;
    /** ISO 8601 instant. */
    readonly at: string;
    /** Ids of the people who keep their accounts. */
    readonly people: readonly string[];
  }
>;

/** Events of a `staff-` stream. */
export type StaffEvent =
  | StaffAdded
  | StaffNamed
  | StaffRemoved
  | StaffPasswordGiven
  | StaffAccessReviewed;
