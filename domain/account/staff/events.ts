import type { Fact } from '../../event-log.ts';

/** A person of the service staff got an account. The password is not in the log. */
export type StaffAdded = Fact<
  'StaffAdded',
  {
    /** Keyed hash of the email: it names the stream, so an email has one account. */
    readonly staffId: string;
    /** Trimmed, lower case. */
    readonly email: string;
  }
>;

/** Events of a `staff-` stream. */
export type StaffEvent = StaffAdded;
