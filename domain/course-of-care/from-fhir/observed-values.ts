import { type CodeTable, readCoded, readWords, readYesNo } from '../../fhir/coded-values.ts';
import { readDate } from '../../fhir/dates.ts';
import type { JsonObject } from '../../fhir/json.ts';
import { type Range, readMeasure, readWhole } from '../../fhir/quantities.ts';
import { mapReading, type Reading } from '../../fhir/readings.ts';
import { CENTIMETRES, DAYS, isCount, KILOGRAMS, type Units } from '../../fhir/units.ts';
import { MAX_TEXT } from '../limits.ts';
import {
  APGAR,
  CHILDREN_AT_ONCE,
  CIGARETTES,
  COUNTED,
  GESTATION_DAYS,
  HEIGHT_CM,
  WEIGHT_KG,
} from '../possible-ranges.ts';

/** Reads what an Observation says for a field of the record. */
type ObservationReader<T> = (observation: JsonObject) => Reading<T>;

/** How a value has to be written to be read, for the page that tells senders. */
export type ValueForm =
  | {
      readonly kind: 'measure';
      readonly units: Units;
      /** The unit meant when none is stated; null where one has to be. */
      readonly unitless: string | null;
      /** In the unit whose factor is 1. */
      readonly range: Range;
    }
  | {
      readonly kind: 'whole number';
      /** Some of the units that are accepted; so is none. */
      readonly units: readonly string[];
      readonly range: Range;
    }
  | { readonly kind: 'code'; readonly table: CodeTable }
  | { readonly kind: 'date' | 'yes or no' | 'text' };

/** A value of an Observation: how it is written, and what reads it. */
export type ObservedValue<T> = {
  readonly form: ValueForm;
  readonly read: ObservationReader<T>;
};

const measure = (units: Units, unitless: string | null, range: Range): ObservedValue<number> => ({
  form: { kind: 'measure', units, unitless, range },
  read: (observation) => readMeasure(observation, units, unitless, range),
});

const wholeNumber = (
  units: readonly string[],
  isUnit: (unit: string) => boolean,
  range: Range,
): ObservedValue<number> => ({
  form: { kind: 'whole number', units, range },
  read: (observation) => readWhole(observation, isUnit, range),
});

const SCORE_UNITS: ReadonlySet<string> = new Set('score points # /10'.split(' '));
const isScore = (unit: string): boolean => isCount(unit) || SCORE_UNITS.has(unit);

const A_DAY = /^(?:1|\{#\}|\{cig[^{}]*\}|cig[a-z]*)?(?:\/(?:d|day|\{day\}))?$/;
const isCigarettesPerDay = (unit: string): boolean => A_DAY.test(unit);

/** Visits and earlier births. */
export const COUNT_VALUE = wholeNumber(['1', '{#}', '{visits}'], isCount, COUNTED);

/** Children of one birth. */
export const PLURALITY_VALUE = wholeNumber(['1', '{#}'], isCount, CHILDREN_AT_ONCE);

/** An Apgar score. */
export const APGAR_VALUE = wholeNumber(['1', '{score}', '{#}', ...SCORE_UNITS], isScore, APGAR);

/** Cigarettes a day. */
export const CIGARETTES_VALUE = wholeNumber(
  ['1', '/d', '{cigarettes}/d'],
  isCigarettesPerDay,
  CIGARETTES,
);

/** A weight of the mother, in kilograms; the unit has to be stated. */
export const WEIGHT_VALUE = measure(KILOGRAMS, null, WEIGHT_KG);

/** The mother's height, in centimetres; the unit has to be stated. */
export const HEIGHT_VALUE = measure(CENTIMETRES, null, HEIGHT_CM);

/**
 * A gestational age in days. Fractions go to the nearest day; the range is judged before that, as
 * it was sent.
 * @param unitless the unit meant when none is stated
 */
export const gestationValue = (unitless: 'wk' | 'd'): ObservedValue<number> => {
  const { form, read } = measure(DAYS, unitless, GESTATION_DAYS);
  return { form, read: (observation) => mapReading(read(observation), Math.round) };
};

/** A date, as a date and time or as a text too. */
export const DATE_VALUE: ObservedValue<string> = {
  form: { kind: 'date' },
  read: (observation) =>
    readDate(
      observation['valueDateTime'] ?? observation['valueDate'] ?? observation['valueString'],
    ),
};

/** A code of a table, else another code or a text. */
export const codeValue = (table: CodeTable): ObservedValue<string> => ({
  form: { kind: 'code', table },
  read: (observation) => readCoded(observation, table, MAX_TEXT),
});

/** Yes or no. */
export const YES_OR_NO_VALUE: ObservedValue<boolean> = {
  form: { kind: 'yes or no' },
  read: readYesNo,
};

/** A text. */
export const TEXT_VALUE: ObservedValue<string> = {
  form: { kind: 'text' },
  read: (observation) => readWords(observation, MAX_TEXT),
};
