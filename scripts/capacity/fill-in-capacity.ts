type Inputs = Readonly<Record<string, number>>;

type Formula = (input: Inputs, births: number) => string;

const SECONDS_IN_A_YEAR = 31_536_000;
const DAYS_IN_A_YEAR = 365;
const YEARS = 10;
const KB = 1_000;

/** Formulas by the first cell of their row in `docs/capacity.md`, which documents them. */
const FORMULAS: Readonly<Record<string, Formula>> = {
  'births/s, average': (_, births) => formatNumber(births / SECONDS_IN_A_YEAR),
  'births/s, peak': (input, births) => formatNumber(computePeak(input, births)),
  'pushes/s, peak': (input, births) => formatNumber(computePushes(input, births)),
  'polls/s, peak': (input, births) =>
    formatNumber(computePushes(input, births) * get(input, 'POLLS')),
  'machines, small Bundles': (input, births) => computeMachines(input, births, 'E2E'),
  'machines, complete Bundles': (input, births) => computeMachines(input, births, 'E2E_COMPLETE'),
  'a day of births at once, in batches': (input, births) =>
    formatDuration(births / DAYS_IN_A_YEAR / get(input, 'E2E_BATCH')),
  'the 202s of that day, single pushes': (input, births) =>
    formatDuration(births / DAYS_IN_A_YEAR / get(input, 'INTAKE')),
  'versions in a year': (input, births) => formatCount(births * get(input, 'VERSIONS')),
  'log in a year': (input, births) => formatBytes(computeLogBytes(input, births)),
  'tables in a year': (input, births) => formatBytes(computeTableBytes(input, births)),
  'log and tables after ten years': (input, births) =>
    formatBytes(YEARS * (computeLogBytes(input, births) + computeTableBytes(input, births))),
  'events in ten years': (input, births) => formatCount(YEARS * countEventsInYear(input, births)),
  'rebuild after ten years': (input, births) =>
    formatDuration((YEARS * countEventsInYear(input, births)) / get(input, 'REBUILD')),
  'records that wait after an hour without the log, at peak': (input, births) =>
    formatNumber(computePushes(input, births) * 3_600),
};

const computePeak = (input: Inputs, births: number): number =>
  (births / SECONDS_IN_A_YEAR) * get(input, 'PEAK');

const computePushes = (input: Inputs, births: number): number =>
  computePeak(input, births) * get(input, 'PUSHES');

const computeMachines = (input: Inputs, births: number, pace: string): string =>
  formatNumber(Math.ceil(computePushes(input, births) / (get(input, pace) * get(input, 'USE'))));

const computeLogBytes = (input: Inputs, births: number): number =>
  births * get(input, 'VERSIONS') * get(input, 'LOG_BYTES') * KB;

const computeTableBytes = (input: Inputs, births: number): number =>
  births * get(input, 'TABLE_BYTES') * KB * (1 + (get(input, 'VERSIONS') - 1) * 0.5);

const countEventsInYear = (input: Inputs, births: number): number =>
  births * (get(input, 'VERSIONS') + get(input, 'PUSHES'));

const get = (input: Inputs, name: string): number => {
  const value = input[name];
  if (value === undefined) throw new Error(`docs/capacity.md has no input ${name}.`);
  return value;
};

/** @throws Error if a row has no formula, or names a figure that was not measured */
export const fillInCapacity = (document: string, performance: string): string => {
  const lines = document.split('\n').map((line) => fillInMeasuredValue(line, performance));
  return fillInComputedRows(lines.join('\n'), readInputs(lines));
};

/** Row of the input table: name, description, value. */
const INPUT_ROW = /^\| `([A-Z0-9_]+)` \| (.+) \| ([^|]+) \|$/;
/** Figure that the second cell names, with an optional part. */
const NAMED_FIGURE = /: "([^"]+)"(?:, (.+))?$/;

const fillInMeasuredValue = (line: string, performance: string): string => {
  const [, name, what = ''] = INPUT_ROW.exec(line) ?? [];
  const [, figure, part] = NAMED_FIGURE.exec(what) ?? [];
  return name === undefined || figure === undefined
    ? line
    : `| \`${name}\` | ${what} | ${findMeasuredValue(performance, figure, part)} |`;
};

const findMeasuredValue = (
  performance: string,
  figure: string,
  part: string | undefined,
): string => {
  const row = performance.split('\n').find((line) => line.startsWith(`| ${figure} | `));
  const [, , measured = '', , , , parts = ''] = row?.split('|').map((cell) => cell.trim()) ?? [];
  const ofPart = parts.split(', ').find((one) => one.startsWith(`${part} `));
  const value = part === undefined ? measured : ofPart?.slice(part.length + 1);
  if (value === undefined || value === '')
    throw new Error(`docs/performance.md has no "${figure}"${part ? ` with ${part}` : ''}.`);
  const [number = '', unit = ''] = value.split(' ');
  return `${Number(number).toLocaleString('en-US')}${unit === 'KB' ? ' KB' : ''}`;
};

const readInputs = (lines: readonly string[]): Inputs =>
  Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, , value = ''] = INPUT_ROW.exec(line) ?? [];
      return name === undefined
        ? []
        : [[name, Number.parseFloat(value.replaceAll(',', ''))] as const];
    }),
  );

const COMPUTED_TABLE = /^(\| \| United States \| world \|\n\|[-|]+\n)((?:\|.*\n)+)/gm;

const fillInComputedRows = (document: string, input: Inputs): string =>
  document.replaceAll(COMPUTED_TABLE, (_, head: string, rows: string) => {
    const labels = [...rows.matchAll(/^\| ([^|]+) \|/gm)].map(([, label = '']) => label);
    return head + labels.map((label) => buildComputedRow(label, input)).join('');
  });

const buildComputedRow = (label: string, input: Inputs): string => {
  const formula = FORMULAS[label];
  if (formula === undefined) throw new Error(`There is no formula for "${label}".`);
  const cells = ['BIRTHS_US', 'BIRTHS_WORLD'].map((name) => formula(input, get(input, name)));
  return `| ${label} | ${cells.join(' | ')} |\n`;
};

const formatNumber = (value: number): string =>
  value.toLocaleString('en-US', { maximumSignificantDigits: 3 });

const formatCount = (value: number): string =>
  value < 1e9 ? `${formatNumber(value / 1e6)} million` : `${formatNumber(value / 1e9)} billion`;

const formatBytes = (value: number): string =>
  value < 1e12 ? `${formatNumber(value / 1e9)} GB` : `${formatNumber(value / 1e12)} TB`;

const formatDuration = (seconds: number): string => {
  if (seconds < 600) return `${formatNumber(seconds)} s`;
  const hours = seconds / 3_600;
  return hours < 48 ? `${formatNumber(hours)} h` : `${formatNumber(hours / 24)} days`;
};
