/** What a run is for: everything that a commit has to pass, what a person waits for, what takes long, or what a release has to pass. */
export type RunKind = 'all' | 'quick' | 'long' | 'release';

const isIntegration = (file: string): boolean => /\.int\.test\.tsx?$/.test(file);
const isLong = (file: string): boolean => /\.long\.test\.tsx?$/.test(file);
const isOfRelease = (file: string): boolean => /\.release\.test\.tsx?$/.test(file);

/** Whether a file starts services or stores. */
export const startsServices = (file: string): boolean =>
  isIntegration(file) || isLong(file) || isOfRelease(file);

/** Files that do more in a long run: properties meet all of their input, and rows all of their cases. */
const doesMore = (source: string): boolean => /\b(?:runs|takeCases|addLong)\(/.test(source);

/**
 * The test files of a run.
 * @param parts of their paths, one of which a file has to hold; none: all files
 * @param read reads the source of a file
 */
export const selectFiles = (
  files: readonly string[],
  kind: RunKind,
  parts: readonly string[],
  read: (file: string) => string,
): readonly string[] => {
  const isOfKind = (file: string): boolean => {
    if (kind === 'release' || isOfRelease(file)) return kind === 'release' && isOfRelease(file);
    if (kind === 'long') return isLong(file) || doesMore(read(file));
    return !isLong(file) && !(kind === 'quick' && startsServices(file));
  };
  const isNamed = (file: string): boolean =>
    parts.length === 0 || parts.some((part) => file.includes(part));
  return files.filter((file) => isNamed(file) && isOfKind(file));
};

/**
 * Orders files so that all processors have work to the end: the longest first, and before them files
 * that nobody has timed yet.
 * @param seconds that files took in an earlier run; a file without any took less than a second
 */
export const sortLongestFirst = (
  files: readonly string[],
  seconds: Readonly<Record<string, number>>,
): readonly string[] => {
  const secondsOf = (file: string): number =>
    seconds[file] ?? (startsServices(file) ? Number.POSITIVE_INFINITY : 0);
  return files.toSorted((a, b) => compare(secondsOf(b), secondsOf(a)) || (a < b ? -1 : 1));
};

// Two infinities have no difference.
const compare = (a: number, b: number): number => (a === b ? 0 : a - b);
