import { dirname } from 'node:path';

/** Ends what a test file printed. */
export const END_OF_FILE = '\u001e end of the test file';

/**
 * How many test files run in one process. Loading the service costs one and a half seconds of a
 * processor's time, more than most files then take.
 */
const LARGEST_GROUP = { unit: 40, integration: 5 } as const;

/** They start processes of their own, for minutes: in a group others would wait for them. */
const ALONE = ['test/scripts', 'test/deploy', 'test/supply'];

const isIntegration = (file: string): boolean => file.includes('.int.');

/**
 * Test files that run one after the other in one process: neighbours of a folder, in the order of
 * their names. The same files make the same groups, so that a test that depends on another one
 * before it fails always or never.
 * @returns the long ones first, so that all cores have work to the end
 */
export const groupsOf = (files: readonly string[]): readonly (readonly string[])[] => {
  const sorted = files.toSorted(
    (a, b) => Number(isIntegration(b)) - Number(isIntegration(a)) || (a < b ? -1 : 1),
  );
  const groups: string[][] = [];
  for (const file of sorted) {
    const last = groups.at(-1);
    if (last !== undefined && belongs(file, last)) last.push(file);
    else groups.push([file]);
  }
  return groups;
};

const belongs = (file: string, group: readonly string[]): boolean => {
  const [first = ''] = group;
  if (isIntegration(file) !== isIntegration(first)) return false;
  if (!isIntegration(file)) return group.length < LARGEST_GROUP.unit;
  const folder = dirname(file);
  return (
    folder === dirname(first) &&
    !ALONE.some((alone) => folder.startsWith(alone)) &&
    group.length < LARGEST_GROUP.integration
  );
};
