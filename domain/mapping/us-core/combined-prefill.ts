import { mapChildIndex } from '../../course/course-paths.ts';
import { MAX_CHILDREN } from '../../course/limits.ts';
import type { Prefill, PrefillHint, PrefillValue } from './prefill.ts';

const WEEKS = 'gestational_age_weeks';
const DAYS = 'gestational_age_days';

type Values = Readonly<Record<string, readonly PrefillValue[]>>;

/**
 * If two charts differ, both values are candidates, that of the person described first. Each newborn
 * gets the row of its birth order, else the next free row.
 */
export const combinePrefills = (mother: Prefill, newborns: readonly Prefill[]): Prefill => {
  const rows = assignRows(newborns);
  const placed = newborns.map((newborn, index) => moveToRow(newborn, rows[index] ?? index));
  const values: Record<string, readonly PrefillValue[]> = {};
  const charts = [mother, ...placed];
  for (const path of new Set(charts.flatMap((chart) => Object.keys(chart.values)))) {
    if (path.endsWith(DAYS)) continue;
    const owners = path.startsWith('children.') ? [...placed, mother] : charts;
    if (path.endsWith(WEEKS)) Object.assign(values, combineGestation(owners, path));
    else values[path] = removeDuplicates(owners.flatMap((chart) => chart.values[path] ?? []));
  }
  return {
    as: 'mother',
    values,
    children: Math.max(mother.children, ...rows.map((row) => row + 1)),
    hints: removeDuplicates(charts.flatMap(({ hints }) => hints)),
    notTaken: charts.flatMap(({ notTaken }) => notTaken),
    leftOut: charts.reduce((sum, { leftOut }) => sum + leftOut, 0),
  };
};

const assignRows = (newborns: readonly Prefill[]): readonly number[] => {
  const ordered = newborns.map(({ values }) => {
    const order = values['children.0.birth_order']?.[0]?.value;
    return typeof order === 'number' && order >= 1 && order <= MAX_CHILDREN ? order - 1 : null;
  });
  // The row of a birth order is reserved for the first newborn with that order; a second one gets a
  // free row.
  const isNamed = (row: number, index: number) => ordered.indexOf(row) === index;
  const free = Array.from({ length: MAX_CHILDREN }, (_, row) => row).filter(
    (row) => !ordered.includes(row),
  );
  return ordered.map((row, index) =>
    row !== null && isNamed(row, index) ? row : (free.shift() ?? index),
  );
};

const moveToRow = (newborn: Prefill, row: number): Prefill => {
  const toRowPath = (path: string): string => mapChildIndex(path, () => row);
  return {
    ...newborn,
    values: Object.fromEntries(
      Object.entries(newborn.values).map(([path, candidates]) => [
        toRowPath(path),
        candidates.map(
          (one): PrefillValue => (one.subject === 'child' ? { ...one, child: row } : one),
        ),
      ]),
    ),
    hints: newborn.hints.map(
      (hint): PrefillHint => ({
        ...hint,
        path: hint.path === null ? null : toRowPath(hint.path),
      }),
    ),
  };
};

/** In pairs, so that the two lists remain parallel. */
const combineGestation = (charts: readonly Prefill[], path: string): Values => {
  const daysPath = path.replace(WEEKS, DAYS);
  const pairs = charts.flatMap(({ values }) =>
    (values[path] ?? []).flatMap((weeks, index) => {
      const days = values[daysPath]?.[index];
      return days === undefined
        ? []
        : [{ value: [String(weeks.value), String(days.value)], weeks, days }];
    }),
  );
  const uniquePairs = removeDuplicates(pairs);
  return {
    [path]: uniquePairs.map(({ weeks }) => weeks),
    [daysPath]: uniquePairs.map(({ days }) => days),
  };
};

const removeDuplicates = <T extends { readonly value?: unknown; readonly text?: string }>(
  all: readonly T[],
): readonly T[] => {
  const seen = new Map<string, T>();
  for (const one of all) {
    const key = JSON.stringify([one.value, one.text]);
    if (!seen.has(key)) seen.set(key, one);
  }
  return [...seen.values()];
};
