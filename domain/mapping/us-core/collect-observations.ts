import { WARNING_REASONS } from '../../course/course.ts';
import { GESTATION_DAYS } from '../../course/possible-ranges.ts';
import { isDate, toDayNumber } from '../../fhir/dates.ts';
import { countSecondsBetween } from '../../fhir/moments.ts';
import { READING_REASONS } from '../../fhir/readings.ts';
import { spendBudget } from '../../fhir/steps.ts';
import {
  type ChartTimeline,
  type ChildMatcher,
  canBeginPregnancy,
  isAroundBirth,
  isInPregnancy,
  TERM_DAYS,
} from './birth-window.ts';
import type { ReadObservation } from './observations.ts';
import type { PrefillBuilder } from './prefill-builder.ts';

export interface ObservationContext {
  readonly as: 'mother' | 'newborn';
  readonly times: ChartTimeline;
  readonly rowOf: ChildMatcher;
  readonly rows: number;
  /** Time of the newborn's birth, or null if its chart has none. */
  readonly birthTime: string | null;
  readonly findings: PrefillBuilder;
}

const UNDATED = 'The EHR gives no date: check that it is of this birth.';
const UNDATED_LENGTH = 'The EHR gives no date: check that it is the age at birth.';
const LONG_AGO = 'It is more than a year old: check that it is of this birth.';
const OF_EARLIER_BIRTH = 'It is from another birth.';
const OF_ANOTHER_TIME = 'It is from another time than this pregnancy.';
const UNCLEAR_CHILD = 'The chart does not say of which child it is.';
const COUNTS_THIS_CHILD = 'Noted after the birth: check that this child is not counted.';

export const collectObservations = (
  observations: readonly ReadObservation[],
  context: ObservationContext,
): void => {
  takeBirths(observations, context);
  if (context.as === 'newborn') takeFirstWeight(observations, context);
  takeGestation(observations, context);
  takeOutcomes(observations, context);
  if (context.as === 'mother') takePregnancy(observations, context);
};

type Group = ReadObservation['kind']['group'];

type OfGroup<G extends Group> = ReadObservation & { readonly kind: { readonly group: G } };

const selectGroup = <G extends Group>(
  observations: readonly ReadObservation[],
  group: G,
): readonly OfGroup<G>[] => {
  spendBudget(observations.length);
  return observations.filter((one): one is OfGroup<G> => one.kind.group === group);
};

const readOrSkip = (
  { reading, kind, said, from }: ReadObservation,
  findings: PrefillBuilder,
): string | number | boolean | null => {
  if (reading.kind === 'value') return reading.value;
  if (reading.kind === 'left-out')
    findings.skip({ what: kind.what, said, why: `${READING_REASONS[reading.reason]}.`, from });
  return null;
};

const skip = ({ kind, said, from }: ReadObservation, why: string, findings: PrefillBuilder): void =>
  findings.skip({ what: kind.what, said, why, from });

/** A mother's chart may contain values of an earlier child. */
const isOfEarlierBirth = (one: ReadObservation, { as, times }: ObservationContext): boolean => {
  const day = one.moment?.day ?? null;
  if (as === 'newborn' || day === null) return false;
  return times.birth === null || day < times.birth.earliest - 7;
};

const findCaution = ({ moment }: ReadObservation, { isLongAgo }: ChartTimeline): string | null => {
  if (moment === null) return UNDATED;
  return isLongAgo ? LONG_AGO : null;
};

const takeBirths = (
  observations: readonly ReadObservation[],
  context: ObservationContext,
): void => {
  const { findings } = context;
  const births = selectGroup(observations, 'birth');
  const contradictions = findContradictions(births, context);
  for (const one of births) {
    const row = context.rowOf(one);
    if (row === 'other') {
      findings.countOmitted(1);
      continue;
    }
    if (isOfEarlierBirth(one, context)) {
      skip(one, OF_EARLIER_BIRTH, findings);
      continue;
    }
    if (row === 'unclear' || isOneOfSeveral(one, contradictions)) {
      skip(one, UNCLEAR_CHILD, findings);
      continue;
    }
    const value = readOrSkip(one, findings);
    if (value === null) continue;
    const caution = context.as === 'mother' ? findCaution(one, context.times) : null;
    const { kind, from } = one;
    findings.addCandidate(`children.${row}.${kind.path}`, { value, from, caution });
  }
};

