import { accept, type Decision, refuse } from '../decision.ts';
import type { PracticeEvent } from '../practice/events.ts';
import type { Practice } from '../practice/state.ts';
import { parseReason } from '../text-input.ts';
import { checkEmail } from './credentials.ts';

export const BREAK_GLASS_NOTICE_DAYS = 30;

const MS_IN_DAY = 86_400_000;

/** The email is normalized. */
export interface BreakGlass {
  readonly practiceId: string;
  readonly email: string;
  readonly reason: string;
  readonly at: Date;
}

/** Refused while the practice has an Admin. */
export const useBreakGlass = (
  { practiceId, email, reason, at }: BreakGlass,
  practice: Practice,
  hasAdmin: boolean,
): Decision<PracticeEvent<'BreakGlassUsed'>> => {
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  if (hasAdmin) return refuse({ code: 'practice-has-admin' });
  const refusal = checkEmail(email);
  if (refusal !== null) return refusal;
  const parsedReason = parseReason(reason);
  if (parsedReason.kind === 'refused') return parsedReason;
  return accept({
    type: 'BreakGlassUsed',
    data: { practiceId, at: at.toISOString(), reason: parsedReason.line, email },
  });
};

/** `null` if unused, or used more than 30 days ago. */
export const findRecentBreakGlass = (
  lastBreakGlass: PracticeEvent<'BreakGlassUsed'>['data'] | null,
  now: Date,
): PracticeEvent<'BreakGlassUsed'>['data'] | null =>
  lastBreakGlass !== null &&
  now.getTime() < Date.parse(lastBreakGlass.at) + BREAK_GLASS_NOTICE_DAYS * MS_IN_DAY
    ? lastBreakGlass
    : null;
