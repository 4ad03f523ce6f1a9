import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCheckpointVerifiers } from '../../adapters/event-log/checkpoint-keys.ts';
import { addFingerprintKey } from '../../adapters/event-log/registry-identity.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { beginRotation, SEALED_COLUMNS } from '../../adapters/postgres/keys/queue-keys.ts';
import { type Service, startService } from '../../api/app/service.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { rotateKeys } from '../../api/operator/rotate-keys.ts';
import { rotateSecret } from '../../api/operator/rotate-secret.ts';
import type { App } from '../../api/ports/app-ports.ts';
import { isOutage } from '../../api/ports/outage.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { saveCourse } from '../../api/record-commands/save-course.ts';
import type { Settings } from '../../api/settings/settings.ts';
import { openLogAndDatabase, openStores, type Stores } from '../../api/stores/stores.ts';
import { isKnown } from '../../domain/event-log.ts';
import { REGISTRY_STREAM } from '../../domain/stream-names.ts';
import { formatVerifierKey } from '../../transparency-log/signed-note.ts';
import { eventually } from '../harness/eventually.ts';
import { copyStartedCluster } from '../harness/postgres.ts';
import {
  newPractice,
  openTestRegistry,
  post,
  push,
  receiptAt,
  testSettings,
} from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle, courseOf } from '../support/bundles.ts';
import { addLong } from '../support/runs.ts';

/** `rotate-keys` on one data directory: each test goes on where the one before has ended. */
const rotation = suite<{
  dataDir: string;
  remove: () => void;
  practice: { practiceId: string; token: string };
  /** The one that the test before has left running, if it has. */
  service: Service;
}>('rotating the keys');

const silent = openServiceLog('silent');
const SECOND = 'second-secret-second-secret-second-secret';
const ACCOUNT = 'account-with-an-app';
const TIME_CODE = 'JBSWY3DPEHPK3PXP';

const settingsOf = (dataDir: string, changes: Readonly<Record<string, string>> = {}): Settings =>
  testSettings(dataDir, { REGISTRY_OPERATOR: 'Sam Reyes', ...changes });

const started = async (settings: Settings) => {
  const service = await startService(settings, silent);
  await service.started;
  return service;
};

/** Another process on the stores of a service. */
const otherProcess = async (settings: Settings) => {
  const stores = await openStores(settings, 'command', silent);
  return { stores, registry: await openTestRegistry(stores, settings) };
};

const closed = async ({ stores, registry }: { stores: Stores; registry: App }) => {
  registry.stopWatchingKeys();
  await stores.close();
};

const onStores = async <Result>(
  settings: Settings,
  work: (stores: Awaited<ReturnType<typeof openLogAndDatabase>>) => Promise<Result>,
): Promise<Result> => {
  const stores = await openLogAndDatabase(settings, 'command', silent);
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
};

const queueKeysIn = async (db: Db): Promise<readonly number[]> =>
  (await db.selectFrom('app.queue_key').select('id').orderBy('id').execute()).map(({ id }) => id);

const addedKeys = async ({ log }: Pick<Stores, 'log'>) =>
  (await log.readStream(REGISTRY_STREAM))
    .filter(isKnown)
    .filter(({ event }) => event.type === 'FingerprintKeyAdded')
    .map(({ event, metadata }) => [(event.data as { version: number }).version, metadata.actor.id]);

/** Which version of the key has sealed the time code of the account. */
const sealedBy = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ sealed: Buffer }>`
    select sealed from app.time_code where account_id = ${ACCOUNT}`.execute(db);
  const sealed = rows[0]?.sealed ?? Buffer.alloc(8);
  return sealed.subarray(0, 4).toString() === 'key\0' ? sealed.readUInt32BE(4) : 1;
};

/** As if the older versions had been replaced hours ago. */
const age = (db: Db) =>
  sql`update app.queue_key set made_at = made_at - interval '2 hours'`.execute(db);

