import { createPartner, type SetPartner, setPartner } from '../../domain/partner/decide.ts';
import type { ContractStatus } from '../../domain/partner/events.ts';
import { type Partner, partnerFold } from '../../domain/partner/state.ts';
import { partnerStream } from '../../domain/stream-names.ts';
import { type CommandLog, changeStream, loadState } from './change-stream.ts';
import type { CommandContext } from './command-context.ts';

export const createPartnerCommands = (log: CommandLog, context: CommandContext) => ({
  /** @throws CommandRefused */
  async create(command: {
    readonly name: string;
    readonly beta: boolean;
    readonly status: ContractStatus;
  }): Promise<string> {
    const partnerId = context.newId();
    await changeStream(log, context, partnerStream(partnerId), partnerFold, () =>
      createPartner({ ...command, partnerId }),
    );
    return partnerId;
  },
  /** In force everywhere when this returns. @throws CommandRefused for an unknown partner */
  async set(partnerId: string, command: SetPartner): Promise<void> {
    await changeStream(log, context, partnerStream(partnerId), partnerFold, (partner) =>
      setPartner(command, partner),
    );
    await context.announceAccessChange();
  },
  /** `unknown` if there is none. */
  find: (partnerId: string): Promise<Partner> =>
    loadState(log, partnerStream(partnerId), partnerFold),
});

/** @see createPartnerCommands */
export type PartnerCommands = ReturnType<typeof createPartnerCommands>;
