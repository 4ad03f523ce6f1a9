// Builds changed sources and runs a built script. Plain JavaScript, because `npm start` runs it
// before anything is built. `--build-only` runs nothing; followed by a directory and an entry, it
// builds that entry there.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildUnlessBuilt } from './build/build.mjs';

const [name, ...args] = process.argv.slice(2);
const SCRIPTS = [
  'serve',
  'serve-background',
  'serve-reading',
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
  // Only for a new user's first command; the output of the others is for programs.
  const say = () => name === 'demo' && process.stderr.write('Building, once …\n');
  await build('dist', SCRIPTS, say);
}
if (name !== '--build-only') {
  const script = fileURLToPath(new URL(`../dist/scripts/${name}.js`, import.meta.url));
  process.argv = [process.argv[0], script, ...args];
  await import(pathToFileURL(script).href);
}
