import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { openDatabase } from '../../adapters/postgres/connection/database.ts';
import { startService } from '../../api/app/service.ts';
import { formatFault } from '../../api/operator/fault-messages.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import type { Settings } from '../../api/settings/settings.ts';
import { copyFreshCluster } from '../harness/postgres.ts';
import { newPractice, push, testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle } from '../support/bundles.ts';

/** The stopped service of a registry whose log is gone, and what is in its database. */
const lost = suite<{ settings: Settings; stop: () => Promise<void> }>('a log that was lost');

const silent = openServiceLog('silent');

lost.before(async (context) => {
  const directory = temporaryDirectory('lost-log');
  await copyFreshCluster(directory.path);
  context.settings = testSettings(directory.path);
  const service = await startService(context.settings, silent);
  await service.started;
  const commands = await openCommands(context.settings, silent);
  const { token } = await newPractice(commands);
  await push(service.url, token, birthBundle());
  await commands.close();
  await service.stop();
  const hosted = await hostPostgres({ dataDir: directory.path });
  context.stop = async () => {
    await hosted.stop();
    directory.remove();
  };
  await run(hosted.url, 'drop schema eventstore cascade');
});
lost.after(({ stop }) => stop());

const run = async (url: string, statement: string) => {
  const db = openDatabase(url, 1);
  try {
    return (await sql.raw<Record<string, unknown>>(statement).execute(db)).rows;
  } finally {
    await db.destroy();
  }
};

const sqlIn = async ({ dataDir }: Settings, statement: string) => {
  const hosted = await hostPostgres({ dataDir });
  return run(hosted.url, statement).finally(() => hosted.stop());
};

const faultOf = (work: Promise<unknown>): Promise<Error | null> =>
  work.then(
    () => null,
    (error: Error) => error,
  );

/** Neither a service nor a command begins another registry in the log. */
const isRefused = async (settings: Settings): Promise<void> => {
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
  const found = await sqlIn(settings, 'select count(*)::integer as events from eventstore.event');
  assert.equal(found, [{ events: 0 }]);
};

lost('begins no other registry beside read tables that hold one', ({ settings }) =>
  isRefused(settings),
);

lost('nor beside the keys, queue, and passwords of one', async ({ settings }) => {
  await sqlIn(settings, 'drop schema read cascade');
  await isRefused(settings);
});

lost('makes no secret, which would be mistaken for the one that was lost', async ({ settings }) => {
  const secret = join(settings.dataDir, 'registry-secret');
  assert.ok(existsSync(secret));
  await rm(secret);
  await isRefused(settings);
  assert.not(existsSync(secret));
});

lost('with an empty database a new registry begins', async ({ settings }) => {
  await sqlIn(settings, 'drop schema app cascade; drop table app_migration, app_migration_lock');
  const service = await startService(settings, silent);
  await service.started;
  await service.stop();
});

lost.run();
