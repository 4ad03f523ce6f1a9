import { MAX_TEXT } from '../../course/limits.ts';
import {
  APGAR,
  BIRTH_WEIGHT_GRAMS,
  CHILDREN_AT_ONCE,
  CIGARETTES,
  COUNTED,
  GESTATION_DAYS,
  HEIGHT_CM,
  UNKNOWN_COUNT,
  WEIGHT_KG,
} from '../../course/possible-ranges.ts';
import { readCoded, readWords, readYesNo } from '../../fhir/coded-answers.ts';
import { type CodeTable, statesUnknown } from '../../fhir/coded-values.ts';
import { readDateBeside, readPartialDateBeside } from '../../fhir/dates.ts';
import { asObjects, type JsonObject } from '../../fhir/json.ts';
import {
  CENTIMETERS,
  DAYS,
  GRAMS,
  isCount,
  KILOGRAMS,
  type Range,
  readMeasure,
  readWhole,
  type Units,
} from '../../fhir/quantities.ts';
import { leaveOut, mapReading, present, type Reading } from '../../fhir/readings.ts';
import { collectStatedValues, findUnusedValue, omitAbsent } from '../../fhir/stated-values.ts';
import { parseGestation, parseMeasure } from '../form/parse-measures.ts';
import { BLANK, ok, type Parsed } from '../form/parsed.ts';

type ObservationReader<T> = (observation: JsonObject) => Reading<T>;

export type ValueForm =
  | {
      readonly kind: 'measure';
      readonly units: Units;
      /** Default unit; null if a unit is required. */
      readonly unitless: string | null;
      /** Range in the unit with factor 1. */
      readonly range: Range;
    }
  | {
      readonly kind: 'whole number';
      /** Examples of accepted units. The unit is optional. */
      readonly units: readonly string[];
      readonly range: Range;
    }
  | { readonly kind: 'code'; readonly table: CodeTable }
  | { readonly kind: 'date' | 'partial date' | 'yes or no' | 'text' };

export type ObservedValue<T> = {
  readonly form: ValueForm;
  readonly read: ObservationReader<T>;
};

/** Of a component of its own kind if it has none itself. @see ownParts */
export const orOfComponent =
  <T>(readOwn: ObservationReader<T>): ObservationReader<T> =>
  (observation) => {
    const own = readOwn(observation);
    const isSaidAbsent = own.kind === 'left-out' && own.reason === 'said-absent';
    if (own.kind !== 'none' && !isSaidAbsent) return own;
    const component = asObjects(observation['component']);
    // The reason concerns the value of the whole, not its parts, which may have to be added.
    const parts = isSaidAbsent ? [{ component }, ...component] : component;
    for (const one of parts) {
      const part = readOwn(one);
      if (part.kind !== 'none') return part;
    }
    return own;
  };

const makeObservedValue = <T>(
  form: ValueForm,
  readOwn: ObservationReader<T>,
): ObservedValue<T> => ({ form, read: orOfComponent(readOwn) });

/** Keeps components of its own kind or without a code. Components of a panel are separate Observations. */
export const ownParts = (
  observation: JsonObject,
  isOwnKind: (component: JsonObject) => boolean,
): JsonObject => {
  const components = asObjects(observation['component']);
  if (components.length === 0) return observation;
  const own = components.filter(
    (component) => !('code' in component) || namesUnit(component) || isOwnKind(component),
  );
  return own.length === components.length ? observation : { ...observation, component: own };
};

const UNIT = /\b(?:weeks?|days?|pounds?|lbs?|ounces?|oz|feet|foot|inch|inches)\b/i;

/** True if the code of a component is only a unit, such as "ounces". */
const namesUnit = ({ code }: JsonObject): boolean => {
  const { codings, conceptTexts } = collectStatedValues({ valueCodeableConcept: code });
  const words = [...conceptTexts, ...codings.map(({ display, code: one }) => display ?? one)];
  return words.some((word) => word !== null && UNIT.test(word));
};

/** If the reader omitted a text, parses it the way the form parses typed text. */
const orTyped = (
  reading: Reading<number>,
  readTyped: (text: string) => Parsed<number>,
): Reading<number> => {
  if (reading.kind !== 'left-out' || typeof reading.raw !== 'string') return reading;
  if (reading.reason !== 'not-a-number' && reading.reason !== 'not-understood') return reading;
  const one = readTyped(reading.raw);
  if (one.kind === 'value') return present(one.value);
  const isOutOfRange = one.kind === 'wrong' && one.id.endsWith('out-of-range');
  return isOutOfRange ? leaveOut(reading.raw, 'out-of-range') : reading;
};

/** @param typedUnit unit of the record, which the form uses */
const measure = (
  units: Units,
  unitless: string | null,
  range: Range,
  typedUnit: 'g' | 'kg' | 'cm',
): ObservedValue<number> =>
  makeObservedValue({ kind: 'measure', units, unitless, range }, (observation) =>
    orTyped(readMeasure(observation, units, unitless, range), (text) =>
      parseMeasure(text, '', { unit: typedUnit, range }, false),
    ),
  );

const wholeNumber = (
  units: readonly string[],
  isUnit: (unit: string) => boolean,
  range: Range,
): ObservedValue<number> =>
  makeObservedValue({ kind: 'whole number', units, range }, (observation) =>
    readWhole(observation, isUnit, range),
  );

