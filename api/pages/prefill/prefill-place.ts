import { combinePrefills } from '../../../domain/mapping/us-core/combined-prefill.ts';
import type { Prefill, SavedPrefill } from '../../../domain/mapping/us-core/prefill.ts';

export const PREFILL_PATH = '/registry/capture/prefill';

export const buildPrefillPath = (prefillId: string): string => `${PREFILL_PATH}?id=${prefillId}`;

export type ChartRole = Prefill['as'];

/** Parses the person; `null` if neither. */
export const parseChartRole = (text: string): ChartRole | null =>
  text === 'mother' || text === 'newborn' ? text : null;

export interface SelectedCharts {
  /** Chart whose form is open. */
  readonly primary: SavedPrefill;
  readonly as: ChartRole;
  /** Added charts: for a newborn, the mother's comes first; all others are newborns'. */
  readonly others: readonly SavedPrefill[];
}

export const buildPrefill = ({ primary, as, others }: SelectedCharts): Prefill => {
  const own = as === 'mother' ? primary.chart.asMother : primary.chart.asNewborn;
  const [first, ...rest] = others;
  if (first === undefined) return own;
  const listNewborns = (charts: readonly SavedPrefill[]) =>
    charts.map(({ chart }) => chart.asNewborn);
  return as === 'mother'
    ? combinePrefills(own, listNewborns(others))
    : combinePrefills(first.chart.asMother, [own, ...listNewborns(rest)]);
};

export const getNextChartRole = ({
  as,
  others,
}: Pick<SelectedCharts, 'as' | 'others'>): ChartRole =>
  as === 'newborn' && others.length === 0 ? 'mother' : 'newborn';

/** Launches that can be added: from the same EHR, and not clearly another person's chart. */
export const listChartsToAdd = (
  taken: SelectedCharts,
  launches: readonly SavedPrefill[],
): readonly SavedPrefill[] => {
  const used = [taken.primary, ...taken.others];
  const person = getNextChartRole(taken);
  return launches.filter(
    ({ prefillId, chart }) =>
      used.every((one) => one.prefillId !== prefillId && !isSamePatient(one.chart, chart)) &&
      chart.issuer === taken.primary.chart.issuer &&
      (chart.launched ?? person) === person,
  );
};

const isSamePatient = (one: SavedPrefill['chart'], other: SavedPrefill['chart']): boolean =>
  JSON.stringify(one.person) === JSON.stringify(other.person);
