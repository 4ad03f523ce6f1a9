/** The command line is invalid; the message explains why. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
  /** Command that the user probably meant; `null` for the typed one. */
  readonly meant: readonly string[] | null;

  constructor(message: string, { meant = null, ...options }: WrongUsageOptions = {}) {
    super(message, options);
    this.meant = meant;
  }
}

interface WrongUsageOptions extends ErrorOptions {
  readonly meant?: readonly string[] | null;
}
