import { runSynthesis } from './synthesis/run-synthesis.ts';

const { argv, stdout, stderr } = process;
process.exitCode = await runSynthesis({ args: argv.slice(2), stdout, stderr });
