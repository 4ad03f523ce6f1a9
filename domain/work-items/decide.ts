import { accept, type Decision, refuse } from '../decision.ts';
import type { WorkEvent } from './events.ts';
import { isDismissible, type WorkItemName } from './items.ts';
import { getAssignee, isDismissed, type WorkState } from './state.ts';

export interface WorkCommand extends WorkItemName {
  readonly practiceId: string;
  readonly memberId: string;
  readonly at: string;
  /** Time that the item appeared; `null` if it never recurs. */
  readonly since: Date | null;
  readonly parts: readonly string[];
}

const eventData = ({ practiceId, kind, key, memberId, at }: WorkCommand) => ({
  practiceId,
  kind,
  key,
  memberId,
  at,
});

/**
 * Refused if another member claimed it after the page was loaded.
 * @param from assignee on that page, or `null`
 */
export const claimWork = (
  command: WorkCommand & { readonly from: string | null },
  state: WorkState,
): Decision<WorkEvent<'WorkTaken'>> => {
  const holder = getAssignee(command.since, state);
  if (holder === command.memberId) return accept();
  if (holder !== null && holder !== command.from)
    return refuse({ code: 'work-taken-by-other', memberId: holder });
  return accept({ type: 'WorkTaken', data: eventData(command) });
};

/** Releases the item. No-op if it is unassigned; only its assignee can release it. */
export const releaseWork = (
  command: WorkCommand,
  state: WorkState,
): Decision<WorkEvent<'WorkReleased'>> => {
  const holder = getAssignee(command.since, state);
  if (holder === null) return accept();
  if (holder !== command.memberId) return refuse({ code: 'work-taken-by-other', memberId: holder });
  return accept({ type: 'WorkReleased', data: eventData(command) });
};

/** Refused if another member has claimed it. */
export const dismissWork = (
  command: WorkCommand,
  state: WorkState,
): Decision<WorkEvent<'WorkDismissed'>> => {
  if (!isDismissible(command.kind)) return refuse({ code: 'work-not-dismissible' });
  if (isDismissed(command.parts, state)) return accept();
  const holder = getAssignee(command.since, state);
  if (holder !== null && holder !== command.memberId)
    return refuse({ code: 'work-taken-by-other', memberId: holder });
  return accept({ type: 'WorkDismissed', data: { ...eventData(command), parts: command.parts } });
};

export const reopenWork = (
  command: WorkCommand,
  state: WorkState,
): Decision<WorkEvent<'WorkReopened'>> =>
  state.dismissed === null ? accept() : accept({ type: 'WorkReopened', data: eventData(command) });
