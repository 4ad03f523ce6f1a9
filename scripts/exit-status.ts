/** @see docs/operate/commands.md */
export const EXIT_STATUS = {
  done: 0,
  notDone: 1,
  wrongUsage: 2,
  /** The command succeeded, but found a fault. */
  foundFault: 3,
} as const;
