import { runPush } from './push/run-push.ts';
import { createStopSignal } from './stop-signals.ts';

process.exit(
  await runPush({
    args: process.argv.slice(2),
    environment: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    createStopSignal,
  }),
);
