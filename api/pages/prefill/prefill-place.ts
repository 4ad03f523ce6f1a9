import { combinePrefills } from '../../../domain/intake/us-core/combined-prefill.ts';
import type { Prefill, SavedPrefill } from '../../../domain/intake/us-core/prefill.ts';

/** Where a pre-fill is looked over and saved. */
export const PREFILL_PATH = '/registry/capture/prefill';

/** Where one of the browser's pre-fills is found. */
export const prefillAt = (prefillId: string): string => `${PREFILL_PATH}?id=${prefillId}`;

/** Whose chart a pre-fill may be taken for. */
export type TakenAs = Prefill['as'];

/** The person whose chart it is, as a text says it; null for neither. */
export const takenAs = (text: string): TakenAs | null =>
  text === 'mother' || text === 'newborn' ? text : null;

/** The charts of one birth that are looked over and saved together. */
export interface TakenCharts {
  /** The one whose form it is. */
  readonly kept: SavedPrefill;
  readonly as: TakenAs;
  /** Charts that were added to it: beside a newborn's the mother's first, all others are newborns'. */
  readonly others: readonly SavedPrefill[];
}

/** What the charts say, taken together. */
export const prefillOf = ({ kept, as, others }: TakenCharts): Prefill => {
  const own = as === 'mother' ? kept.chart.asMother : kept.chart.asNewborn;
  const [first, ...rest] = others;
  if (first === undefined) return own;
  const newborns = (charts: readonly SavedPrefill[]) => charts.map(({ chart }) => chart.asNewborn);
  return as === 'mother'
    ? combinePrefills(own, newborns(others))
    : combinePrefills(first.chart.asMother, [own, ...newborns(rest)]);
};

/** Whose chart the next one that is added would be. */
export const nextIsOf = ({ as, others }: Pick<TakenCharts, 'as' | 'others'>): TakenAs =>
  as === 'newborn' && others.length === 0 ? 'mother' : 'newborn';

/**
 * The launches of the browser that can be added: of the same EHR, and not plainly the chart of the other
 * person.
 */
export const chartsToAdd = (
  taken: TakenCharts,
  launches: readonly SavedPrefill[],
): readonly SavedPrefill[] => {
  const used = [taken.kept, ...taken.others];
  const person = nextIsOf(taken);
  return launches.filter(
    ({ prefillId, chart }) =>
      used.every((one) => one.prefillId !== prefillId && !isSamePatient(one.chart, chart)) &&
      chart.issuer === taken.kept.chart.issuer &&
      (chart.launched ?? person) === person,
  );
};

const isSamePatient = (one: SavedPrefill['chart'], other: SavedPrefill['chart']): boolean =>
  JSON.stringify(one.person) === JSON.stringify(other.person);
