import type { Decision } from '../../domain/decision.ts';
import { workStream } from '../../domain/stream-names.ts';
import {
  claimWork,
  dismissWork,
  releaseWork,
  reopenWork,
  type WorkCommand,
} from '../../domain/work-items/decide.ts';
import type { WorkEvent } from '../../domain/work-items/events.ts';
import type { WorkItemName } from '../../domain/work-items/items.ts';
import { type WorkState, workFold } from '../../domain/work-items/state.ts';
import type { WorkSeat } from '../../projections/lists/work-items.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { type CommandLog, changeStream, requireAccepted } from './change-stream.ts';
import type { CommandContext } from './command-context.ts';

type WorkRegistry = Pick<AppPorts, 'identity'> & {
  readonly reads: Pick<AppPorts['reads'], 'work'>;
};

/**
 * The items come from the read tables, but their assignment is decided on the log, so the second of
 * two concurrent commands is refused. Each @throws CommandRefused
 */
export const createWorkCommands = (
  log: CommandLog,
  { identity, reads }: WorkRegistry,
  context: CommandContext,
) => {
  const decideOn = async (
    seat: WorkSeat,
    { kind, key }: WorkItemName,
    decide: (command: WorkCommand, state: WorkState) => Decision<WorkEvent>,
  ): Promise<void> => {
    const { practiceId, memberId, now } = seat;
    const item = await reads.work.findOne(seat, kind, key);
    if (item === null) {
      requireAccepted({ kind: 'refused', code: 'work-done-already' });
      return;
    }
    const command: WorkCommand = {
      practiceId,
      memberId,
      kind,
      key,
      at: now.toISOString(),
      since: item.opened,
      parts: item.parts,
    };
    await changeStream<WorkState, WorkEvent>(
      log,
      context,
      workStream(identity.workHash(practiceId, kind, key)),
      workFold,
      (state) => decide(command, state),
    );
  };
  return {
    /** @param from `null` if the member saw it unassigned */
    take: (seat: WorkSeat, item: WorkItemName, from: string | null): Promise<void> =>
      decideOn(seat, item, (command, state) => claimWork({ ...command, from }, state)),
    release: (seat: WorkSeat, item: WorkItemName): Promise<void> =>
      decideOn(seat, item, releaseWork),
    dismiss: (seat: WorkSeat, item: WorkItemName): Promise<void> =>
      decideOn(seat, item, dismissWork),
    reopen: (seat: WorkSeat, item: WorkItemName): Promise<void> => decideOn(seat, item, reopenWork),
  };
};