/** Two birth weights belong to two children, even if nothing mentions twins. */
const findContradictions = (
  births: readonly OfGroup<'birth'>[],
  { as }: ObservationContext,
): ReadonlySet<string> => {
  const readings = new Map<string, string>();
  const contradictions = new Set<string>();
  if (as === 'newborn') return contradictions;
  for (const one of births) {
    if (one.focus.length > 0) continue;
    const field = formatFieldAndDay(one);
    const reading = JSON.stringify(one.reading);
    const first = readings.get(field);
    if (first === undefined) readings.set(field, reading);
    else if (first !== reading) contradictions.add(field);
  }
  return contradictions;
};

const formatFieldAndDay = ({ kind, moment }: OfGroup<'birth'>): string =>
  `${kind.path} ${moment?.day}`;

const isOneOfSeveral = (one: OfGroup<'birth'>, contradictions: ReadonlySet<string>): boolean =>
  one.focus.length === 0 && contradictions.has(formatFieldAndDay(one));

const DAY_SECONDS = 86_400;

const takeFirstWeight = (
  observations: readonly ReadObservation[],
  context: ObservationContext,
): void => {
  const { findings, times, birthTime, rowOf } = context;
  const path = 'children.0.birth_weight_grams';
  if (findings.has(path)) return;
  const isWithinADay = ({ moment }: ReadObservation): boolean => {
    if (moment === null || times.birth === null) return false;
    const seconds = birthTime === null ? null : countSecondsBetween(birthTime, moment.text);
    return seconds === null
      ? moment.day === times.birth.earliest
      : seconds >= 0 && seconds <= DAY_SECONDS;
  };
  for (const one of selectGroup(observations, 'first-weight').toReversed()) {
    if (rowOf(one) !== 0 || !isWithinADay(one)) continue;
    const value = readOrSkip(one, findings);
    if (value === null) continue;
    const derived = 'The first weight in the chart, taken within a day of the birth.';
    findings.addCandidate(path, { value, from: one.from, derived });
    return;
  }
};

const takeGestation = (
  observations: readonly ReadObservation[],
  context: ObservationContext,
): void => {
  const { findings, times, rows, rowOf } = context;
  const lengths = selectGroup(observations, 'gestation');
  let isTaken = false;
  const unsure: ReadObservation[] = [];
  for (const one of [...lengths].sort((a, b) => Number(b.kind.atBirth) - Number(a.kind.atBirth))) {
    const isAround = isAroundBirth(one.moment?.day ?? null, times);
    const isAtBirth = one.kind.atBirth || isAround === true || one.moment === null;
    if (isOfEarlierBirth(one, context) || !isAtBirth) {
      unsure.push(one);
      continue;
    }
    const row = rowOf(one);
    if (row === 'other') {
      findings.countOmitted(1);
      continue;
    }
    const days = readOrSkip(one, findings);
    if (typeof days !== 'number') continue;
    isTaken = true;
    const caution = one.moment === null ? UNDATED_LENGTH : null;
    // Applies to all children of the pregnancy, unless its focus is one of them.
    const children = one.focus.length > 0 && row !== 'unclear' ? [row] : [...Array(rows).keys()];
    for (const child of children)
      findings.offerGestation(`children.${child}.`, days, { from: one.from, caution });
  }
  if (isTaken || offerGestationByDueDate(observations, context)) return;
  const [latest] = unsure;
  if (latest !== undefined)
    skip(latest, 'It is not clear that this is the age at birth.', findings);
};

const offerGestationByDueDate = (
  observations: readonly ReadObservation[],
  { times, rows, findings }: ObservationContext,
): boolean => {
  const { birth } = times;
  if (birth === null || !birth.isExact) return false;
  for (const one of selectGroup(observations, 'due-date')) {
    if (one.reading.kind !== 'value') continue;
    const due = String(one.reading.value);
    if (!isDate(due)) continue;
    const days = TERM_DAYS - (toDayNumber(due) - birth.earliest);
    if (days < GESTATION_DAYS.from || days > GESTATION_DAYS.to) continue;
    const derived = 'Worked out from the due date and the day of birth.';
    for (let child = 0; child < rows; child += 1)
      findings.offerGestation(`children.${child}.`, days, { from: one.from, derived });
    return true;
  }
  return false;
};

