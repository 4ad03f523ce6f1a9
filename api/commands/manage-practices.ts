import type { AppendToStream, ReadStream } from '../../domain/event-log.ts';
import { createPractice } from '../../domain/practice/decide.ts';
import type { PracticeEvent } from '../../domain/practice/events.ts';
import { evolve, type Practice, unknownPractice } from '../../domain/practice/state.ts';
import { practiceStream } from '../../domain/stream-names.ts';
import type { CommandContext } from './command-context.ts';
import { CommandRefused } from './command-refused.ts';

/** Commands on practices. */
export interface PracticeCommands {
  /** @returns the new practice's id @throws CommandRefused */
  create(command: {
    readonly name: string;
    readonly sandbox: boolean;
    readonly beta: boolean;
  }): Promise<string>;
  /** The practice as it stands; `unknown` if there is none. */
  find(practiceId: string): Promise<Practice>;
}

/** @see PracticeCommands */
export const practiceCommandsOf = (
  log: { readonly append: AppendToStream; readonly readStream: ReadStream },
  context: CommandContext,
): PracticeCommands => ({
  async create(command) {
    const practiceId = context.newId();
    const decision = createPractice({ ...command, practiceId });
    if (decision.kind === 'refused') throw new CommandRefused(decision.reason);
    await log.append(
      practiceStream(practiceId),
      'no-stream',
      decision.events.map((event) => ({ id: context.newEventId(), event })),
      context.append,
    );
    return practiceId;
  },
  async find(practiceId) {
    const stored = await log.readStream(practiceStream(practiceId));
    return stored.reduce<Practice>(
      (state, { event }) => evolve(state, event as PracticeEvent),
      unknownPractice,
    );
  },
});
