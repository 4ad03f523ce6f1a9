import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { build } from 'esbuild';

/** Files and directories that a source leads to, by its path within the project. */
export type Imports = Readonly<Record<string, readonly string[]>>;

/** Steps from a test file to each file or directory that it can see; `''` is the project. */
export type Sight = ReadonlyMap<string, number>;

/** Starts what is built, which it does not import. */
const STARTS_BUILT = /\b(run|registry)\.mjs\b|\bdist\b|built-service/;
const PROCESS = 'a process';
const BUILT = 'the built service';
/** Looks for files of the project without naming them. */
const LISTS_FILES = /\breaddir(Sync)?\(|\bglob(Sync)?\(|ls-files/;
const NAMES_ROOT = /'(\.\.\/)+(\.\.)?'/;
const LITERAL = /'([^'\n]+)'|"([^"\n]+)"|`([^`$\n]+)/g;
const LOOKS_LIKE_PATH = /^[\w./@-]*[a-z][\w./@-]*$/;

/** Lists what sources import, as the bundler finds it. Packages change with the lock file. */
const listImports = async (root: string, entries: readonly string[]): Promise<Imports> => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entries],
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    outdir: 'dist',
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  return Object.fromEntries(
    Object.entries(metafile.inputs).map(([file, { imports }]) => [
      file,
      imports.filter(({ external }) => external !== true).map(({ path }) => path),
    ]),
  );
};

/**
 * What a source of the tests or scripts leads to without importing it: each file or directory that one
 * of its texts names, from the root or from its own directory; the whole project if it looks for files
 * there; the built service if it starts one.
 */
const listUnlisted = (root: string, source: string): readonly string[] => {
  if (!/^(test|scripts)\//.test(source)) return [];
  const text = readFileSync(join(root, source), 'utf8');
  const named = [...text.matchAll(LITERAL)]
    .map(([, single, double, template]) => single ?? double ?? template ?? '')
    .filter((literal) => LOOKS_LIKE_PATH.test(literal))
    .flatMap((literal) => [literal, join(dirname(source), literal)])
    .map((path) => relative(root, join(root, path)).split(sep).join('/'))
    .filter((path) => path !== '' && !path.startsWith('..') && !path.startsWith('node_modules'))
    .filter((path) => existsSync(join(root, path)));
  return [
    ...named,
    ...(LISTS_FILES.test(text) && NAMES_ROOT.test(text) ? [''] : []),
    ...(source.startsWith('test/') && STARTS_BUILT.test(text) ? [PROCESS] : []),
  ];
};

/** Counts the steps from a file to each that it leads to, fewest first. */
export const spendBudget = (imports: Imports, from: string): Sight => {
  const steps = new Map([[from, 0]]);
  for (const [file, count] of steps)
    for (const next of imports[file] ?? []) if (!steps.has(next)) steps.set(next, count + 1);
  return steps;
};

/**
 * Finds what test files can see: what the bundler lists, and what it cannot know.
 * @param services entries of the built service
 */
export const findSights = async (
  root: string,
  files: readonly string[],
  services: readonly string[],
): Promise<ReadonlyMap<string, Sight>> => {
  const imported = await listImports(root, [...files, ...services]);
  const imports: Imports = {
    ...Object.fromEntries(
      Object.entries(imported).map(([source, listed]) => [
        source,
        [...listed, ...listUnlisted(root, source)],
      ]),
    ),
    // Farther than the same service in the test's own process.
    [PROCESS]: [BUILT],
    [BUILT]: services,
  };
  return new Map(files.map((file) => [file, spendBudget(imports, file)]));
};

/** What every bundle is made by. */
const SEEN_BY_ALL: ReadonlySet<string> = new Set([
  'package-lock.json',
  'tsconfig.json',
  'scripts/build/build.mjs',
]);

/** Steps to a file, by itself or by a directory that it is in; `null` if the test file cannot see it. */
export const findSteps = (sight: Sight, file: string): number | null => {
  if (SEEN_BY_ALL.has(file)) return sight.size;
  const own = sight.get(file);
  if (own !== undefined) return own;
  if (file === '') return null;
  const directory = dirname(file);
  const within = findSteps(sight, directory === '.' ? '' : directory);
  return within === null ? null : within + 1;
};
