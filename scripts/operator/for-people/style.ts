import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

export interface Style {
  readonly strong: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  /** Former and new value. */
  readonly removed: (text: string) => string;
  readonly added: (text: string) => string;
}

/** Color support of a stream: a terminal has colors unless NO_COLOR or its type excludes them. */
export interface ColorStream {
  readonly isTTY?: boolean;
  hasColors?(): boolean;
}

export const styleFor = (stream: ColorStream): Style => {
  const isColored = stream.isTTY === true && stream.hasColors?.() === true;
  const as =
    (format: Format) =>
    (text: string): string =>
      // Checked above: before 20.18 Node always adds colors, and later versions check standard
      // output.
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
