const NUMBER = /\d+/;
/** One typing mistake for every three characters is still taken for a mistake. */
const CHARACTERS_PER_MISTAKE = 3;
const MAX_SUGGESTIONS = 3;

/**
 * The names that an unknown one may have meant, the likeliest first: those that end with it
 * (`birth_date`), else the nearest by typing mistakes. A number in it (`child3_`) stays.
 * @param names in comparable form
 */
export const nearestNames = (unknown: string, names: readonly string[]): readonly string[] => {
  if (unknown === '') return [];
  const longer = names.filter((name) => name.endsWith(`_${unknown}`));
  if (longer.length > 0) return longer.slice(0, MAX_SUGGESTIONS);
  const number = NUMBER.exec(unknown)?.[0];
  const typed = unknown.replace(NUMBER, '1');
  const most = Math.max(2, Math.floor(typed.length / CHARACTERS_PER_MISTAKE));
  const nearest = names
    // Each character that one has more than the other is a mistake already.
    .filter((name) => Math.abs(name.length - typed.length) <= most)
    .map((name) => ({ name, mistakes: distance(typed, name) }))
    .sort((a, b) => a.mistakes - b.mistakes)[0];
  if (nearest === undefined || nearest.mistakes > most) return [];
  return [number === undefined ? nearest.name : nearest.name.replace(NUMBER, number)];
};

/** Insertions, deletions and replacements that turn one text into the other (Levenshtein). */
const distance = (a: string, b: string): number => {
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1)
      current.push(
        Math.min(
          (before[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (before[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1),
        ),
      );
    before = current;
  }
  return before[b.length] ?? 0;
};
