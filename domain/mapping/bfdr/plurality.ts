import type { Child } from '../../course/course.ts';
import type { JsonObject } from '../../fhir/json.ts';
import {
  isMultipleBirth,
  isOrderInferred,
  isTotalVerbatim,
  readTotal,
} from '../from-fhir/patient-values.ts';
import type { WarningCollector } from './warning-collector.ts';

export interface Delivered {
  readonly live_births: number | null;
  readonly fetal_deaths: number | null;
}

const FIELD = 'plurality';

/**
 * Patient's total, else the Observation, else the sum of the outcomes, else one if a Patient states a
 * single birth. A number below any birth order is ignored.
 */
export const readPlurality = (
  patients: readonly JsonObject[],
  children: readonly Pick<Child, 'birth_order'>[],
  observed: number | null,
  delivered: Delivered,
  notes: WarningCollector,
): number | null => {
  const totals = patients.map(readTotal);
  const [total] = totals.flatMap((one) => (one.kind === 'value' ? [one.value] : []));
  for (const one of totals) {
    if (one.kind === 'left-out') notes.unwrap(FIELD, null, one);
    if (one.kind === 'value' && one.value !== total) notes.warn(FIELD, null, one.value, 'repeated');
  }
  if (total === undefined && totals.some(({ kind }) => kind === 'unknown')) return null;
  if (total !== undefined && patients.some(isTotalVerbatim)) return total;
  const sum = addOutcomes(delivered);
  const highest = Math.max(0, ...children.map(({ birth_order }) => birth_order ?? 0));
  const isSingle = children.length === 1 && patients.some((one) => isMultipleBirth(one) === false);
  for (const candidate of [total ?? null, observed, sum, isSingle ? 1 : null]) {
    if (candidate === null) continue;
    if (candidate >= highest) {
      if (candidate === 1 && patients.some((one) => isMultipleBirth(one) === true))
        notes.warn(FIELD, null, 'true', 'multiple-alone');
      return candidate;
    }
    notes.warn(FIELD, null, candidate, 'below-birth-order');
  }
  const alone = sum === null ? (delivered.live_births ?? delivered.fetal_deaths) : null;
  if (alone !== null) notes.warn(FIELD, null, alone, 'plurality-incomplete');
  return null;
};

/**
 * If several children were born together, one of the two is wrong, and which was born first is not said.
 */
export const forgetContradictedOrders = <Sent extends Pick<Child, 'birth_order'>>(
  patients: readonly JsonObject[],
  children: readonly Sent[],
  plurality: number | null,
  notes: WarningCollector,
): readonly Sent[] => {
  if (Math.max(plurality ?? 0, children.length) <= 1) return children;
  return children.map((child, index) => {
    if (child.birth_order === null || !isOrderInferred(patients[index] ?? {})) return child;
    notes.warn('children.birth_order', index, 'false', 'single-among-several');
    return { ...child, birth_order: null };
  });
};

const addOutcomes = ({ live_births, fetal_deaths }: Delivered): number | null => {
  if (live_births === null || fetal_deaths === null) return null;
  const sum = live_births + fetal_deaths;
  return sum === 0 ? null : sum;
};
