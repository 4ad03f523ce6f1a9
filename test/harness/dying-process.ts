// A process of its own that dies, as by `kill -9`, after a step: a service, or a merge of two
// providers. Arguments: its settings as JSON, step (or `never`), how many times the step goes well
// before, then for a merge the practice, the absorbed and the survivor, for a service that loses the
// thread behind its door `loses-thread`. The parent of a service may send other steps later, and is
// told when they hold; a service prints its address when it is ready.

import { startService } from '../../api/app/service.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { watchProcessFaults } from '../../api/process/process-faults.ts';
import { readSettings } from '../../api/settings/settings.ts';
import type { DiesAfter } from './service-process.ts';

const [environment = '', ...dies] = process.argv.slice(2);
const [, , practiceId = '', absorbed = '', survivor = ''] = dies;

const settings = readSettings(JSON.parse(environment));
const serviceLog = openServiceLog(settings.logLevel);
let step = dies[0];
let left = Number(dies[1]);
const afterStep = (done: string): void => {
  if (done !== step) return;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  left -= 1;
};

if (survivor !== '') {
  const commands = await openCommands(settings, serviceLog, { afterStep });
  await commands.providers.merge({ practiceId, absorbed, survivor });
  await commands.close();
  process.exit(0);
}
watchProcessFaults(serviceLog);
process.on('message', (next: DiesAfter) => {
  step = next.step;
  left = next.after;
  process.send?.('from now on');
});
const service = await startService(settings, serviceLog, {
  afterStep,
  ...(dies[2] === 'loses-thread'
    ? { backgroundScript: new URL('./ending-background.mjs', import.meta.url) }
    : {}),
});
await service.started;
process.stdout.write(`${service.url}\n`);
process.once('SIGTERM', () => {
  void service.stop().then(() => process.exit(0));
});
