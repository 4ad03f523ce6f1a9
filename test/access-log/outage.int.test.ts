import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hostEventStore } from '../../adapters/embedded-eventstore/host.ts';
import { openDatabase } from '../../adapters/postgres/connection/database.ts';
import { createAccessLogOutbox } from '../../adapters/postgres/outbox/access-log-outbox.ts';
import { startService } from '../../api/app/service.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { eventually } from '../harness/eventually.ts';
import { PASSWORD, signInVisitor } from '../harness/pages.ts';
import { freePort, relayTo } from '../harness/ports.ts';
import { startTestPostgres } from '../harness/postgres.ts';
import { newPractice, push, testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle } from '../support/bundles.ts';

const EVERYTHING = { person: null, record: null, kind: null } as const;

test('while the log is away a list is shown and noted; when it is back the log has it once', async () => {
  const directory = temporaryDirectory('access-log-outage');
  const stops: (() => Promise<void>)[] = [async () => directory.remove()];
  try {
    const postgres = await startTestPostgres();
    stops.push(() => postgres.stop());
    const node = await hostEventStore({
      databaseUrl: postgres.url,
      dataDir: directory.path,
      hostKind: 'service',
      port: await freePort(),
    });
    stops.push(() => node.stop());
    const relay = await relayTo(node.port);
    stops.push(() => relay.close());
    const settings = testSettings(directory.path, {
      DATABASE_URL: postgres.url,
      EVENTSTORE_URL: `esdb://127.0.0.1:${relay.port}?tls=false`,
      REGISTRY_SECRET: 'a secret of thirty-two bytes or more',
    });
    const silent = openServiceLog('silent');
    const service = await startService(settings, silent);
    stops.push(() => service.stop());
    await service.started;
    const commands = await openCommands(settings, silent);
    stops.push(() => commands.close());
    const db = openDatabase(postgres.url, 1);
    stops.push(() => db.destroy());
    const { isAnyWaiting } = createAccessLogOutbox(db);
    const isCarried = () =>
      eventually('the notes are carried to the log', async () => !(await isAnyWaiting()));

    const { practiceId, token } = await newPractice(commands);
    const email = 'viewer@cedar.example';
    const id = await commands.accounts.addMember({
      practiceId,
      email,
      role: 'Viewer',
      password: PASSWORD,
    });
    await push(service.url, token, birthBundle({ chartNumber: 'A-1' }));
    const visitor = await signInVisitor(service.url, { id, email });
    await isCarried();

    await relay.cut();
    assert.is((await visitor.send('/registry/records')).status, 200);
    assert.is((await visitor.send('/registry/births')).status, 200);
    assert.ok(await isAnyWaiting(), 'it is kept where it was noted');
    const cutAt = new Date();

    await relay.mend();
    await isCarried();
    const { entries } = await commands.accessLog(practiceId, EVERYTHING);
    const shown = entries.filter(({ type }) => type === 'RecordsShown');
    assert.equal(
      shown.map(({ place }) => place),
      ['births', 'list'],
    );
    for (const { at } of shown)
      assert.ok(Date.parse(at) <= cutAt.getTime(), 'it says when it was, not when it was carried');
    assert.equal((await commands.verify()).problems, []);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
});

test.run();
