import { DELIVERY_METHODS, PRESENTATIONS } from '../../course/codes.ts';
import { readWords } from '../../fhir/coded-answers.ts';
import { type CodeTable, LOINC, readCodings } from '../../fhir/coded-values.ts';
import type { JsonObject } from '../../fhir/json.ts';
import { leaveOut, type Reading } from '../../fhir/readings.ts';
import {
  APGAR_VALUE,
  BIRTH_WEIGHT_VALUE,
  CIGARETTES_VALUE,
  COUNT_VALUE,
  codeValue,
  DATE_VALUE,
  DELIVERED_VALUE,
  gestationValue,
  HEIGHT_VALUE,
  PARTIAL_DATE_VALUE,
  PLURALITY_VALUE,
  type ValueForm,
  WEIGHT_VALUE,
  YES_OR_NO_VALUE,
} from '../from-fhir/observed-values.ts';

type Value = string | number | boolean;

/**
 * Kind of Observation that the registry reads from a chart.
 * - `birth`: fact about one child's birth. Different values are a conflict.
 * - `first-weight`: used as the birth weight if it is the first within a day of the birth.
 * - `gestation`: gestational age in days. `atBirth` is true if the code means the age at birth.
 * - `pregnancy`: fact about this pregnancy. A later value replaces earlier ones.
 * - `body`: like `pregnancy`, but from any time.
 * - `outcome`: fact about this delivery, in either chart.
 * - `live-births`, `fetal-deaths`: summed to the plurality.
 * - `due-date`, `parity`, `smoking`: used to compute a value, or only shown.
 */
export type ObservationKind = {
  readonly what: string;
  readonly form: ValueForm;
  readonly read: (observation: JsonObject) => Reading<Value>;
} & (
  | { readonly group: 'birth' | 'pregnancy' | 'body' | 'outcome'; readonly path: string }
  | { readonly group: 'gestation'; readonly atBirth: boolean }
  | {
      readonly group:
        | 'first-weight'
        | 'live-births'
        | 'fetal-deaths'
        | 'due-date'
        | 'parity'
        | 'smoking';
    }
);

type Observed = Pick<ObservationKind, 'form' | 'read'>;

const birth = (name: string, what: string, { form, read }: Observed): ObservationKind => ({
  group: 'birth',
  path: name,
  what,
  form,
  read,
});

const inGroup =
  (group: 'pregnancy' | 'body' | 'outcome') =>
  (path: string, what: string, { form, read }: Observed): ObservationKind => ({
    group,
    path,
    what,
    form,
    read,
  });

const pregnancy = inGroup('pregnancy');
const body = inGroup('body');
const outcome = inGroup('outcome');

/** The record cannot interpret other codes, and chart data need not be kept as sent. */
const limitToTable = (table: CodeTable): Observed => {
  const value = codeValue(table);
  return {
    form: value.form,
    read: (observation) => {
      const reading = value.read(observation);
      return reading.kind === 'value' && !table.has(reading.value)
        ? leaveOut(reading.value, 'not-understood')
        : reading;
    },
  };
};

const WORDS: Observed = {
  form: { kind: 'text' },
  read: (observation) => readWords(observation, MAX_WORDS),
};

const MAX_WORDS = 150;
const makeGestation = (atBirth: boolean, unitless: 'wk' | 'd' = 'wk'): ObservationKind => ({
  group: 'gestation',
  what: 'Gestational age',
  atBirth,
  ...gestationValue(unitless),
});

const firstWeight: ObservationKind = {
  group: 'first-weight',
  what: 'Weight',
  ...BIRTH_WEIGHT_VALUE,
};
const heightKind = body('mother.height_cm', 'Height', HEIGHT_VALUE);

