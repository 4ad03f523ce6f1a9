// Checks the layers, and that dependency-cruiser has found modules at all: with an unsupported
// TypeScript version it finds none and passes.
import { cruise } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const MIN_MODULES = 50;

const options = await extractDepcruiseOptions('./scripts/checks/layers.cjs');
const { output, exitCode } = await cruise(
  ['domain', 'projections', 'transparency-log', 'adapters', 'api', 'scripts', 'test'],
  { ...options, outputType: 'err-long' },
  undefined,
  { tsConfig: extractTSConfig('tsconfig.json') },
);
process.stdout.write(`${output}\n`);
const { output: json } = await cruise(['domain', 'adapters', 'api'], options);
const modules = json.modules.length;
if (modules < MIN_MODULES) {
  process.stderr.write(`Only ${modules} modules were seen: the layering was not checked.\n`);
  process.exit(1);
}
process.exit(exitCode);
