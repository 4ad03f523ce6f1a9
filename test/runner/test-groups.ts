/** Ends what a test file printed. */
export const END_OF_FILE = '\u001e end of the test file';

/**
 * How many test files run in one process. Loading the service costs one and a half seconds of a
 * processor's time, and what the files of a process share costs three to start. A whole folder in one
 * would leave a processor idle at the end.
 */
const LARGEST_GROUP = { unit: 40, integration: 16 } as const;

/**
 * What has a process to itself, and runs beside no other of them: they start services of their own
 * for minutes, or measure their memory.
 */
const ALONE = ['test/deploy/', 'test/scripts/', 'test/supply/', 'test/postgres/rebuild-laws.'];

const isIntegration = (file: string): boolean => file.includes('.int.');

/** Two thirds of the time of all that start no service. */
const LONG_UNITS: ReadonlySet<string> = new Set(
  [
    'contract/contract-changes',
    'domain/bfdr/laws',
    'patterns/patterns',
    'push/map-body',
    'scripts/build',
    'scripts/offline-tools',
    'scripts/show-progress',
    'scripts/synthesis-bundles',
  ].map((file) => `test/${file}.test.ts`),
);

/** Whether `npm run test:quick` runs a file: it starts no service, and is not among the longest. */
export const isQuick = (file: string): boolean => !isIntegration(file) && !LONG_UNITS.has(file);

const isAlone = (file: string): boolean =>
  isIntegration(file) && ALONE.some((beginning) => file.startsWith(beginning));

/** Files that run one after the other in one process. */
export type Group = readonly string[];

/**
 * The groups that test files run in: neighbours below a folder of `test/`, in the order of
 * their names. The same
 * files make the same groups, so that a test that depends on another one before it fails always or
 * never.
 * @returns the long ones first, so that all cores have work to the end
 */
export const groupsOf = (
  files: readonly string[],
): { readonly alone: readonly Group[]; readonly together: readonly Group[] } => {
  const sorted = files.toSorted(
    (a, b) => Number(isIntegration(b)) - Number(isIntegration(a)) || (a < b ? -1 : 1),
  );
  const together: string[][] = [];
  for (const file of sorted) {
    if (isAlone(file)) continue;
    const last = together.at(-1);
    if (last !== undefined && belongs(file, last)) last.push(file);
    else together.push([file]);
  }
  return {
    alone: sorted.filter(isAlone).map((file) => [file]),
    together: together.toSorted((a, b) => lengthOf(b) - lengthOf(a)),
  };
};

/** Files that start what they need take the time, and a few others. */
const lengthOf = (group: Group): number => group.filter((file) => !isQuick(file)).length;

/** `test/pages/x.int.test.ts` is in `pages`. */
const folderOf = (file: string): string | undefined => file.split(/[\\/]/)[1];

const belongs = (file: string, group: Group): boolean => {
  const [first = ''] = group;
  if (isIntegration(file) !== isIntegration(first)) return false;
  if (LONG_UNITS.has(file) || LONG_UNITS.has(first)) return false;
  if (!isIntegration(file)) return group.length < LARGEST_GROUP.unit;
  return folderOf(file) === folderOf(first) && group.length < LARGEST_GROUP.integration;
};
