import { CommandRefused } from './command-refused.ts';

/** Why a command was refused; null when it was done. Faults stay faults. */
export const catchRefusal = async (command: Promise<unknown>): Promise<CommandRefused | null> => {
  try {
    await command;
    return null;
  } catch (error) {
    if (error instanceof CommandRefused) return error;
    throw error;
  }
};
