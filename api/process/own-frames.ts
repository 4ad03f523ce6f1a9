import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Written by `scripts/build/lines.mjs`. */
interface BundledLines {
  readonly sources: readonly string[];
  /** By file: `[first line, index of the source or -1, its line]`, from 1, sorted. */
  readonly runs: Readonly<Record<string, readonly (readonly [number, number, number])[]>>;
}

const NOT_BUNDLED: BundledLines = { sources: [], runs: {} };

let known: BundledLines | null = null;

/** Loaded at the first fault, because most processes have none. */
const bundledLines = (): BundledLines => {
  try {
    known ??= JSON.parse(
      readFileSync(new URL('./lines.json', import.meta.url), 'utf8'),
    ) as BundledLines;
  } catch {
    known = NOT_BUNDLED;
  }
  return known;
};

const FRAME =
  /^\s+at (?:(?<what>.*) \()?(?<file>(?:file:\/\/)?\/.*?):(?<line>\d+)(?<column>:\d+)\)?$/;

/** Bundled frames have no column, because it would be the bundle's. */
export const listOwnFrames = (stack: string, lines = bundledLines()): readonly string[] =>
  stack.split('\n').flatMap((text) => {
    const { what, file = '', line = '', column = '' } = FRAME.exec(text)?.groups ?? {};
    if (file === '' || file.includes('node_modules')) return [];
    const place = placeIn(lines, file, Number(line)) ?? `${shortened(file)}:${line}${column}`;
    if (place === OF_A_PACKAGE) return [];
    return [what === undefined ? place : `${what} (${place})`];
  });

const OF_A_PACKAGE = '';

/** `null` if the file is not bundled. */
const placeIn = ({ sources, runs }: BundledLines, file: string, line: number): string | null => {
  const run = runs[basename(file)]?.findLast(([first]) => first <= line);
  if (run === undefined) return null;
  const [first, index, original] = run;
  const source = sources[index];
  return source === undefined ? OF_A_PACKAGE : `${shortened(source)}:${original + line - first}`;
};

/** Does not reveal the installation path. */
const shortened = (file: string): string => file.split('/').slice(-2).join('/');
