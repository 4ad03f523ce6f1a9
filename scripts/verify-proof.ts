import { verifyProof } from './offline/verify-proof.ts';

const { argv, stdout, stderr } = process;
process.exitCode = await verifyProof({ args: argv.slice(2), stdout, stderr });
