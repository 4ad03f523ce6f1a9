import { CommandRefused } from './command-refused.ts';

/** `null` if the command succeeded. Rethrows faults. */
export const catchRefusal = async (command: Promise<unknown>): Promise<CommandRefused | null> => {
  try {
    await command;
    return null;
  } catch (error) {
    if (error instanceof CommandRefused) return error;
    throw error;
  }
};