/** A count in which 99 means unknown. */
const count = (
  units: readonly string[],
  isUnit: (unit: string) => boolean,
  range: Range,
): ObservedValue<number> =>
  makeObservedValue({ kind: 'whole number', units, range }, (observation) => {
    const reading = readWhole(observation, isUnit, range);
    return reading.kind === 'value' && reading.value === UNKNOWN_COUNT
      ? leaveOut(UNKNOWN_COUNT, 'code-for-unknown')
      : reading;
  });

const SCORE_UNITS: ReadonlySet<string> = new Set('score points # /10'.split(' '));
const isScore = (unit: string): boolean => isCount(unit) || SCORE_UNITS.has(unit);

const A_DAY = /^(?:1|\{#\}|\{cig[^{}]*\}|cig[a-z]*)?(?:\/(?:d|day|\{day\}))?$/;
const isCigarettesPerDay = (unit: string): boolean => A_DAY.test(unit);

export const COUNT_VALUE = count(['1', '{#}', '{visits}'], isCount, COUNTED);

export const PLURALITY_VALUE = wholeNumber(['1', '{#}'], isCount, CHILDREN_AT_ONCE);

/** Number of live births or fetal deaths in one delivery. */
export const DELIVERED_VALUE = wholeNumber(['1', '{#}'], isCount, {
  from: 0,
  to: CHILDREN_AT_ONCE.to,
});

export const APGAR_VALUE = wholeNumber(['1', '{score}', '{#}', ...SCORE_UNITS], isScore, APGAR);

/** Per day. */
export const CIGARETTES_VALUE = count(
  ['1', '/d', '{cigarettes}/d'],
  isCigarettesPerDay,
  CIGARETTES,
);

export const BIRTH_WEIGHT_VALUE = measure(GRAMS, 'g', BIRTH_WEIGHT_GRAMS, 'g');

export const WEIGHT_VALUE = measure(KILOGRAMS, null, WEIGHT_KG, 'kg');

export const HEIGHT_VALUE = measure(CENTIMETERS, null, HEIGHT_CM, 'cm');

const PLAIN_NUMBER = /^[\d.,]*$/;

/**
 * In days. The range is checked before fractions are rounded to the nearest day. `39w2d`, `39 2/7`,
 * `39+2`.
 */
export const gestationValue = (unitless: 'wk' | 'd'): ObservedValue<number> =>
  makeObservedValue(
    { kind: 'measure', units: DAYS, unitless, range: GESTATION_DAYS },
    (observation): Reading<number> => {
      const reading = readMeasure(observation, DAYS, unitless, GESTATION_DAYS);
      if (reading.kind === 'value' && isAmbiguous(observation, unitless))
        return leaveOut(collectStatedValues(observation).texts[0], 'not-understood');
      return mapReading(
        orTyped(reading, (text) => daysTyped(text, unitless)),
        Math.round,
      );
    },
  );

const daysTyped = (text: string, unitless: 'wk' | 'd'): Parsed<number> => {
  if (unitless === 'd' && PLAIN_NUMBER.test(text)) return BLANK;
  const gestation = parseGestation(text, '');
  return gestation.kind === 'value' ? ok(gestation.value.days) : gestation;
};

/** `39.4` may mean weeks and days: the form can ask the user, but a sender cannot be asked. */
const isAmbiguous = (observation: JsonObject, unitless: 'wk' | 'd'): boolean => {
  const { texts, quantities, numbers } = collectStatedValues(observation);
  const [text] = texts;
  if (unitless === 'd' || text === undefined || quantities.length + numbers.length > 0)
    return false;
  const gestation = parseGestation(text, '');
  return gestation.kind === 'wrong' && gestation.id === 'gestation-ambiguous';
};

const dateValue = (
  kind: 'date' | 'partial date',
  read: (value: unknown, element: unknown) => Reading<string>,
): ObservedValue<string> =>
  makeObservedValue({ kind }, (observation) => {
    const stated = collectStatedValues(observation);
    const [text] = [...stated.texts, ...stated.conceptTexts];
    const beside = elementBeside(observation);
    if (text === undefined && beside === undefined) {
      const [code] = stated.codings.flatMap(({ code: one }) => one ?? []);
      if (code !== undefined && !statesUnknown(code)) return leaveOut(code, 'date-impossible');
      return findUnusedValue(stated, 'numbers', 'quantities', 'booleans');
    }
    return omitAbsent(stated, read(text, beside), text);
  });

/** Date, also from a date and time, an instant, the start of a period, or text. */
export const DATE_VALUE: ObservedValue<string> = dateValue('date', readDateBeside);

/** Like {@link DATE_VALUE}, or its known parts. */
export const PARTIAL_DATE_VALUE: ObservedValue<string> = dateValue(
  'partial date',
  readPartialDateBeside,
);

/** Returns the `_` sibling of a primitive value, whose extensions can contain the parts of a date. */
const elementBeside = (observation: JsonObject): unknown => {
  for (const key of Object.keys(observation)) if (key.startsWith('_value')) return observation[key];
  return undefined;
};

export const codeValue = (table: CodeTable): ObservedValue<string> =>
  makeObservedValue({ kind: 'code', table }, (observation) =>
    readCoded(observation, table, MAX_TEXT),
  );

export const YES_OR_NO_VALUE: ObservedValue<boolean> = makeObservedValue(
  { kind: 'yes or no' },
  readYesNo,
);

export const TEXT_VALUE: ObservedValue<string> = makeObservedValue(
  { kind: 'text' },
  (observation) => readWords(observation, MAX_TEXT),
);
