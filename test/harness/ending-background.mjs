// A thread behind the door that is lost.
import { parentPort } from 'node:worker_threads';

parentPort.on('message', ({ kind }) => {
  if (kind === 'start') process.exit(3);
});
