import { startService } from '../../api/composition/service.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { watchProcessFaults } from '../../api/process/process-faults.ts';
import { testSettings } from './service.ts';

/**
 * A service in a process of its own that loses the thread behind its door.
 * Argument: data directory.
 */
const [dataDir = ''] = process.argv.slice(2);

const serviceLog = openServiceLog('info');
watchProcessFaults(serviceLog);
await startService(testSettings(dataDir), serviceLog, {
  backgroundScript: new URL('./ending-background.mjs', import.meta.url),
});
