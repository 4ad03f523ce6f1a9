import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type DyingRegistry,
  RECOVERED_WITHIN_MS,
  requireSoundLog,
  runWith,
  startDyingRegistry,
} from '../harness/recovery.ts';
import { newPractice, post, receiptAt } from '../harness/service.ts';
import { birthBundle, retractionBundle } from '../support/bundles.ts';

const recovery = suite<{ registry: DyingRegistry }>('a service that dies and comes back');

recovery.before(async (context) => {
  context.registry = await startDyingRegistry('process and log');
});

recovery.after(({ registry }) => registry.stop());

recovery('an undisturbed run gives what the specification says', async ({ registry }) => {
  const { outcome, histories } = await runWith(registry, null);
  await requireSoundLog(registry);
  const { accepted, rejected } = outcome as {
    accepted: { reference: string }[];
    rejected: { reference: string; outcome: { issue: { code: string }[] } }[];
  };
  assert.equal(accepted.slice(0, 6), [
    { reference: 'R-1' },
    { reference: 'R-2', suspected_duplicate: true },
    { reference: 'R-1', amended: true, version: 2 },
    { reference: 'R-3' },
    { reference: 'R-3', retracted: true, version: 2 },
    { reference: 'R-late' },
  ]);
  assert.equal(
    rejected.map(({ reference, outcome: { issue } }) => [reference, issue[0]?.code]),
    [
      ['R-late', 'not-found'],
      ['record[7]', 'structure'],
      ['R-2', 'conflict'],
    ],
  );
  assert.equal((histories as { events: string[] }[])[0]?.events, [
    'BirthRecorded 1',
    'BirthAmended 2',
  ]);
});

/**
 * Two submissions in one batch of the worker, where the outcome of the first has no event and the
 * second writes what the first had asked for: the first must keep its outcome after a death.
 */
recovery(
  'a refused retraction stays refused when what it named was recorded after it',
  async ({ registry }) => {
    const dies = { step: 'course-appended', after: 0 } as const;
    const { practiceId, token } = await newPractice(registry.commands);
    const addressOf = (response: Response) => response.headers.get('content-location') ?? '';
    await registry.service().diesAfter(dies);
    const [first, second] = await Promise.all(
      [retractionBundle('Z-1'), birthBundle({ chartNumber: 'Z-1' })].map((bundle) =>
        post(registry.service().url, token, bundle).then(addressOf),
      ),
    );
    await registry.comesBack(dies);
    const [retraction, birth] = await Promise.all(
      [first, second].map((address) => receiptAt(address ?? '', token, RECOVERED_WITHIN_MS)),
    );
    if (retraction?.status !== 'completed' || birth?.status !== 'completed')
      throw new Error('Not completed');
    const history = await registry.commands.history(practiceId, 'Z-1', null);
    // Whichever of the two came first in the queue, the receipts and the record agree.
    const isRefused = retraction.rejected === 1;
    assert.is(history.state?.status, isRefused ? 'live' : 'voided');
    assert.equal(
      history.events.map(({ type }) => type),
      isRefused ? ['BirthRecorded'] : ['BirthRecorded', 'BirthRetracted'],
    );
  },
);

recovery.run();
