/** A figure beside what is wanted of it. */
export interface MeasuredFigure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly wanted: { readonly atLeast: number } | { readonly atMost: number };
  /** What it is made of. */
  readonly parts: Readonly<Record<string, number>>;
}

/** Whether a figure is not as it is wanted. */
export const isMissed = ({ value, wanted }: MeasuredFigure): boolean =>
  'atLeast' in wanted ? !(value >= wanted.atLeast) : !(value <= wanted.atMost);

const DIGITS = 3;
const rounded = (value: number): number => Number(value.toPrecision(DIGITS));

/** Prints a table to read and, as the last line, the same as JSON. */
export const printFigures = (figures: readonly MeasuredFigure[]): void => {
  const rows = figures.map((figure) => ({
    figure: figure.name,
    measured: `${rounded(figure.value)} ${figure.unit}`.trim(),
    wanted: 'atLeast' in figure.wanted ? `≥ ${figure.wanted.atLeast}` : `≤ ${figure.wanted.atMost}`,
    holds: isMissed(figure) ? 'no' : 'yes',
    parts: Object.entries(figure.parts)
      .map(([name, value]) => `${name} ${rounded(value)}`)
      .join(', '),
  }));
  console.log('| figure | measured | wanted | holds | made of |\n|---|---|---|---|---|');
  for (const { figure, measured, wanted, holds, parts } of rows)
    console.log(`| ${figure} | ${measured} | ${wanted} | ${holds} | ${parts} |`);
  console.log(JSON.stringify({ figures }));
};
