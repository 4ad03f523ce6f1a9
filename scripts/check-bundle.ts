import { checkBundle } from './offline/check-bundle.ts';

const { argv, stdout, stderr } = process;
process.exitCode = await checkBundle({ args: argv.slice(2), stdout, stderr });