const named = (name: string, chartNumber: string) =>
  birthBundle({
    chartNumber,
    mother: { family: 'Marin', given: [name] },
    children: [{ birthTime: '2026-03-12T04:31:27-05:00' }],
  });

const save = ({ registry }: { registry: App }, practiceId: string, name: string, chart: string) =>
  saveCourse(registry, {
    practiceId,
    actor: { kind: 'member', id: 'midwife' },
    correlationId: 'test',
    source: 'manual',
    submissionId: randomUUID(),
    target: { kind: 'new' },
    overrule: false,
    course: courseOf(named(name, chart)),
  });

const isFlagged = async (url: string, token: string, name: string, chart: string) => {
  const receipt = await push(url, token, named(name, chart));
  if (receipt.status !== 'completed') throw new Error(receipt.status);
  return receipt.outcome.accepted[0]?.suspected_duplicate === true;
};

rotation.before(async (context) => {
  const directory = temporaryDirectory('rotate-keys');
  await copyStartedCluster(directory.path);
  context.dataDir = directory.path;
  context.remove = directory.remove;
});
rotation.after(({ remove }) => remove());

rotation('what was queued and sealed before is there under the new keys', async (context) => {
  const settings = settingsOf(context.dataDir);
  const service = await started(settings);
  const commands = await openCommands(settings, silent);
  context.practice = await newPractice(commands);
  const { token } = context.practice;
  assert.not(await isFlagged(service.url, token, 'Rosa', 'rosa-1'));
  const other = await otherProcess(settings);
  await other.registry.secondFactors.begin(ACCOUNT, TIME_CODE);
  assert.ok(await other.registry.secondFactors.confirm(ACCOUNT, 1));
  await closed(other);
  await commands.close();
  const queued = await post(service.url, token, named('Lia', 'lia-1'));
  await service.stop();

  const rotated = await rotateKeys(settings, silent);
  assert.equal([rotated.queueKey, rotated.hashKey, rotated.olderQueueKeys], [2, 2, [1]]);
  // Longer than an import may wait for its confirmation, and then in the queue.
  const hoursAlone = (Date.parse(rotated.hashKeyAloneFrom) - Date.now()) / 3_600_000;
  assert.ok(hoursAlone > 48 && hoursAlone <= 49, String(hoursAlone));
  await onStores(settings, async ({ db, log }) => {
    assert.is(await sealedBy(db), 2);
    assert.equal(await addedKeys({ log }), [[2, 'Sam Reyes']]);
    const signing = (await createCheckpointVerifiers(log.readStream)).map(formatVerifierKey);
    assert.is(signing.length, 2);
    assert.is(signing.at(-1), rotated.checkpointKey);
  });

  const after = await started(settings);
  const path = new URL(queued.headers.get('content-location') ?? '').pathname;
  assert.is((await receiptAt(`${after.url}${path}`, token)).status, 'completed');
  assert.ok(await isFlagged(after.url, token, 'Lia', 'lia-2'));
  assert.ok(await isFlagged(after.url, token, 'Rosa', 'rosa-2'));
  const reading = await otherProcess(settings);
  assert.is(await reading.registry.secondFactors.secret(ACCOUNT), TIME_CODE);
  await closed(reading);
  await after.stop();
});

