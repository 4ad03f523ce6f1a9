import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openServiceLog } from '../../api/process/logging.ts';
import { readSettings } from '../../api/settings/settings.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import { startDyingService } from '../harness/dying-service.ts';
import { within } from '../harness/eventually.ts';
import { freePort } from '../harness/ports.ts';
import { RECOVERED_WITHIN_MS } from '../harness/recovery.ts';
import {
  newPractice,
  post,
  receiptAt,
  startTestStores,
  testEnvironment,
} from '../harness/service.ts';
import type { DiesAfter } from '../harness/service-process.ts';
import { withCommands } from '../postgres/support/lost-events.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';

/** Which deaths of the service count against an ingestion, of which five end it. */
const tries = suite('tries that a death ends');

/** Two steps of the worker: four chunks of 50 courses and the rest. */
const batch = batchOf(
  Array.from({ length: 210 }, (_, index) => birthBundle({ chartNumber: `T-${index}` })),
);

/** The next worker counts what it finds in progress. */
const countedTries = async ({ db }: Stores): Promise<number> => {
  const { rows } = await sql<{ attempts: number }>`
    select attempts + (in_progress_by is not null)::integer as attempts from app.submission`.execute(
    db,
  );
  assert.is(rows.length, 1);
  return rows[0]?.attempts ?? Number.NaN;
};

tries(
  'count only while an ingestion is worked on, and anew once part of it is stored',
  async () => {
    const left = await startTestStores('registry');
    const port = String(await freePort());
    const environment = testEnvironment('', { ...left.environment, PORT: port });
    const settings = readSettings(environment);
    // Between two lives of the service its queue is looked at.
    const stores = await openStores(settings, 'command', openServiceLog('silent'));
    const dying = (dies?: DiesAfter) => startDyingService(environment, dies);
    const triesAfter = async (dies: DiesAfter): Promise<number> => {
      service = await dying(dies);
      await within(`the service dies after ${dies.step}`, service.ended, RECOVERED_WITHIN_MS);
      return countedTries(stores);
    };
    let service = await dying({ step: 'entries-claimed', after: 0 });
    try {
      const { token } = await withCommands(settings, newPractice);
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
      await service.stop();
      await stores.close();
      await left.stop();
    }
  },
);

tries.run();
