/** Values with weights, which need not add up to 1. */
export type Weights<T> = readonly (readonly [T, number])[];

/** Parses words with weights: `supine 38, sitting 26`. */
export const parseWords = (table: string): Weights<string> =>
  table.split(', ').map((row) => {
    const [word = '', weight = ''] = row.split(' ');
    return [word, Number(weight)];
  });

/** Parses numbers with weights, in the same format. */
export const parseNumbers = (table: string): Weights<number> =>
  parseWords(table).map(([word, weight]) => [Number(word), weight]);
