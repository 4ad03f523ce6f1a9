/** How many canonical units one of each known unit is; units in lower case without brackets. */
export type Units = ReadonlyMap<string, number>;

const units = (table: Readonly<Record<string, number>>): Units =>
  new Map(
    Object.entries(table).flatMap(([names, factor]) =>
      names.split(' ').map((name) => [name, factor] as const),
    ),
  );

/** Units of mass, in grams: UCUM g, kg, mg, [lb_av], [oz_av] and the words senders use. */
export const GRAMS: Units = units({
  'g gm gr gram grams': 1,
  'kg kgs kilogram kilograms': 1000,
  'mg milligram milligrams': 0.001,
  'lb_av lb lbs pound pounds': 453.59237,
  'oz_av oz ounce ounces': 28.349523125,
});

/** Units of mass, in kilograms. */
export const KILOGRAMS: Units = new Map([...GRAMS].map(([unit, grams]) => [unit, grams / 1000]));

/** Units of length, in centimeters: UCUM [in_i], cm, m, mm, [ft_i] and the words senders use. */
export const CENTIMETERS: Units = units({
  'cm centimeter centimeters centimetre centimetres': 1,
  'mm millimeter millimeters millimetre millimetres': 0.1,
  'm meter meters metre metres': 100,
  'in_i in_us in inch inches': 2.54,
  'ft_i ft_us ft foot feet': 30.48,
});

/** Units of gestational age, in days: UCUM wk and d. */
export const DAYS: Units = units({ 'wk wks w week weeks': 7, 'd day days': 1 });

const COUNTS_IN_BRACES = /^\{(?!pack)[^{}]*\}$/;

/** Says whether a unit can count things: none, 1, or a UCUM annotation other than packs. */
export const isCount = (unit: string): boolean => unit === '1' || COUNTS_IN_BRACES.test(unit);

/**
 * A converted value without the noise that a conversion such as 7 × 453.59237 leaves in its last
 * bits; nine decimals hold every product of a table factor with a measured value.
 */
export const withoutNoise = (value: number): number => {
  const rounded = Math.round(value * 1e9) / 1e9;
  return Number.isFinite(rounded) ? rounded : value;
};
