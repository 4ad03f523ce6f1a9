// A service in a process of its own that dies, as by `kill -9`, after a step of the write path.
// Arguments: its settings as JSON, step (or `never`), how many times the step goes well before. Its
// parent may send others later, and is told when they hold. Prints its address when it is ready.

import { startService } from '../../api/composition/service.ts';
import { readSettings } from '../../api/composition/settings.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { watchProcessFaults } from '../../api/process/process-faults.ts';
import type { DiesAfter } from './service-process.ts';

const [environment = '', ...dies] = process.argv.slice(2);

watchProcessFaults(openServiceLog('silent'));
let step = dies[0];
let left = Number(dies[1]);
process.on('message', (next: DiesAfter) => {
  step = next.step;
  left = next.after;
  process.send?.('from now on');
});
const settings = readSettings(JSON.parse(environment));
const service = await startService(settings, openServiceLog('silent'), {
  afterStep(done) {
    if (done !== step) return;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    left -= 1;
  },
});
await service.started;
process.stdout.write(`${service.url}\n`);
process.once('SIGTERM', () => {
  void service.stop().then(() => process.exit(0));
});
