/** What the process of a command ends with. @see docs/commands.md */
export const EXIT_STATUS = {
  done: 0,
  notDone: 1,
  wrongUsage: 2,
  /** A command that judges has done its work, and what it looked at is not as it should be. */
  foundFault: 3,
} as const;
