import { ALLOWED_LICENSES, LICENSES_READ_BY_HAND } from './licenses.ts';

/** @see npm "package-lock.json" */
interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  /** Source of the package; if absent, the registry that npm is configured for. */
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
}

export interface Lockfile {
  readonly lockfileVersion?: number;
  readonly packages?: Readonly<Record<string, LockedPackage>>;
}

/** Decisions of package.json on install scripts, by `name` or `name@version`. */
export type AllowScripts = Readonly<Record<string, boolean>>;

const LOCKFILE_VERSION = 3;
const REGISTRY = 'https://registry.npmjs.org/';
/** 64 bytes in base64, so that any server must deliver the locked bytes. */
const SHA_512 = /^sha512-[A-Za-z0-9+/]{86}==$/;
const EXACT_VERSION = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/;

/**
 * Empty if each package comes from the public registry with its hash and runs no unapproved install
 * script, and production ones have allowed licenses.
 * @param allowScripts from package.json; `documents` must explain each `true`
 */
export const lockfileProblems = (
  lockfile: Lockfile,
  allowScripts: AllowScripts,
  documents: readonly string[],
): readonly string[] => {
  const entries = Object.entries(lockfile.packages ?? {}).filter(([path]) => path !== '');
  if (lockfile.lockfileVersion !== LOCKFILE_VERSION)
    return [`The lock file is of version ${lockfile.lockfileVersion}, not ${LOCKFILE_VERSION}.`];
  // An empty list would pass every check.
  if (entries.length === 0) return ['The lock file holds no packages.'];
  return [
    ...entries.flatMap(([path, locked]) => [
      ...checkSource(path, locked),
      ...checkScripts(path, locked, allowScripts),
      ...(locked.dev === true ? [] : checkLicense(path, locked)),
    ]),
    ...checkDecisions(entries, allowScripts, documents),
  ];
};

const getName = (path: string, { name }: LockedPackage): string =>
  name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const checkSource = (path: string, locked: LockedPackage): readonly string[] => {
  const { version, resolved, integrity, link } = locked;
  if (link === true || !path.includes('node_modules/'))
    return [`${path} is a directory or a link.`];
  const problems: string[] = [];
  if (version === undefined || !EXACT_VERSION.test(version))
    problems.push(`${path} has no exact version.`);
  if (resolved !== undefined && !isOfRegistry(resolved))
    problems.push(`${path} does not come from ${REGISTRY}.`);
  if (integrity === undefined || !integrity.split(/\s+/).every((hash) => SHA_512.test(hash)))
    problems.push(`${path} has no sha512 integrity, or another one beside it.`);
  return problems;
};

/** Parsed: a prefix check would accept `https://registry.npmjs.org/@elsewhere.example/…`. */
const isOfRegistry = (resolved: string): boolean =>
  URL.canParse(resolved) &&
  resolved.startsWith(REGISTRY) &&
  new URL(resolved).origin === new URL(REGISTRY).origin;

const checkScripts = (
  path: string,
  locked: LockedPackage,
  allowScripts: AllowScripts,
): readonly string[] => {
  if (locked.hasInstallScript !== true) return [];
  const name = getName(path, locked);
  const isDecided = [name, `${name}@${locked.version}`].some((key) => key in allowScripts);
  return isDecided
    ? []
    : [`${path} has an install script, and allowScripts says neither yes nor no.`];
};

const checkLicense = (path: string, locked: LockedPackage): readonly string[] => {
  const read = LICENSES_READ_BY_HAND.get(`${getName(path, locked)}@${locked.version}`);
  const license = read ?? locked.license;
  if (license === undefined) return [`${path} names no license.`];
  return ALLOWED_LICENSES.has(license) ? [] : [`${path} has a license to decide on: ${license}`];
};

/** A decision on an absent package could apply to another package with that name. */
const checkDecisions = (
  entries: readonly (readonly [string, LockedPackage])[],
  allowScripts: AllowScripts,
  documents: readonly string[],
): readonly string[] => {
  const withScripts = new Set(
    entries
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .flatMap(([path, locked]) => {
        const name = getName(path, locked);
        return [name, `${name}@${locked.version}`];
      }),
  );
  return Object.entries(allowScripts).flatMap(([key, isAllowed]) => {
    if (!withScripts.has(key))
      return [`allowScripts decides on ${key}, which has no install script.`];
    const isExplained = documents.some((text) => text.includes(`\`${key}\``));
    return isAllowed && !isExplained
      ? [`The install script of ${key} is allowed, and no document says why.`]
      : [];
  });
};
