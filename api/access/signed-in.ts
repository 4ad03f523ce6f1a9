import type { Fact, ReadStream } from '../../domain/event-log.ts';
import { type Fold, stateAfter } from '../../domain/fold.ts';
import type { Role } from '../../domain/member/events.ts';
import { memberFold } from '../../domain/member/state.ts';
import { practiceFold } from '../../domain/practice/state.ts';
import { staffFold } from '../../domain/staff/state.ts';
import { memberStream, practiceStream, staffStream } from '../../domain/stream-names.ts';
import { rememberUnder } from './remember.ts';

/** The practice of a seat, as its pages need it. */
export interface SeatPractice {
  readonly name: string;
  /** Holds synthetic data only: each page says so. */
  readonly sandbox: boolean;
  /** In the partner-EHR beta: keys may be minted. */
  readonly beta: boolean;
  /** IANA name of the zone in which its pages show times. */
  readonly timeZone: string;
}

/** A member of a practice, signed in. */
export interface Seat {
  readonly kind: 'member';
  readonly memberId: string;
  readonly email: string;
  readonly role: Role;
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
  /** Opaque id of the person among the staff: forms say it. */
  readonly seatId: string;
}

/** Who an account is now. */
export type SignedIn = Seat | StaffSeat;

/** Who an account is now; null if it has no seat (any more). */
export type FindSignedIn = (accountId: string) => Promise<SignedIn | null>;

/** Stands for the practice where somebody of the staff has their seat. */
const STAFF = 'staff';

/**
 * Finds the seat of an account in the log itself, so that a change is in force at once, also while
 * the read tables are behind.
 */
export const findSignedInWith = (parts: {
  readonly readStream: ReadStream;
  /** Counter that goes up with every change of a seat or a practice; fails when it cannot be known. */
  readonly accessVersion: () => Promise<bigint>;
  readonly seatId: (practiceId: string, memberId: string) => string;
}): FindSignedIn => {
  const stateOf = async <State, E extends Fact>(
    stream: string,
    fold: Fold<State, E>,
  ): Promise<State> => stateAfter(await parts.readStream(stream), fold);

  return rememberUnder(parts.accessVersion, async (accountId) => {
    const member = await stateOf(memberStream(accountId), memberFold);
    if (member.status === 'seated') {
      const { memberId, email, role, practiceId } = member;
      const practice = await stateOf(practiceStream(practiceId), practiceFold);
      if (practice.status === 'unknown') return null;
      const { name, sandbox, beta, timeZone } = practice;
      return {
        kind: 'member',
        memberId,
        email,
        role,
        practiceId,
        seatId: parts.seatId(practiceId, memberId),
        practice: { name, sandbox, beta, timeZone },
      };
    }
    const staff = await stateOf(staffStream(accountId), staffFold);
    if (staff.status !== 'known') return null;
    const { staffId, email } = staff;
    return { kind: 'staff', staffId, email, seatId: parts.seatId(STAFF, staffId) };
  });
};
