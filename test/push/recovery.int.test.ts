import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '../../scripts/throw-away/free-port.ts';
import { birthBundle, retractionBundle } from '../support/bundles.ts';
import { copyFreshCluster } from '../support/postgres.ts';
import { runWith, withCommands } from '../support/recovery.ts';
import { newPractice, post, receiptAt } from '../support/service.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const recovery = suite('a service that dies and comes back');

recovery('an undisturbed run gives what the specification says', async () => {
  const { outcome, histories, problems } = await runWith(null);
  assert.equal(problems, []);
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
  async () => {
    const directory = temporaryDirectory('recovery');
    await copyFreshCluster(directory.path);
    const port = await freePort();
    let service = await startServiceProcess(directory.path, port, {
      step: 'course-appended',
      after: 0,
    });
    try {
      const { practiceId, token } = await withCommands(directory.path, newPractice);
      const addressOf = (response: Response) => response.headers.get('content-location') ?? '';
      const [first, second] = await Promise.all(
        [retractionBundle('Z-1'), birthBundle({ chartNumber: 'Z-1' })].map((bundle) =>
          post(service.url, token, bundle).then(addressOf),
        ),
      );
      await service.ended;
      service = await startServiceProcess(directory.path, port);
      const [retraction, birth] = await Promise.all(
        [first, second].map((address) => receiptAt(address ?? '', token, 30_000)),
      );
      if (retraction?.status !== 'completed' || birth?.status !== 'completed')
        throw new Error('Not completed');
      const history = await withCommands(directory.path, (commands) =>
        commands.history(practiceId, 'Z-1', null),
      );
      // Whichever of the two came first in the queue, the receipts and the record agree.
      const isRefused = retraction.rejected === 1;
      assert.is(history.state?.status, isRefused ? 'live' : 'voided');
      assert.equal(
        history.events.map(({ type }) => type),
        isRefused ? ['BirthRecorded'] : ['BirthRecorded', 'BirthRetracted'],
      );
    } finally {
      service.kill('SIGTERM');
      await service.ended;
      directory.remove();
    }
  },
);

recovery.run();
