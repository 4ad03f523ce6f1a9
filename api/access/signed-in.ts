import type { DateOrder } from '../../domain/intake/form/date-order.ts';
import type { Clock } from '../../domain/practice/clock.ts';
import type { PracticeEvent } from '../../domain/practice/events.ts';
import type { Role } from '../../domain/roles.ts';

/** Practice of a seat, as needed by its pages. */
export interface SeatPractice {
  readonly name: string;
  /** True if it contains only synthetic data, which each page states. */
  readonly sandbox: boolean;
  /** True if it is in the partner-EHR beta and keys may be minted. */
  readonly beta: boolean;
  /** Last break-glass invitation of an Admin by the staff, if any. */
  readonly brokenGlass: PracticeEvent<'BreakGlassUsed'>['data'] | null;
  /** True if members need more than a password to sign in. */
  readonly requiresSecondFactor: boolean;
  /** Ids of the certificate items required for its records. */
  readonly neededItems: readonly string[];
  /** Days after a birth until its record must be complete; `null` for no due date. */
  readonly daysUntilDue: number | null;
  /** IANA name of the time zone of its pages. */
  readonly timeZone: string;
  /** Order of day and month; if absent or `null`, the usual one of its time zone. */
  readonly dateOrder?: DateOrder | null;
  /** Setting of the practice, or the usual one of its time zone. */
  readonly clock: Clock;
}

/** Signed-in member of a practice. */
export interface Seat {
  readonly kind: 'member';
  readonly memberId: string;
  readonly email: string;
  /** Display name, if any. */
  readonly name: string | null;
  readonly role: Role;
  /** True if the seat may also view the practice's logs, like an Admin. */
  readonly isAuditor: boolean;
  readonly practiceId: string;
  /** Opaque id of the member at the practice, independent of the role; sent with forms. */
  readonly seatId: string;
  readonly practice: SeatPractice;
}

/** Signed-in staff member. */
export interface StaffSeat {
  readonly kind: 'staff';
  readonly staffId: string;
  readonly email: string;
  /** Display name, if any. */
  readonly name: string | null;
  /** Opaque id of the staff member; sent with forms. */
  readonly seatId: string;
}

export type SignedIn = Seat | StaffSeat;

/** Finds the current seat of an account; `null` if it has none. */
export type FindSignedIn = (accountId: string) => Promise<SignedIn | null>;
