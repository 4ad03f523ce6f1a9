import { createPractice, type SetPractice, setPractice } from '../../domain/practice/decide.ts';
import { type Practice, practiceFold } from '../../domain/practice/state.ts';
import { practiceStream } from '../../domain/stream-names.ts';
import { type CommandLog, changeStream, stateOf } from './change-stream.ts';
import type { CommandContext } from './command-context.ts';
import { knownTimeZone } from './time-zone.ts';

/** Commands on practices. */
export interface PracticeCommands {
  /** @returns the new practice's id @throws CommandRefused */
  create(command: {
    readonly name: string;
    readonly sandbox: boolean;
    readonly beta: boolean;
  }): Promise<string>;
  /**
   * In force everywhere when it returns.
   * @throws CommandRefused for an unknown practice, a blank name, or what is no IANA time zone
   */
  set(practiceId: string, command: SetPractice): Promise<void>;
  /** The practice as it stands; `unknown` if there is none. */
  find(practiceId: string): Promise<Practice>;
}

/** @see PracticeCommands */
export const practiceCommandsOf = (log: CommandLog, context: CommandContext): PracticeCommands => ({
  async create(command) {
    const practiceId = context.newId();
    await changeStream(log, context, practiceStream(practiceId), practiceFold, () =>
      createPractice({ ...command, practiceId }),
    );
    return practiceId;
  },
  async set(practiceId, command) {
    const timeZone = typeof command.timeZone === 'string' ? knownTimeZone(command.timeZone) : null;
    await changeStream(log, context, practiceStream(practiceId), practiceFold, (practice) =>
      setPractice({ ...command, timeZone }, practice),
    );
    await context.announceAccessChange();
  },
  find: (practiceId) => stateOf(log, practiceStream(practiceId), practiceFold),
});
