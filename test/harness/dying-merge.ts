import { openCommands } from '../../api/composition/commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { testSettings } from './service.ts';

/**
 * A merge of two providers in a process of its own that dies, as by `kill -9`, after a step.
 * Arguments: data directory, practice, absorbed, survivor, step, how many times it goes well before.
 */
const [dataDir = '', practiceId = '', absorbed = '', survivor = '', step = '', survived = '0'] =
  process.argv.slice(2);

let left = Number(survived);
const commands = await openCommands(testSettings(dataDir), openServiceLog('silent'), {
  afterStep(done) {
    if (done !== step) return;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    left -= 1;
  },
});
await commands.providers.merge({ practiceId, absorbed, survivor });
await commands.close();
process.exit(0);
