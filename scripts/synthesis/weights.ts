/** Values with their weights, which need not add up to 1. */
export type Weights<T> = readonly (readonly [T, number])[];

/** Words with their weights, written as they are read aloud: `supine 38, sitting 26`. */
export const wordsIn = (table: string): Weights<string> =>
  table.split(', ').map((row) => {
    const [word = '', weight = ''] = row.split(' ');
    return [word, Number(weight)];
  });

/** Numbers with their weights, written the same way. */
export const numbersIn = (table: string): Weights<number> =>
  wordsIn(table).map(([word, weight]) => [Number(word), weight]);
