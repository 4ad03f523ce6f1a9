import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import { within } from '../harness/eventually.ts';
import { freePort } from '../harness/ports.ts';
import { copyStartedCluster } from '../harness/postgres.ts';
import { RECOVERED_WITHIN_MS, withCommands } from '../harness/recovery.ts';
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

const countedTries = async ({ db }: Stores): Promise<number> => {
  const { rows } = await sql<{ attempts: number }>`
    select attempts from app.submission`.execute(db);
  assert.is(rows.length, 1);
  return rows[0]?.attempts ?? Number.NaN;
};

tries(
  'count only while an ingestion is worked on, and anew once part of it is stored',
  async () => {
    const directory = temporaryDirectory('tries');
    await copyStartedCluster(directory.path);
    // They outlast the service: between two of its lives its queue is looked at.
    const stores = await openStores(
      testSettings(directory.path),
      'service',
      openServiceLog('silent'),
    );
    const port = await freePort();
    const dying = (dies?: DiesAfter) => startServiceProcess(directory.path, port, dies);
    const triesAfter = async (dies: DiesAfter): Promise<number> => {
      service = await dying(dies);
      await within(`the service dies after ${dies.step}`, service.ended, RECOVERED_WITHIN_MS);
      return countedTries(stores);
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
      await within('the service dies after its claim', service.ended, RECOVERED_WITHIN_MS);
      assert.is(await countedTries(stores), 1);
      // Begun, it waits until the tables tell what its former holder wrote: nothing was tried.
      assert.is(await triesAfter({ step: 'projection-reached', after: 1 }), 1);
      // In the middle of its first step.
      assert.is(await triesAfter({ step: 'courses-appended', after: 0 }), 2);
      // In the middle of its second: of what died before, nothing was left to be tried again.
      assert.is(await triesAfter({ step: 'courses-appended', after: 1 }), 1);
      service = await dying();
      const receipt = await receiptAt(answered ?? (await push()) ?? '', token, RECOVERED_WITHIN_MS);
      assert.is(receipt.status, 'completed');
    } finally {
      service.kill('SIGTERM');
      await service.ended;
      await stores.close();
      directory.remove();
    }
  },
);

tries.run();