/** Kinds by LOINC code. @see http://loinc.org */
export const CHART_KINDS: ReadonlyMap<string, ObservationKind> = new Map([
  ['8339-4', birth('birth_weight_grams', 'Birth weight', BIRTH_WEIGHT_VALUE)],
  ['29463-7', firstWeight],
  ['3141-9', firstWeight],
  ['9272-6', birth('apgar_one_minute', 'Apgar score at 1 minute', APGAR_VALUE)],
  ['9274-2', birth('apgar_five_minute', 'Apgar score at 5 minutes', APGAR_VALUE)],
  ['9271-8', birth('apgar_ten_minute', 'Apgar score at 10 minutes', APGAR_VALUE)],
  ['73761-9', birth('presentation', 'Presentation', limitToTable(PRESENTATIONS))],
  ['73756-9', birth('breastfed_at_discharge', 'Breastfed at discharge', YES_OR_NO_VALUE)],
  ['76516-4', makeGestation(true)],
  ['11884-4', makeGestation(false)],
  ['57714-8', makeGestation(false)],
  ['18185-9', makeGestation(false)],
  ['11885-1', makeGestation(false)],
  ['49051-6', makeGestation(false)],
  ['49052-4', makeGestation(false, 'd')],
  ['11778-8', { group: 'due-date', what: 'Due date', ...DATE_VALUE }],
  ['8665-2', pregnancy('last_menstrual_period', 'Last menstrual period', PARTIAL_DATE_VALUE)],
  ['69044-6', pregnancy('first_prenatal_visit', 'First prenatal visit', PARTIAL_DATE_VALUE)],
  ['68493-6', pregnancy('prenatal_visits', 'Prenatal visits', COUNT_VALUE)],
  ['11638-4', pregnancy('previous_births_living', 'Previous births now living', COUNT_VALUE)],
  ['68496-9', pregnancy('previous_births_dead', 'Previous births now dead', COUNT_VALUE)],
  ['68499-3', pregnancy('last_live_birth', 'Date of last live birth', PARTIAL_DATE_VALUE)],
  ['68500-8', pregnancy('last_other_outcome', 'Date of last other outcome', PARTIAL_DATE_VALUE)],
  ['69043-8', pregnancy('other_outcomes', 'Other pregnancy outcomes', COUNT_VALUE)],
  ['68497-7', pregnancy('previous_cesareans', 'Previous cesareans', COUNT_VALUE)],
  ['87303-4', pregnancy('wic', 'WIC food during pregnancy', YES_OR_NO_VALUE)],
  ['64794-1', pregnancy('cigarettes_before', 'Cigarettes before pregnancy', CIGARETTES_VALUE)],
  [
    '87298-6',
    pregnancy('cigarettes_first_trimester', 'Cigarettes, first trimester', CIGARETTES_VALUE),
  ],
  [
    '87299-4',
    pregnancy('cigarettes_second_trimester', 'Cigarettes, second trimester', CIGARETTES_VALUE),
  ],
  [
    '64795-8',
    pregnancy('cigarettes_third_trimester', 'Cigarettes, third trimester', CIGARETTES_VALUE),
  ],
  ['56077-1', pregnancy('mother.prepregnancy_weight_kg', 'Weight before pregnancy', WEIGHT_VALUE)],
  ['69461-2', pregnancy('mother.delivery_weight_kg', 'Weight at delivery', WEIGHT_VALUE)],
  ['8302-2', heightKind],
  ['3137-7', heightKind],
  ['73773-4', { group: 'live-births', what: 'Live births', ...DELIVERED_VALUE }],
  ['73772-6', { group: 'fetal-deaths', what: 'Fetal deaths', ...DELIVERED_VALUE }],
  ['57722-1', outcome('plurality', 'Children of this birth', PLURALITY_VALUE)],
  ['73762-7', outcome('delivery_method', 'Method of delivery', limitToTable(DELIVERY_METHODS))],
  ['11977-6', { group: 'parity', what: 'Parity', ...COUNT_VALUE }],
  ['11996-6', { group: 'parity', what: 'Pregnancies', ...COUNT_VALUE }],
  ['72166-2', { group: 'smoking', what: 'Smoking', ...WORDS }],
]);

export const OBSERVATION_CODES: readonly string[] = [...CHART_KINDS.keys()];

interface ChartKind {
  readonly kind: ObservationKind;
  readonly code: string;
  /** True if the code is known, but not of this code system, so that the value is not read. */
  readonly isOfOtherSystem: boolean;
}

/** First known LOINC code, else such a code of another system. The default system is LOINC. */
export const findChartKind = (concept: unknown): ChartKind | null => {
  const known = readCodings(concept).flatMap(({ system, code }): readonly ChartKind[] => {
    const kind = CHART_KINDS.get(code ?? '');
    const isOfOtherSystem = (system ?? LOINC) !== LOINC;
    return kind === undefined || code === null ? [] : [{ kind, code, isOfOtherSystem }];
  });
  return known.find((one) => !one.isOfOtherSystem) ?? known[0] ?? null;
};
