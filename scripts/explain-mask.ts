import { explainMaskOfBundle } from './offline/explain-mask.ts';

const { argv, stdout, stderr } = process;
process.exitCode = await explainMaskOfBundle({ args: argv.slice(2), stdout, stderr });
