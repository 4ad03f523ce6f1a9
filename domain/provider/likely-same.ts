import { parseSearchWords } from '../course/search-words.ts';
import type { ProviderDetails } from './details.ts';

export type MatchReason = 'same-npi' | 'similar-name';

const TITLES: ReadonlySet<string> = new Set([
  'dr',
  'mr',
  'mrs',
  'ms',
  'md',
  'do',
  'rn',
  'cnm',
  'cm',
  'cpm',
  'lm',
  'pa',
  'np',
  'dnp',
  'facog',
  'jr',
  'sr',
  'prof',
]);

const MIN_DISTINCTIVE_LENGTH = 3;

/**
 * Only a suggestion to users.
 * @see spec "Provider identity (partner lane only)": the NPI is a discovery signal
 */
export const findMatchReason = (
  a: Pick<ProviderDetails, 'npi' | 'name'>,
  b: Pick<ProviderDetails, 'npi' | 'name'>,
): MatchReason | null => {
  if (a.npi !== null && b.npi !== null) return a.npi === b.npi ? 'same-npi' : null;
  return isSimilar(splitName(a.name), splitName(b.name)) ? 'similar-name' : null;
};

const splitName = (name: string | null): readonly string[] =>
  parseSearchWords(name ?? '').filter((word) => !TITLES.has(word));

// Every word of the shorter name is in the longer one, "J. Reyes" in "Reyes-Ito, Joan".
const isSimilar = (a: readonly string[], b: readonly string[]): boolean => {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  return (
    shorter.every((word) => longer.some((other) => isSameWord(word, other))) &&
    shorter.some((word) => word.length >= MIN_DISTINCTIVE_LENGTH && longer.includes(word))
  );
};

const isSameWord = (a: string, b: string): boolean =>
  a === b || (a.length === 1 && b.startsWith(a)) || (b.length === 1 && a.startsWith(b));