addLong(
  rotation,
  'processes that run learn of new keys, and find what a late one writes',
  async (context) => {
    const settings = settingsOf(context.dataDir);
    const { practiceId, token } = context.practice;
    const service = await started(settings);
    const aware = await otherProcess(settings);
    // Two that do not look for new keys, as if the rotation were of this moment.
    const [late, unaware] = [await otherProcess(settings), await otherProcess(settings)];
    for (const { registry } of [late, unaware]) registry.stopWatchingKeys();
    const owner = { accountId: 'account', practiceId };
    const draft = { form: 'new', draftId: randomUUID() } as const;

    const rotated = await rotateKeys(settings, silent);
    assert.equal([rotated.queueKey, rotated.hashKey], [3, 3]);
    await eventually('another process seals with the new key', async () => {
      await aware.registry.secondFactors.begin(ACCOUNT + randomUUID(), TIME_CODE);
      const { current } = aware.registry.fingerprintKeysAt(new Date());
      return current.at(-1)?.version === 3;
    });
    await aware.registry.drafts.save(
      owner,
      draft,
      {
        values: { chart_number: 'D-1' },
        version: null,
      },
      null,
    );
    // Nobody has told it of the key that has sealed these: it looks when it meets one.
    assert.is(await late.registry.secondFactors.secret(ACCOUNT), TIME_CODE);
    assert.ok(await late.registry.drafts.find(owner, draft));

    const { current } = unaware.registry.fingerprintKeysAt(new Date());
    assert.is(current.at(-1)?.version, 2);
    const saved = await save(unaware, practiceId, 'Ida', 'ida-1');
    assert.is(saved.kind, 'saved');
    assert.ok(await isFlagged(service.url, token, 'Ida', 'ida-2'));
    assert.is((await save(aware, practiceId, 'Ida', 'ida-3')).kind, 'look-alike');
    assert.not(await isFlagged(service.url, token, 'Ada', 'ada-1'));
    assert.is((await save(unaware, practiceId, 'Ada', 'ada-2')).kind, 'look-alike');

    for (const one of [aware, late, unaware]) await closed(one);
    await service.stop();
  },
);

addLong(
  rotation,
  'a rotation that died half way is finished by the same command',
  async (context) => {
    const { dataDir } = context;
    const settings = settingsOf(dataDir);
    const wanted = [4, 4];
    await onStores(settings, async ({ db, secret }) => {
      const begun = await beginRotation(db, await secret(), 3, new Date());
      assert.equal([begun.queueKey, begun.fingerprintKey], wanted);
    });
    // A service that starts now works with what there is.
    context.service = await started(settings);
    await onStores(settings, async ({ log, secret }) => {
      const added = { version: 4, aloneFrom: '2036-01-01T00:00:00.000Z' };
      await addFingerprintKey(log, await secret(), added, { kind: 'operator', id: 'Ada Okoye' });
    });
    const cut = await rotateKeys(settings, silent, ({ work }) => {
      if (work.startsWith('Sealing')) throw new Error('killed');
    }).catch((error: Error) => error.message);
    assert.is(cut, 'killed');
    const rotated = await rotateKeys(settings, silent);
    assert.equal([rotated.queueKey, rotated.hashKey], wanted);
    assert.is(rotated.hashKeyAloneFrom, '2036-01-01T00:00:00.000Z');
    await onStores(settings, async ({ db, log }) => {
      assert.is(await sealedBy(db), 4);
      assert.equal((await addedKeys({ log })).at(-1), [4, 'Ada Okoye']);
    });
  },
);

addLong(rotation, 'two commands at once make one version', async ({ dataDir, service }) => {
  const settings = settingsOf(dataDir);
  const both = await Promise.all([rotateKeys(settings, silent), rotateKeys(settings, silent)]);
  assert.equal(
    both.map(({ queueKey, hashKey }) => [queueKey, hashKey]),
    [
      [5, 5],
      [5, 5],
    ],
  );
  await onStores(settings, async (stores) => {
    assert.equal(
      (await addedKeys(stores)).map(([version]) => version),
      [2, 3, 4, 5],
    );
  });
  await service.stop();
});

