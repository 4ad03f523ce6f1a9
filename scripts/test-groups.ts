import { dirname } from 'node:path';

/** Ends what a test file printed. */
export const END_OF_FILE = '\u001e end of the test file';

/**
 * How many test files run in one process. Loading the service costs one and a half seconds of a
 * processor's time, more than most files then take.
 */
const LARGEST_GROUP = { unit: 40, integration: 5 } as const;

/**
 * What has a process to itself, and runs beside no other of them: they start services of their own
 * for minutes, or measure their memory.
 */
const ALONE = ['test/deploy/', 'test/scripts/', 'test/supply/', 'test/postgres/rebuild-laws.'];

const isIntegration = (file: string): boolean => file.includes('.int.');

const isAlone = (file: string): boolean =>
  isIntegration(file) && ALONE.some((beginning) => file.startsWith(beginning));

/** Files that run one after the other in one process. */
export type Group = readonly string[];

/**
 * The groups that test files run in: neighbours of a folder, in the order of their names. The same
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
  return { alone: sorted.filter(isAlone).map((file) => [file]), together };
};

const belongs = (file: string, group: Group): boolean => {
  const [first = ''] = group;
  if (isIntegration(file) !== isIntegration(first)) return false;
  if (!isIntegration(file)) return group.length < LARGEST_GROUP.unit;
  return dirname(file) === dirname(first) && group.length < LARGEST_GROUP.integration;
};
