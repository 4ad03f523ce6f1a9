import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hostEventStore } from '../../adapters/embedded-eventstore/host.ts';
import { openDatabase } from '../../adapters/postgres/connection/database.ts';
import { eventually } from '../harness/eventually.ts';
import { freePort } from '../harness/ports.ts';
import { createTestDatabase } from '../harness/postgres.ts';
import { newPractice, poll, receiptAt, testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { codesAt, provedPush, whileServing, withCommands } from './support/lost-events.ts';

/** The drill of a database that is restored from an older backup beside a log that is newer. */

/** Copies a database that nobody uses. @returns the address of the copy */
const copyDatabase = async (url: string): Promise<string> => {
  const copy = new URL(url);
  copy.pathname += '_older';
  const original = new URL(url).pathname.slice(1);
  const elsewhere = new URL(url);
  elsewhere.pathname = 'postgres';
  const db = openDatabase(elsewhere.href, 1);
  const names = [sql.id(copy.pathname.slice(1)), sql.id(original)];
  await sql`create database ${names[0]} template ${names[1]}`.execute(db);
  await db.destroy();
  return copy.href;
};

test('older tables catch up with the log, and nothing that it holds is lost', async () => {
  const directory = temporaryDirectory('behind-log');
  const [tables, logTables] = [await createTestDatabase(), await createTestDatabase()];
  const log = await hostEventStore({
    databaseUrl: logTables.url,
    dataDir: directory.path,
    hostKind: 'service',
    port: await freePort(),
  });
  const settingsOn = (databaseUrl: string) =>
    testSettings(directory.path, {
      CHECKPOINT_SECONDS: '1',
      DATABASE_URL: databaseUrl,
      EVENTSTORE_URL: log.connectionString,
      REGISTRY_SECRET: Buffer.from(randomUUID()).toString('base64url'),
    });
  const settings = settingsOn(tables.url);
  const serving = (on: typeof settings, work: (url: string) => Promise<void>) =>
    whileServing(on, async (url) => {
      await eventually('ready', async () => (await codesAt(url)).length === 0);
      await work(url);
    });
  try {
    const before = await withCommands(settings, (commands) => newPractice(commands));
    await serving(settings, async (url) => {
      await provedPush(url, before, 'kept');
    });
    const restored = { ...settings, databaseUrl: await copyDatabase(tables.url) };
    const later = await withCommands(settings, (commands) => newPractice(commands));
    const pushed: { readonly address: string; readonly token: string }[] = [];
    await serving(settings, async (url) => {
      for (const [practice, chart] of [
        [before, 'kept'],
        [before, 'next'],
        [later, 'other'],
      ] as const) {
        const { address } = await provedPush(url, practice, chart);
        pushed.push({ address, token: practice.token });
      }
    });

    await serving(restored, async (url) => {
      for (const { address, token } of pushed) {
        const path = new URL(address).pathname;
        assert.is((await receiptAt(`${url}${path}`, token)).status, 'completed');
        await eventually(
          'proved',
          async () => (await poll(`${url}${path}/proof`, token)).status === 200,
        );
      }
      await provedPush(url, before, 'next');
      await provedPush(url, later, 'new');
    });
    await withCommands(restored, async (commands) => {
      const { state } = await commands.history(before.practiceId, 'next', null);
      assert.is(state?.version, 2);
      assert.equal((await commands.verify()).problems, []);
      const { differences, incomplete } = await commands.rebuild('compare');
      assert.equal([...differences, ...incomplete], []);
    });
  } finally {
    await log.stop();
    await tables.stop();
    await logTables.stop();
    directory.remove();
  }
});

test.run();
