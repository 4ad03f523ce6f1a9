// Builds what is not built yet and runs one of the compiled scripts. Plain JavaScript: it is what
// `npm start` runs before anything is compiled.
import { execFileSync } from 'node:child_process';
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
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [name, ...args] = process.argv.slice(2);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['domain', 'projections', 'adapters', 'api', 'scripts'];
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.sources');

/** What the pages load in the browser: not compiled, but served as it is. */
const SERVED = join('api', 'pages', 'assets');
const isServed = (file) => file.startsWith(SERVED) && /\.(css|mjs|svg)$/.test(file);

/** Names, sizes and times of all sources: a build made of others is made anew. */
const sourceStamp = () => {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) || isServed(join(folder, file)))
      // The yardsticks of the benchmarks bring packages of their own.
      .filter((file) => !file.includes('node_modules'))
      .map((file) => join(folder, file)),
  );
  return files
    .sort()
    .map((file) => {
      const { size, mtimeMs } = statSync(join(ROOT, file));
      return `${file} ${size} ${mtimeMs}`;
    })
    .join('\n');
};

const builtStamp = () => {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return null;
  }
};

/** Compiles beside the old build and swaps: who runs the old one meanwhile is not disturbed. */
const build = (stamp) => {
  // A newcomer's first command; the others print for programs, or nothing.
  if (name === 'demo') process.stderr.write('Compiling, once …\n');
  const draft = join(ROOT, `dist.${process.pid}`);
  const old = `${draft}.old`;
  try {
    const tsc = join(
      createRequire(import.meta.url).resolve('typescript/package.json'),
      '../bin/tsc',
    );
    const options = ['-p', 'scripts/build/tsconfig.json', '--outDir', draft];
    execFileSync(process.execPath, [tsc, ...options], { cwd: ROOT, stdio: ['ignore', 2, 2] });
    mkdirSync(join(draft, SERVED), { recursive: true });
    for (const file of readdirSync(join(ROOT, SERVED)).map((name) => join(SERVED, name)))
      if (isServed(file)) copyFileSync(join(ROOT, file), join(draft, file));
    writeFileSync(join(draft, '.sources'), stamp);
    try {
      renameSync(DIST, old);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    renameSync(draft, DIST);
  } catch (error) {
    // Another process has put its build of the same sources there first.
    if (builtStamp() !== stamp) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
};

const stamp = sourceStamp();
if (builtStamp() !== stamp) build(stamp);
if (name !== '--build-only') {
  const script = join(DIST, 'scripts', `${name}.js`);
  process.argv = [process.argv[0], script, ...args];
  await import(pathToFileURL(script).href);
}