const takeOutcomes = (
  observations: readonly ReadObservation[],
  context: ObservationContext,
): void => {
  const { findings, times, as } = context;
  for (const one of selectGroup(observations, 'outcome')) {
    if (as === 'mother' && isAroundBirth(one.moment?.day ?? null, times) === false) {
      skip(one, OF_EARLIER_BIRTH, findings);
      continue;
    }
    const value = readOrSkip(one, findings);
    if (value !== null) findings.addCandidate(one.kind.path, { value, from: one.from });
  }
  addDeliveredCounts(observations, context);
};

/** Adds live births and fetal deaths of the delivery, if nothing else states the plurality. */
const addDeliveredCounts = (
  observations: readonly ReadObservation[],
  { findings, times, as }: ObservationContext,
): void => {
  if (findings.has('plurality')) return;
  const [born, died] = (['live-births', 'fetal-deaths'] as const).map((group) =>
    selectGroup(observations, group).find(
      ({ moment, reading }) =>
        reading.kind === 'value' &&
        (as === 'newborn' || isAroundBirth(moment?.day ?? null, times) !== false),
    ),
  );
  const known = born ?? died;
  if (known === undefined) return;
  const sum = readCount(born) + readCount(died);
  const derived = 'Live births and fetal deaths of this delivery together.';
  if (born === undefined || died === undefined)
    skip(known, `${WARNING_REASONS['plurality-incomplete']}.`, findings);
  else if (sum > 0) findings.addCandidate('plurality', { value: sum, from: born.from, derived });
};

const readCount = (one: ReadObservation | undefined): number =>
  one?.reading.kind === 'value' ? Number(one.reading.value) : 0;

const PREVIOUS_BIRTHS: ReadonlySet<string> = new Set([
  'previous_births_living',
  'previous_births_dead',
]);

const takePregnancy = (
  observations: readonly ReadObservation[],
  context: ObservationContext,
): void => {
  const { findings, times } = context;
  const dayByPath = new Map<string, string>();
  spendBudget(observations.length);
  for (const one of observations) {
    const { kind, moment, from } = one;
    const day = moment?.day ?? null;
    if (kind.group === 'parity' || kind.group === 'smoking') {
      addObservationHint(one, times, findings);
      continue;
    }
    if (kind.group !== 'pregnancy' && kind.group !== 'body') continue;
    // A later value replaces earlier ones; different values on the same day are a conflict.
    const on = moment?.text.slice(0, 'YYYY-MM-DD'.length) ?? '';
    if ((dayByPath.get(kind.path) ?? on) !== on) continue;
    if (kind.group === 'pregnancy' && day !== null && !isInPregnancy(day, times)) {
      skip(one, OF_ANOTHER_TIME, findings);
      continue;
    }
    const value = readOrSkip(one, findings);
    if (value === null) continue;
    if (
      kind.path === 'last_menstrual_period' &&
      isDate(String(value)) &&
      !canBeginPregnancy(toDayNumber(String(value)), times)
    ) {
      skip(one, OF_ANOTHER_TIME, findings);
      continue;
    }
    const isAfterBirth = times.birth !== null && day !== null && day >= times.birth.earliest;
    const countCaution = PREVIOUS_BIRTHS.has(kind.path) && isAfterBirth ? COUNTS_THIS_CHILD : null;
    dayByPath.set(kind.path, on);
    findings.addCandidate(kind.path, {
      value,
      from,
      caution:
        kind.group === 'pregnancy' ? (findCaution(one, times) ?? countCaution) : countCaution,
    });
  }
};

const addObservationHint = (
  one: ReadObservation,
  times: ChartTimeline,
  findings: PrefillBuilder,
): void => {
  const { kind, moment, from } = one;
  const day = moment?.day ?? null;
  if (day !== null && !isInPregnancy(day, times)) return;
  const value = readOrSkip(one, findings);
  if (value === null) return;
  const text = `${kind.what}: ${String(value)}`;
  if (kind.group === 'smoking') findings.addHint({ kind: 'smoking', path: null, text, from });
  else findings.addHint({ kind: 'parity', path: 'previous_births_living', text, from });
};
