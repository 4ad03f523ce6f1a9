/** A command was refused for a reason that the person who gave it can mend. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}
