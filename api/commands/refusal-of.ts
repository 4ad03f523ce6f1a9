import { CommandRefused } from './command-refused.ts';

/** Why a command was refused, for the person who gave it; null when it was done. Faults stay faults. */
export const refusalOf = async (command: Promise<unknown>): Promise<string | null> => {
  try {
    await command;
    return null;
  } catch (error) {
    if (error instanceof CommandRefused) return error.message;
    throw error;
  }
};
