import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from './quantile.ts';
import { type MeasuredFigure, printTable, rounded } from './report.ts';
import { PAIRS } from './sizes.ts';

const HERE = fileURLToPath(new URL('../..', import.meta.url));

/** The figures of two trees, measured one right after the other. */
export interface Pair {
  readonly there: readonly MeasuredFigure[];
  readonly here: readonly MeasuredFigure[];
}

/** A figure of two trees. A gain above 1 is for the better, whether more or less of it is wanted. */
export interface ComparedFigure {
  readonly name: string;
  readonly unit: string;
  /** Medians of all pairs. */
  readonly there: number;
  readonly here: number;
  readonly gain: { readonly median: number; readonly least: number; readonly most: number };
  /** Pairs in which both trees measured it. */
  readonly pairs: number;
}

/** Compares what both trees measure; what only one of them knows is left out. */
export const comparedFigures = (pairs: readonly Pair[]): readonly ComparedFigure[] => {
  const names = new Set(pairs.flatMap(({ here }) => here.map(({ name }) => name)));
  return [...names].flatMap((name) => {
    const both = pairs.flatMap(({ there, here }) => {
      const named = (figures: readonly MeasuredFigure[]) =>
        figures.find((figure) => figure.name === name);
      const [before, after] = [named(there), named(here)];
      return before === undefined || after === undefined ? [] : [{ before, after }];
    });
    const [first] = both;
    if (first === undefined) return [];
    const isMoreBetter = 'atLeast' in first.after.wanted;
    const gains = both.map(({ before, after }) =>
      isMoreBetter ? after.value / before.value : before.value / after.value,
    );
    return {
      name,
      unit: first.after.unit,
      there: median(both.map(({ before }) => before.value)),
      here: median(both.map(({ after }) => after.value)),
      gain: { median: median(gains), least: Math.min(...gains), most: Math.max(...gains) },
      pairs: both.length,
    };
  });
};

/**
 * Runs the same groups in another tree and in this one, one after the other, and prints what this one gains.
 * @param directory the other tree, with its packages installed
 * @param options of the benchmark, for both
 * @throws Error when a tree prints no figures
 */
export const compareTrees = async (
  directory: string,
  options: readonly string[],
  isQuiet: boolean,
): Promise<void> => {
  const measured: Pair[] = [];
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    if (!isQuiet) process.stderr.write(`Pair ${pair} of ${PAIRS}\n`);
    const run = (tree: string) => figuresOf(tree, options, isQuiet);
    // The second run may find a warmer or busier machine: the trees change places.
    const isThereFirst = pair % 2 === 1;
    const first = await run(isThereFirst ? directory : HERE);
    const second = await run(isThereFirst ? HERE : directory);
    measured.push(isThereFirst ? { there: first, here: second } : { there: second, here: first });
  }
  const compared = comparedFigures(measured);
  printTable(
    ['figure', 'there', 'here', 'gain', 'least to most', 'pairs'],
    compared.map(({ name, unit, there, here, gain, pairs: count }) => [
      name,
      `${rounded(there)} ${unit}`.trim(),
      `${rounded(here)} ${unit}`.trim(),
      String(rounded(gain.median)),
      `${rounded(gain.least)} to ${rounded(gain.most)}`,
      String(count),
    ]),
  );
  console.log(JSON.stringify({ compared }));
};

const figuresOf = async (
  tree: string,
  options: readonly string[],
  isQuiet: boolean,
): Promise<readonly MeasuredFigure[]> => {
  const printed = await new Promise<string>((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'test/bench/run.ts', ...options], {
      cwd: tree,
      stdio: ['ignore', 'pipe', isQuiet ? 'ignore' : 'inherit'],
    });
    const end = () => child.kill();
    process.once('exit', end);
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    // The directory is not there: it prints nothing.
    child.once('error', () => resolve(''));
    child.once('close', () => {
      process.off('exit', end);
      resolve(text);
    });
  });
  const last = printed.trimEnd().split('\n').at(-1) ?? '';
  if (!last.startsWith('{"figures"'))
    throw new Error(`${tree} printed no figures: is it this project, with \`npm ci\` done?`);
  return (JSON.parse(last) as { readonly figures: readonly MeasuredFigure[] }).figures;
};
