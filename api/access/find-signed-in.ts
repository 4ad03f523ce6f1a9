import { memberFold } from '../../domain/account/member.ts';
import { staffFold } from '../../domain/account/staff.ts';
import type { Fact } from '../../domain/event-log.ts';
import { type Fold, stateAfter } from '../../domain/fold.ts';
import { getDefaultClock } from '../../domain/practice/clock.ts';
import { findRequiredItems } from '../../domain/practice/completeness.ts';
import { practiceFold } from '../../domain/practice/state.ts';
import { memberStream, practiceStream, staffStream } from '../../domain/stream-names.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { createVersionedCache } from '../process/remember.ts';
import type { FindSignedIn } from './signed-in.ts';

const STAFF = 'staff';

/**
 * Reads the log itself, so a change applies immediately, even if the read tables are behind.
 * @param accessVersion counter of changes to seats and practices; rejects if it is unknown
 */
export const createFindSignedIn = (
  { log, identity }: Pick<AppPorts, 'log' | 'identity'>,
  accessVersion: () => Promise<bigint>,
): FindSignedIn => {
  const stateOf = async <State, E extends Fact>(
    stream: string,
    fold: Fold<State, E>,
  ): Promise<State> => stateAfter(await log.readStream(stream), fold);

  return createVersionedCache(accessVersion, async (accountId) => {
    const member = await stateOf(memberStream(accountId), memberFold);
    if (member.status === 'seated') {
      const { memberId, email, name: called = null, role, isAuditor, practiceId } = member;
      const practice = await stateOf(practiceStream(practiceId), practiceFold);
      if (practice.status === 'unknown') return null;
      const { name, sandbox, beta, timeZone, dateOrder, daysUntilDue } = practice;
      const { requiresSecondFactor, lastBreakGlass } = practice;
      const neededItems = findRequiredItems(practice);
      return {
        kind: 'member',
        memberId,
        email,
        name: called,
        role,
        isAuditor,
        practiceId,
        seatId: identity.seatId(practiceId, memberId),
        practice: {
          name,
          sandbox,
          beta,
          timeZone,
          dateOrder,
          clock: practice.clock ?? getDefaultClock(timeZone),
          requiresSecondFactor,
          lastBreakGlass,
          neededItems,
          daysUntilDue,
          writesEditFlags: practice.writesEditFlags,
        },
      };
    }
    const staff = await stateOf(staffStream(accountId), staffFold);
    if (staff.status !== 'known') return null;
    const { staffId, email, name = null } = staff;
    return { kind: 'staff', staffId, email, name, seatId: identity.seatId(STAFF, staffId) };
  });
};
