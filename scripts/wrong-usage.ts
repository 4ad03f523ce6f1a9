/** The command line is invalid; the message explains why. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}
