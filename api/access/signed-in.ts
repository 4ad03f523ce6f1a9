import type { DateOrder } from '../../domain/mapping/form/date-order.ts';
import type { Clock } from '../../domain/practice/clock.ts';
import type { PracticeEvent } from '../../domain/practice/events.ts';
import type { Role } from '../../domain/roles.ts';

export interface SeatPractice {
  readonly name: string;
  /** True for synthetic data only, which each page states. */
  readonly sandbox: boolean;
  readonly beta: boolean;
  readonly lastBreakGlass: PracticeEvent<'BreakGlassUsed'>['data'] | null;
  readonly requiresSecondFactor: boolean;
  readonly neededItems: readonly string[];
  /** After a birth; `null` for no due date. */
  readonly daysUntilDue: number | null;
  readonly writesEditFlags: boolean;
  /** IANA name. */
  readonly timeZone: string;
  /** If absent or `null`, the usual one of the time zone. */
  readonly dateOrder?: DateOrder | null;
  readonly clock: Clock;
}

export interface Seat {
  readonly kind: 'member';
  readonly memberId: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  /** True if the seat may view the practice's logs, like an Admin. */
  readonly isAuditor: boolean;
  readonly practiceId: string;
  /** Opaque id, independent of the role; sent with forms. */
  readonly seatId: string;
  readonly practice: SeatPractice;
}

export interface StaffSeat {
  readonly kind: 'staff';
  readonly staffId: string;
  readonly email: string;
  readonly name: string | null;
  /** Opaque; sent with forms. */
  readonly seatId: string;
}

export type SignedIn = Seat | StaffSeat;

/** `null` if the account has no seat. */
export type FindSignedIn = (accountId: string) => Promise<SignedIn | null>;
