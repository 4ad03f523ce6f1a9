/** The command line is not as documented; the message says why. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
  /** The command that was probably meant; null: whatever was typed says which. */
  readonly meant: readonly string[] | null;

  constructor(message: string, { meant = null, ...options }: WrongUsageOptions = {}) {
    super(message, options);
    this.meant = meant;
  }
}

interface WrongUsageOptions extends ErrorOptions {
  readonly meant?: readonly string[] | null;
}
