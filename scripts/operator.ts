import { constants, setPriority } from 'node:os';
import { runOperator } from './operator/run-operator.ts';

process.exit(
  await runOperator({
    args: process.argv.slice(2),
    environment: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    yieldToService: () => setPriority(constants.priority.PRIORITY_LOW),
  }),
);
