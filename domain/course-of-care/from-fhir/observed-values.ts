import { type CodeTable, readCoded } from '../../fhir/coded-values.ts';
import { readDate } from '../../fhir/dates.ts';
import type { JsonObject } from '../../fhir/json.ts';
import { readMeasure, readWhole } from '../../fhir/quantities.ts';
import { mapReading, type Reading } from '../../fhir/readings.ts';
import { CENTIMETRES, DAYS, isCount, KILOGRAMS } from '../../fhir/units.ts';
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
export type ObservationReader<T> = (observation: JsonObject) => Reading<T>;

const SCORE_UNITS: ReadonlySet<string> = new Set(
  '1 score {score} {apgar} {points} points'.split(' '),
);
const isScore = (unit: string): boolean => SCORE_UNITS.has(unit);

const A_DAY = /^(?:1|\{#\}|\{cig[^{}]*\}|cig[a-z]*)?(?:\/(?:d|day|\{day\}))?$/;
const isCigarettesPerDay = (unit: string): boolean => A_DAY.test(unit);

/** Visits and earlier births. */
export const readCount: ObservationReader<number> = (observation) =>
  readWhole(observation, isCount, COUNTED);

/** Children of one birth. */
export const readPlurality: ObservationReader<number> = (observation) =>
  readWhole(observation, isCount, CHILDREN_AT_ONCE);

/** An Apgar score. */
export const readApgar: ObservationReader<number> = (observation) =>
  readWhole(observation, isScore, APGAR);

/** Cigarettes a day. */
export const readCigarettes: ObservationReader<number> = (observation) =>
  readWhole(observation, isCigarettesPerDay, CIGARETTES);

/** A weight of the mother, in kilograms; the unit has to be stated. */
export const readWeight: ObservationReader<number> = (observation) =>
  readMeasure(observation, KILOGRAMS, null, WEIGHT_KG);

/** The mother's height, in centimetres; the unit has to be stated. */
export const readHeight: ObservationReader<number> = (observation) =>
  readMeasure(observation, CENTIMETRES, null, HEIGHT_CM);

/**
 * A gestational age in days. Fractions go to the nearest day; the range is judged before that, as
 * it was sent.
 * @param unitless the unit meant when none is stated
 */
export const readGestation = (observation: JsonObject, unitless: 'wk' | 'd'): Reading<number> =>
  mapReading(readMeasure(observation, DAYS, unitless, GESTATION_DAYS), Math.round);

/** A date, as a date and time or as a text too. */
export const readDateValue: ObservationReader<string> = (observation) =>
  readDate(observation['valueDateTime'] ?? observation['valueDate'] ?? observation['valueString']);

/** A code of a table, else another code or a text. */
export const readCodeOf =
  (table: CodeTable): ObservationReader<string> =>
  (observation) =>
    readCoded(observation, table, MAX_TEXT);
