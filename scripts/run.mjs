// Builds what is not built yet and runs one of the built scripts. Plain JavaScript: it is what
// `npm start` runs before anything is built. `--build-only` runs nothing; with a directory and an entry
// behind it, it builds that one there.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildUnlessBuilt } from './build/build.mjs';

const [name, ...args] = process.argv.slice(2);
const SCRIPTS = [
  'serve',
  'serve-background',
  'operator',
  'push',
  'demo',
  'check-bundle',
  'explain-mask',
  'synthesize',
  'verify-proof',
].map((script) => `scripts/${script}.ts`);

const build = async (...what) => {
  try {
    await buildUnlessBuilt(...what);
  } catch (error) {
    if (error.name !== 'BuildToolsMissing') throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
};

if (name === '--build-only' && args.length > 0) {
  const [directory, ...entries] = args;
  await build(directory, entries);
} else {
  // A newcomer's first command; the others print for programs, or nothing.
  const say = () => name === 'demo' && process.stderr.write('Building, once …\n');
  await build('dist', SCRIPTS, say);
}
if (name !== '--build-only') {
  const script = fileURLToPath(new URL(`../dist/scripts/${name}.js`, import.meta.url));
  process.argv = [process.argv[0], script, ...args];
  await import(pathToFileURL(script).href);
}
