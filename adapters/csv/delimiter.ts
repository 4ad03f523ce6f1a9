/** What may stand between two cells. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** A delimiter that a file may use. */
export type Delimiter = (typeof DELIMITERS)[number];

/** How a file separates its cells, and where its header line begins. */
export interface Layout {
  readonly delimiter: Delimiter;
  /** Characters before the header line: the line that names the delimiter for Excel. */
  readonly skip: number;
}

const SEPARATOR_LINE = /^"?sep=(.)"?(?:\r\n|\n|\r)/i;
const LINE_END = /[\r\n]/;

/**
 * Finds the delimiter: the one that the line `sep=;` names, else the one that stands most often in
 * the header line, quoted texts left aside. A header of one column is read with commas.
 */
export const layoutOf = (start: string): Layout => {
  const named = SEPARATOR_LINE.exec(start);
  const said = DELIMITERS.find((delimiter) => delimiter === named?.[1]);
  if (named !== null && said !== undefined) return { delimiter: said, skip: named[0].length };
  const counts = new Map<string, number>();
  let isQuoted = false;
  for (const character of start) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && LINE_END.test(character)) break;
    else if (!isQuoted) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const [delimiter] = [...DELIMITERS].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  return { delimiter: delimiter ?? ',', skip: 0 };
};
