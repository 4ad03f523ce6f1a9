import { type JsonObject, objectsOf } from '../../fhir/json.ts';
import { inRange, readMeasure, type Stated, statedIn } from '../../fhir/quantities.ts';
import { leftOut, type Reading } from '../../fhir/readings.ts';
import { GRAMS, withoutNoise } from '../../fhir/units.ts';
import { BIRTH_WEIGHT_GRAMS } from '../possible-ranges.ts';
import type { ObservedValue } from './observed-values.ts';

const POUNDS: ReadonlySet<string> = new Set(['lb_av', 'lb', 'lbs', 'pound', 'pounds']);
const OUNCES: ReadonlySet<string> = new Set(['oz_av', 'oz', 'ounce', 'ounces']);

/**
 * Reads a birth weight in grams, exactly as converted. Pounds in the value and ounces in a
 * component, or both in components, add up; no unit means grams.
 */
const readBirthWeight = (observation: JsonObject): Reading<number> => {
  const parts = poundsAndOunces(observation);
  if (parts === null) return readMeasure(observation, GRAMS, 'g', BIRTH_WEIGHT_GRAMS);
  const broken = parts.find((part) => part.value < 0);
  if (broken !== undefined) {
    return leftOut(broken.value, 'out-of-range');
  }
  if (parts.some((part) => part.comparator)) return leftOut(parts[0]?.value, 'has-comparator');
  const grams = parts.reduce((sum, part) => sum + inGrams(part), 0);
  return inRange(withoutNoise(grams), parts[0]?.value ?? 0, BIRTH_WEIGHT_GRAMS);
};

const inGrams = ({ value, units }: Stated): number =>
  value * (GRAMS.get(units.find((unit) => GRAMS.has(unit)) ?? '') ?? 0);

const isIn = ({ units }: Stated, known: ReadonlySet<string>): boolean =>
  units.some((unit) => known.has(unit));

// Null when the Observation is not one in pounds with components.
const poundsAndOunces = (observation: JsonObject): readonly Stated[] | null => {
  const components = objectsOf(observation['component']);
  if (components.length === 0) return null;
  const main = statedIn(observation);
  if (main.kind === 'left-out' || (main.kind === 'value' && !isIn(main.value, POUNDS))) return null;
  const parts = [main, ...components.map(statedIn)].flatMap((stated) =>
    stated.kind === 'value' ? [stated.value] : [],
  );
  const pounds = parts.find((part) => isIn(part, POUNDS));
  const ounces = parts.find((part) => isIn(part, OUNCES));
  if (pounds === undefined) return null;
  return ounces === undefined ? [pounds] : [pounds, ounces];
};

/** A birth weight. @see readBirthWeight */
export const BIRTH_WEIGHT_VALUE: ObservedValue<number> = {
  form: { kind: 'measure', units: GRAMS, unitless: 'g', range: BIRTH_WEIGHT_GRAMS },
  read: readBirthWeight,
};
