import { suite } from 'uvu';
import { copyFreshCluster } from '../harness/postgres.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { npmStarted, requireStopped } from '../harness/terminal.ts';

/** How signals of npm and of the terminal meet differs from time to time. */
const ROUNDS = ['SIGINT', 'SIGINT', 'SIGINT', 'SIGTERM'] as const;

const again = suite('Ctrl-C in a terminal, again and again');

again('ends npm and the service with 0 each time, and leaves nothing running', async () => {
  const directory = temporaryDirectory('ctrl-c-again');
  await copyFreshCluster(directory.path);
  for (const signal of ROUNDS)
    await requireStopped(await npmStarted(directory.path), directory.path, signal);
  directory.remove();
});

again.run();
