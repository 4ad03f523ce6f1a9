import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** How words are set off on a terminal. */
export interface Style {
  readonly strong: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  /** A value that was, and one that took its place. */
  readonly removed: (text: string) => string;
  readonly added: (text: string) => string;
}

/** What is asked of a stream: a terminal knows colors unless NO_COLOR or its kind says otherwise. */
export interface ColorStream {
  readonly isTTY?: boolean;
  hasColors?(): boolean;
}

/** Colors on a terminal that knows them, else none. */
export const styleFor = (stream: ColorStream): Style => {
  const isColored = stream.isTTY === true && stream.hasColors?.() === true;
  const as =
    (format: Format) =>
    (text: string): string =>
      // Asked above: before 20.18 Node colors always, later it asks standard output.
      isColored ? styleText(format, text, { validateStream: false }) : text;
  return {
    strong: as('bold'),
    quiet: as('dim'),
    good: as('green'),
    bad: as('red'),
    removed: as('red'),
    added: as('green'),
  };
};
