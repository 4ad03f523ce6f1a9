type Bound = { readonly atLeast: number } | { readonly atMost: number };

/** A figure beside what is wanted of it. */
export interface MeasuredFigure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the last release reached, with room for noise. */
  readonly wanted: Bound;
  /** What we work toward, if it is more. */
  readonly aim?: Bound;
  /** What it is made of. */
  readonly parts: Readonly<Record<string, number>>;
}

/** Whether a figure is not as it is wanted. */
export const isMissed = ({ value, wanted }: MeasuredFigure): boolean =>
  'atLeast' in wanted ? !(value >= wanted.atLeast) : !(value <= wanted.atMost);

const formatBound = (bound: Bound): string =>
  'atLeast' in bound ? `≥ ${bound.atLeast}` : `≤ ${bound.atMost}`;

const DIGITS = 3;
/** To three digits. */
export const rounded = (value: number): number => Number(value.toPrecision(DIGITS));

/** Prints a table in Markdown. */
export const printTable = (
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): void => {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  console.log(lineOf(heads));
  console.log(`|${'---|'.repeat(heads.length)}`);
  for (const row of rows) console.log(lineOf(row));
};

/** Prints a table to read and, as the last line, the same as JSON. */
export const printFigures = (figures: readonly MeasuredFigure[]): void => {
  printTable(
    ['figure', 'measured', 'wanted', 'holds', 'aim', 'made of'],
    figures.map((figure) => [
      figure.name,
      `${rounded(figure.value)} ${figure.unit}`.trim(),
      formatBound(figure.wanted),
      isMissed(figure) ? 'no' : 'yes',
      figure.aim === undefined ? '' : formatBound(figure.aim),
      Object.entries(figure.parts)
        .map(([name, value]) => `${name} ${rounded(value)}`)
        .join(', '),
    ]),
  );
  console.log(JSON.stringify({ figures }));
};