addLong(
  rotation,
  'an older key goes when nothing is sealed with it, and not before',
  async (context) => {
    const { dataDir } = context;
    const settings = settingsOf(dataDir);
    await onStores(settings, async ({ db }) => {
      assert.equal(await queueKeysIn(db), [1, 2, 3, 4, 5]);
      await age(db);
      // Those that the tests above have left unconfirmed.
      await sql`delete from app.time_code where account_id <> ${ACCOUNT}`.execute(db);
      await sql`
      insert into app.prefill (prefill_id, browser, sealed, expires_at)
      values (${randomUUID()}, 'browser', ${Buffer.from('sealed by the first key')},
        now() + interval '1 hour')`.execute(db);
    });
    const kept = async () => onStores(settings, ({ db }) => queueKeysIn(db));
    context.service = await started(settings);
    await eventually('the service drops what it can', async () => (await kept()).length === 3);
    // The draft is sealed with the third one.
    assert.equal(await kept(), [1, 3, 5]);

    await onStores(settings, async ({ db }) => {
      await sql`delete from app.prefill`.execute(db);
      await sql`delete from app.draft`.execute(db);
    });
    const rotated = await rotateKeys(settings, silent);
    // The fifth was in use until this moment.
    assert.equal([rotated.queueKey, rotated.olderQueueKeys], [6, [5]]);
    assert.equal(await kept(), [5, 6]);
  },
);

rotation('every place that the key of the queue seals is known', async ({ dataDir }) => {
  await onStores(settingsOf(dataDir), async ({ db }) => {
    const { rows } = await sql<{ place: string }>`
      select table_name || '.' || column_name as place from information_schema.columns
      where table_schema = 'app' and data_type = 'bytea'`.execute(db);
    // Public: the key of a device, and the hash of a log. Unused: the queue of version 0.1.
    const open = ['passkey.public_key', 'witnessed_log.root', 'ingestion_queue_chunk.sealed'];
    const sealed = rows.map(({ place }) => place).filter((place) => !open.includes(place));
    assert.equal(sealed.sort(), SEALED_COLUMNS.map((names) => names.join('.')).sort());
  });
});

addLong(rotation, 'a wrong secret changes nothing', async ({ dataDir }) => {
  const settings = settingsOf(dataDir);
  const before = await onStores(settings, ({ db }) => queueKeysIn(db));
  const refused = await rotateKeys(settingsOf(dataDir, { REGISTRY_SECRET: SECOND }), silent).catch(
    (error: Error) => error.name,
  );
  assert.is(refused, 'WrongRegistrySecret');
  await onStores(settings, async ({ db, log }) => {
    assert.equal(await queueKeysIn(db), before);
    assert.is((await addedKeys({ log })).length, 5);
  });
});

addLong(
  rotation,
  'a process with the secret of before says so, and loses nothing',
  async (context) => {
    const { dataDir, service } = context;
    const other = await otherProcess(settingsOf(dataDir));
    const settings = settingsOf(dataDir, { REGISTRY_SECRET: SECOND });
    assert.equal(await rotateSecret(settings, silent), {
      rewrapped: ['identity-key', 'queue-key'],
    });
    assert.equal(await rotateSecret(settings, silent), { rewrapped: [] });
    assert.is(await other.registry.secondFactors.secret(ACCOUNT), TIME_CODE);
    const rotated = await rotateKeys(settings, silent);
    assert.equal([rotated.queueKey, rotated.hashKey], [7, 7]);
    const fault = await other.registry.secondFactors.secret(ACCOUNT).catch((error) => error);
    assert.is((fault as Error).name, 'RotatedKeysClosed');
    // As when a store is away, no push loses a try by it.
    assert.ok(isOutage(fault));
    await closed(other);
    await service.stop();
  },
);

addLong(rotation, 'after all of it the log and the tables agree', async ({ dataDir, practice }) => {
  const settings = settingsOf(dataDir, { REGISTRY_SECRET: SECOND });
  const service = await started(settings);
  assert.ok(await isFlagged(service.url, practice.token, 'Rosa', 'rosa-3'));
  const other = await otherProcess(settings);
  assert.is(await other.registry.secondFactors.secret(ACCOUNT), TIME_CODE);
  await closed(other);
  const commands = await openCommands(settings, silent);
  assert.equal((await commands.verify()).problems, []);
  assert.equal((await commands.rebuild('compare')).differences, []);
  await commands.close();
  await service.stop();
});

rotation.run();
