import { parseArgs } from 'node:util';

const EXIT_WRONG_USAGE = 2;

/**
 * Reads the command line of a tool that runs groups of work: `--only GROUP` may be repeated, and
 * without it all groups are chosen. Exits with 2 for wrong usage.
 * @param options the tool's other options
 */
export const chosenGroups = (
  usage: string,
  groups: readonly string[],
  options: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>,
): { readonly chosen: readonly string[]; readonly values: Readonly<Record<string, unknown>> } => {
  try {
    const { values } = parseArgs({
      options: { ...options, only: { type: 'string', multiple: true } },
    });
    const chosen = values.only ?? groups;
    const unknown = chosen.find((name) => !groups.includes(name));
    if (unknown !== undefined)
      throw new Error(`There is no group ${unknown}: choose one of those below.`);
    return { chosen, values };
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    process.stderr.write(`${reason}\nUsage: ${usage}\nGroups: ${groups.join(', ')}\n`);
    process.exit(EXIT_WRONG_USAGE);
  }
};
