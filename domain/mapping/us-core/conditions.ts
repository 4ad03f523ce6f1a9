import { readCodings } from '../../fhir/coded-values.ts';
import { findExtension } from '../../fhir/extensions.ts';
import { asObject, type JsonObject } from '../../fhir/json.ts';
import { findFirstMoment, type Moment } from '../../fhir/moments.ts';
import { READING_REASONS } from '../../fhir/readings.ts';
import { formatResourceName } from '../../fhir/resources.ts';
import { spendBudget } from '../../fhir/steps.ts';
import { type ChartTimeline, isAroundBirth, isInPregnancy } from './birth-window.ts';
import { type LocalTimes, pickTimes } from './chart-clock.ts';
import {
  type DeliveryDiagnosis,
  findDeliveryDiagnosis,
  findDiagnosisCode,
  findDiagnosisFamily,
  hasKnownSystem,
  isDiagnosisOfOtherSystem,
  isMultipleDiagnosis,
} from './diagnosis-codes.ts';
import type { EhrSourceWithDisplay } from './prefill.ts';
import {
  addDate,
  type PrefillBuilder,
  readCodedSource,
  readConceptText,
  type UndatedSource,
} from './prefill-builder.ts';

export const VOID_VERIFICATIONS: ReadonlySet<string> = new Set(['refuted', 'entered-in-error']);

export interface ReadCondition {
  readonly from: EhrSourceWithDisplay;
  readonly moment: Moment | null;
  readonly delivery: DeliveryDiagnosis | null;
  readonly family: ReturnType<typeof findDiagnosisFamily>;
  readonly words: string | null;
  /** True if only its words say what it is, since it has no code that could be recognized. */
  readonly isWordsOnly: boolean;
  /** True for a multiple gestation or birth. */
  readonly isMultiple: boolean;
  readonly isOfOtherSystem: boolean;
}

export interface UndatedCondition extends Omit<ReadCondition, 'moment' | 'from'> {
  readonly from: UndatedSource;
  /** Best first. */
  readonly onset: readonly string[];
  /** Date of the assertion, which is not converted, or null. */
  readonly asserted: Moment | null;
  readonly recorded: readonly string[];
}

export const readConditions = (
  conditions: readonly JsonObject[],
): { readonly undated: readonly UndatedCondition[]; readonly leftOut: number } => {
  const standing = conditions.filter(
    ({ verificationStatus }) =>
      !readCodings(verificationStatus).some(({ code }) => VOID_VERIFICATIONS.has(code ?? '')),
  );
  return { undated: standing.map(readOne), leftOut: conditions.length - standing.length };
};

const readOne = (condition: JsonObject): UndatedCondition => {
  const { code } = condition;
  const delivery = findDeliveryDiagnosis(code);
  const asserted = findExtension(condition, 'condition-assertedDate');
  return {
    from: readCodedSource(formatResourceName(condition), code, findDiagnosisCode(code)),
    delivery,
    family: findDiagnosisFamily(code),
    words: readConceptText(code),
    isWordsOnly: !hasKnownSystem(code),
    isMultiple: isMultipleDiagnosis(code) || (delivery?.plurality ?? 1) > 1,
    isOfOtherSystem: isDiagnosisOfOtherSystem(code),
    onset: pickTimes([condition['onsetDateTime'], asObject(condition['onsetPeriod'])['start']]),
    asserted: findFirstMoment(asserted?.['valueDateTime']),
    recorded: pickTimes([condition['recordedDate']]),
  };
};

export const dateConditions = (
  conditions: readonly UndatedCondition[],
  { toLocal }: LocalTimes,
): readonly ReadCondition[] => {
  spendBudget(conditions.length);
  return conditions.map(({ onset, asserted, recorded, ...undated }) => {
    const moment =
      findFirstMoment(...onset.map(toLocal)) ??
      asserted ??
      findFirstMoment(...recorded.map(toLocal));
    return { ...undated, moment, from: addDate(undated.from, moment) };
  });
};

const isOfThisBirth = (moment: Moment | null, times: ChartTimeline): boolean =>
  isAroundBirth(moment?.day ?? null, times) ??
  (moment === null || moment.day === null || isInPregnancy(moment.day, times));

export const takeConditions = (
  conditions: readonly ReadCondition[],
  times: ChartTimeline,
  findings: PrefillBuilder,
): void => {
  spendBudget(conditions.length);
  for (const condition of conditions) {
    const { moment, from, delivery, isOfOtherSystem } = condition;
    if (isOfOtherSystem) {
      const why = `${READING_REASONS['system-unknown']}.`;
      findings.skip({ what: 'Diagnosis', said: from.code, why, from });
    }
    if (delivery !== null && isOfThisBirth(moment, times)) {
      const derived = 'Worked out from a diagnosis.';
      const { plurality, deliveryMethod, isInHospital } = delivery;
      if (plurality !== null)
        findings.addCandidate('plurality', { value: plurality, from, derived });
      if (deliveryMethod !== null)
        findings.addCandidate('delivery_method', { value: deliveryMethod, from, derived });
      if (isInHospital) {
        const text = 'A diagnosis says that the child was born in a hospital.';
        findings.addHint({ kind: 'place', path: 'place_of_birth', value: 'Hospital', text, from });
      }
    }
    const text = describeCondition(condition, times);
    if (text !== null) findings.addHint({ kind: 'condition', path: null, text, from });
  }
};

/**
 * `null` if not asked for or not from this pregnancy. Without a date and a known code, only a person can
 * tell.
 */
const describeCondition = (
  { moment, words, family, isWordsOnly }: ReadCondition,
  times: ChartTimeline,
): string | null => {
  const day = moment?.day ?? null;
  const isNow = day === null ? null : isInPregnancy(day, times);
  if (family !== null && (!family.isOfPregnancy || isNow !== false))
    return words === null || words.toLowerCase().startsWith(family.label.toLowerCase())
      ? (words ?? family.label)
      : `${family.label}: ${words}`;
  return (isNow ?? isWordsOnly) ? words : null;
};

export const hasMultipleGestation = (
  conditions: readonly ReadCondition[],
  times: ChartTimeline,
): boolean =>
  conditions.some(
    ({ moment, isMultiple }) =>
      isMultiple && (moment === null || moment.day === null || isInPregnancy(moment.day, times)),
  );
