// A service in a process of its own that dies, as by `kill -9`, after a step of the write path.
// Arguments: its settings as JSON, step (or `never`), how many times the step goes well before.
// Prints its address when it is ready.

import { startService } from '../../api/composition/service.ts';
import { readSettings } from '../../api/composition/settings.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { watchProcessFaults } from '../../api/process/process-faults.ts';

const [environment = '', step, survived = '0'] = process.argv.slice(2);

watchProcessFaults(openServiceLog('silent'));
let left = Number(survived);
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
