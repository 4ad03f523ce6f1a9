import { rebuildReadTables } from '../../adapters/postgres/rebuild/rebuild.ts';
import { NO_REPORTER } from '../../api/commands/reporter.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { readSettings } from '../../api/settings/settings.ts';
import { openStores } from '../../api/stores/stores.ts';

/**
 * A rebuild in a process of its own that dies, as by `kill -9`, at the first time that a step is
 * done. Arguments: its settings as JSON, step.
 */
const [environment = '', step = ''] = process.argv.slice(2);

const stores = await openStores(
  readSettings(JSON.parse(environment)),
  'command',
  openServiceLog('silent'),
);
const { databaseUrl, registryId } = stores;
const { follow, head } = stores.log;
await rebuildReadTables(
  {
    databaseUrl,
    follow,
    head,
    registryId,
    ...NO_REPORTER,
    afterStep: (done) => {
      if (done === step) process.kill(process.pid, 'SIGKILL');
    },
  },
  'swap',
);
