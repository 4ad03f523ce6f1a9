const GRAMS_PER_OUNCE = 28.349523125;
const OUNCES_PER_POUND = 16;
const KG_PER_POUND = 0.45359237;
const CM_PER_INCH = 2.54;
const INCHES_PER_FOOT = 12;

/** To the nearest pound, on pages as in the state file. */
export const toPounds = (kg: number): number => Math.round(kg / KG_PER_POUND);

/** To the nearest inch, on pages as in the state file. */
export const toInches = (cm: number): number => Math.round(cm / CM_PER_INCH);

/** "3,400". */
export const numberInWords = (value: number): string => value.toLocaleString('en-US');

/** "3,400 g (7 lb 8 oz)". */
export const birthWeightInWords = (grams: number): string => {
  const ounces = Math.round(grams / GRAMS_PER_OUNCE);
  const pounds = Math.floor(ounces / OUNCES_PER_POUND);
  return `${numberInWords(Math.round(grams))} g (${pounds} lb ${ounces - pounds * OUNCES_PER_POUND} oz)`;
};

/** "68 kg (150 lb)". */
export const weightInWords = (kg: number): string =>
  `${numberInWords(rounded(kg))} kg (${numberInWords(toPounds(kg))} lb)`;

/** "165 cm (5 ft 5 in)". */
export const heightInWords = (cm: number): string => {
  const inches = toInches(cm);
  const feet = Math.floor(inches / INCHES_PER_FOOT);
  return `${numberInWords(rounded(cm))} cm (${feet} ft ${inches - feet * INCHES_PER_FOOT} in)`;
};

const rounded = (value: number): number => Math.round(value * 10) / 10;

export const countInWords = (count: number, one: string, several = `${one}s`): string =>
  `${numberInWords(count)} ${count === 1 ? one : several}`;

/** "39 weeks 4 days"; the days are omitted if unknown or zero. */
export const gestationInWords = (weeks: number, days: number | null): string =>
  days === null || days === 0
    ? countInWords(weeks, 'week')
    : `${countInWords(weeks, 'week')} ${countInWords(days, 'day')}`;
