import type { DateOrder } from '../../domain/intake/form/date-order.ts';
import type { BreakGlassUsed } from '../../domain/practice/events.ts';
import type { Role } from '../../domain/roles.ts';

/** The practice of a seat, as its pages need it. */
export interface SeatPractice {
  readonly name: string;
  /** Holds synthetic data only: each page says so. */
  readonly sandbox: boolean;
  /** In the partner-EHR beta: keys may be minted. */
  readonly beta: boolean;
  /** The last time that the service staff let an Admin in; null: they never have. */
  readonly brokenGlass: BreakGlassUsed['data'] | null;
  /** Whether its members need more than a password to sign in. */
  readonly requiresSecondFactor: boolean;
  /** Ids of the items of the certificate that its records need. */
  readonly neededItems: readonly string[];
  /** Days after a birth by which its record has to be complete; null: there is no due date. */
  readonly daysUntilDue: number | null;
  /** IANA name of the zone in which its pages show times. */
  readonly timeZone: string;
  /** Which of day and month it writes first; absent or null: what is usual in its time zone. */
  readonly dateOrder?: DateOrder | null;
}

/** A member of a practice, signed in. */
export interface Seat {
  readonly kind: 'member';
  readonly memberId: string;
  readonly email: string;
  /** Display name; null: none. */
  readonly name: string | null;
  readonly role: Role;
  /** Whether the seat opens the logs of the practice too, as an Admin's does. */
  readonly isAuditor: boolean;
  readonly practiceId: string;
  /** Opaque id of the member at the practice, whatever they may do there: forms say it. */
  readonly seatId: string;
  readonly practice: SeatPractice;
}

/** A person of the service staff, signed in. */
export interface StaffSeat {
  readonly kind: 'staff';
  readonly staffId: string;
  readonly email: string;
  /** Display name; null: none. */
  readonly name: string | null;
  /** Opaque id of the person among the staff: forms say it. */
  readonly seatId: string;
}

/** Who an account is now. */
export type SignedIn = Seat | StaffSeat;

/** Who an account is now; null if it has no seat (any more). */
export type FindSignedIn = (accountId: string) => Promise<SignedIn | null>;
