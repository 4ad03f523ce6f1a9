import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { formatFault } from '../../api/app/fault-messages.ts';
import { startService } from '../../api/app/service.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import type { Settings } from '../../api/settings/settings.ts';
import {
  newPractice,
  openTestConnection,
  push,
  startTestStores,
  testSettings,
} from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle } from '../support/bundles.ts';

/** The settings of a registry whose log is gone, and its database. */
interface Context {
  settings: Settings;
  db: Db;
  stop: () => Promise<void>;
}

const lost = suite<Context>('a log that was lost');

const silent = openServiceLog('silent');

lost.before(async (context) => {
  const directory = temporaryDirectory('lost-log');
  const stores = await startTestStores('template1');
  // The secret is in the data directory, as without settings.
  const settings = { ...testSettings(directory.path, stores.environment), registrySecret: null };
  const service = await startService(settings, silent);
  await service.started;
  const commands = await openCommands(settings, silent);
  const { token } = await newPractice(commands);
  await push(service.url, token, birthBundle());
  await commands.close();
  await service.stop();
  const db = openTestConnection({ settings });
  await sql`drop schema eventstore cascade`.execute(db);
  await stores.reopenLog();
  Object.assign(context, {
    settings,
    db,
    async stop() {
      await db.destroy();
      await stores.stop();
      directory.remove();
    },
  } satisfies Context);
});
lost.after(({ stop }) => stop());

const faultOf = (work: Promise<unknown>): Promise<Error | null> =>
  work.then(
    () => null,
    (error: Error) => error,
  );

/** Neither a service nor a command begins another registry in the log. */
const isRefused = async ({ settings, db }: Context): Promise<void> => {
  for (const role of ['all', 'api', 'projector', 'worker'] as const) {
    let fault: Error | null = null;
    // A log that answers late is refused after the start, and a stop may come before that.
    while (fault === null) {
      const service = await startService({ ...settings, role }, silent);
      const atStart = await faultOf(service.started);
      fault = (await faultOf(service.stop())) ?? atStart;
    }
    assert.match(formatFault(fault), 'holds no registry');
    assert.match(formatFault(fault), 'Restore the log from a backup');
  }
  for (const mayFound of [true, false]) {
    const fault = await faultOf(openCommands(settings, silent, { mayFound }));
    assert.match(formatFault(fault), 'holds no registry');
  }
  const { rows } = await sql`select count(*)::integer as events from eventstore.event`.execute(db);
  assert.equal(rows, [{ events: 0 }]);
};

lost('begins no other registry beside read tables that hold one', isRefused);

lost('nor beside the keys, queue, and passwords of one', async (context) => {
  await sql`drop schema read cascade`.execute(context.db);
  await isRefused(context);
});

lost('makes no secret, which would be mistaken for the one that was lost', async (context) => {
  const secret = join(context.settings.dataDir, 'registry-secret');
  assert.ok(existsSync(secret));
  await rm(secret);
  await isRefused(context);
  assert.not(existsSync(secret));
});

lost('with an empty database a new registry begins', async ({ settings, db }) => {
  await sql`drop schema app cascade`.execute(db);
  await sql`drop table app_migration, app_migration_lock`.execute(db);
  const service = await startService(settings, silent);
  await service.started;
  await service.stop();
});

lost.run();
