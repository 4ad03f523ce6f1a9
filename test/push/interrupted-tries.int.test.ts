import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openStores } from '../../api/composition/stores.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { freePort } from '../harness/free-port.ts';
import { copyFreshCluster } from '../harness/postgres.ts';
import { withCommands, within } from '../harness/recovery.ts';
import { newPractice, post, receiptAt, testSettings } from '../harness/service.ts';
import { type DiesAfter, startServiceProcess } from '../harness/service-process.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';

/** Which deaths of the service count against an ingestion, of which five end it. */
const tries = suite('tries that a death ends');

/** Two steps of the worker: four chunks of 50 courses and the rest. */
const batch = batchOf(
  Array.from({ length: 210 }, (_, index) => birthBundle({ chartNumber: `T-${index}` })),
);

const DIES_WITHIN_MS = 60_000;

const countedTries = async (dataDir: string): Promise<number> => {
  const stores = await openStores(testSettings(dataDir), 'command', openServiceLog('silent'));
  try {
    const { rows } = await sql<{ attempts: number }>`
      select attempts from app.submission`.execute(stores.db);
    assert.is(rows.length, 1);
    return rows[0]?.attempts ?? Number.NaN;
  } finally {
    await stores.close();
  }
};

tries(
  'count only while an ingestion is worked on, and anew once part of it is stored',
  async () => {
    const directory = temporaryDirectory('tries');
    await copyFreshCluster(directory.path);
    const port = await freePort();
    const dying = (dies?: DiesAfter) => startServiceProcess(directory.path, port, dies);
    const triesAfter = async (dies: DiesAfter): Promise<number> => {
      service = await dying(dies);
      await within(DIES_WITHIN_MS, service.ended, `the service dies after ${dies.step}`);
      return countedTries(directory.path);
    };
    let service = await dying({ step: 'entries-claimed', after: 0 });
    try {
      const { token } = await withCommands(directory.path, newPractice);
      const push = () =>
        post(service.url, token, batch, { 'Idempotency-Key': 'the batch of the test' })
          .then((response) => response.headers.get('content-location'))
          .catch(() => null);
      // The answer may be lost with the service.
      const answered = await push();
      await within(DIES_WITHIN_MS, service.ended, 'the service dies after its claim');
      assert.is(await countedTries(directory.path), 1);
      // Begun, it waits until the tables tell what its former holder wrote: nothing was tried.
      assert.is(await triesAfter({ step: 'projection-reached', after: 1 }), 1);
      // In the middle of its first step.
      assert.is(await triesAfter({ step: 'courses-appended', after: 0 }), 2);
      // In the middle of its second: of what died before, nothing was left to be tried again.
      assert.is(await triesAfter({ step: 'courses-appended', after: 1 }), 1);
      service = await dying();
      const receipt = await receiptAt(answered ?? (await push()) ?? '', token, 30_000);
      assert.is(receipt.status, 'completed');
    } finally {
      service.kill('SIGTERM');
      await service.ended;
      directory.remove();
    }
  },
);

tries.run();
