import { readCodings } from '../../fhir/coded-values.ts';
import type { JsonObject } from '../../fhir/json.ts';
import { type Moment, readConditionMoment } from '../../fhir/moments.ts';
import { type ChartTimeline, isAroundBirth, isInPregnancy } from './birth-window.ts';
import {
  findDeliveryDiagnosis,
  findDiagnosisCode,
  findDiagnosisFamily,
  isMultipleDiagnosis,
} from './diagnosis-codes.ts';
import { type PrefillBuilder, readConceptText, readFromCoded } from './prefill-builder.ts';

/** Verification statuses of a Condition that is not valid. */
export const VOID_VERIFICATIONS: ReadonlySet<string> = new Set(['refuted', 'entered-in-error']);

/** Returns the valid Conditions, and the number that were refuted or entered in error. */
export const readConditions = (
  conditions: readonly JsonObject[],
): { readonly standing: readonly JsonObject[]; readonly leftOut: number } => {
  const standing = conditions.filter(
    ({ verificationStatus }) =>
      !readCodings(verificationStatus).some(({ code }) => VOID_VERIFICATIONS.has(code ?? '')),
  );
  return { standing, leftOut: conditions.length - standing.length };
};

/** True if a diagnosis can belong to this birth: close to it, or undated. */
const isOfThisBirth = (moment: Moment | null, times: ChartTimeline): boolean =>
  isAroundBirth(moment?.day ?? null, times) ??
  (moment === null || moment.day === null || isInPregnancy(moment.day, times));

/** Offers the delivery facts in diagnoses, and shows the diagnoses that a registrar asks for. */
export const takeConditions = (
  conditions: readonly JsonObject[],
  times: ChartTimeline,
  findings: PrefillBuilder,
): void => {
  for (const condition of conditions) {
    const moment = readConditionMoment(condition);
    const from = readFromCoded(condition, findDiagnosisCode(condition['code']), moment);
    const delivery = findDeliveryDiagnosis(condition['code']);
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
    const text = describeCondition(condition, moment, times);
    if (text !== null) findings.addHint({ kind: 'condition', path: null, text, from });
  }
};

/** Returns null if the diagnosis is not asked for or not from this pregnancy. */
const describeCondition = (
  condition: JsonObject,
  moment: Moment | null,
  times: ChartTimeline,
): string | null => {
  const words = readConceptText(condition['code']);
  const family = findDiagnosisFamily(condition['code']);
  const day = moment?.day ?? null;
  const isNow = day === null ? null : isInPregnancy(day, times);
  if (family !== null && (!family.isOfPregnancy || isNow !== false))
    return words === null || words.toLowerCase().startsWith(family.label.toLowerCase())
      ? (words ?? family.label)
      : `${family.label}: ${words}`;
  return isNow === true ? words : null;
};

/** True if a diagnosis of this pregnancy is a multiple gestation. */
export const hasMultipleGestation = (
  conditions: readonly JsonObject[],
  times: ChartTimeline,
): boolean =>
  conditions.some((condition) => {
    const moment = readConditionMoment(condition);
    const isNow = moment === null || moment.day === null || isInPregnancy(moment.day, times);
    if (!isNow) return false;
    const plurality = findDeliveryDiagnosis(condition['code'])?.plurality ?? 1;
    return isMultipleDiagnosis(condition['code']) || plurality > 1;
  });
