import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type OperatorCommands, openCommands } from '../../api/composition/commands.ts';
import { openServiceLog } from '../../api/composition/logging.ts';
import type { WritePathStep } from '../../api/write-path/fault-hook.ts';
import type { Receipt } from '../../domain/ingestion/receipt.ts';
import { batchOf, birthBundle, retractionBundle } from '../support/bundles.ts';
import { copyFreshCluster } from '../support/postgres.ts';
import { newPractice, post, receiptAt, testSettings } from '../support/service.ts';
import { freePort, startServiceProcess } from '../support/service-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/**
 * For each step of the write path: a service that dies right after it. Started again, it must end
 * with the receipt, the records and the log of a service that nothing happened to.
 */

const KEY = { 'Idempotency-Key': 'the batch of the test' };

// Everything whose outcome depends on what came before it: an amendment, a look-alike, a retraction
// of what a later course records, a chart number used again after its retraction.
const batch = batchOf([
  retractionBundle('R-late'),
  birthBundle({ chartNumber: 'R-1', mother: { family: 'Lindqvist' } }),
  birthBundle({ chartNumber: 'R-2', mother: { family: 'Lindqvist' } }),
  birthBundle({ chartNumber: 'R-1', mother: { family: 'Lindqvist' }, place: '91154008' }),
  birthBundle({ chartNumber: 'R-3', mother: { family: 'Achebe' } }),
  retractionBundle('R-3', '2026-03-15T10:00:00Z'),
  birthBundle({ chartNumber: 'R-late', mother: { family: 'Yilmaz' } }),
  birthBundle({ chartNumber: null, mother: null }),
  birthBundle({
    chartNumber: 'R-2',
    lastUpdated: '2020-01-01T00:00:00Z',
    mother: { family: 'Lindqvist' },
  }),
  // More than one chunk: what was recorded of the first stands when the second is taken up again.
  ...Array.from({ length: 45 }, (_, index) =>
    birthBundle({ chartNumber: `R-more-${index}`, mother: { family: `Family ${index}` } }),
  ),
]);

const STEPS: readonly { readonly step: WritePathStep; readonly after: number }[] = [
  { step: 'row-queued', after: 0 },
  { step: 'event-queued', after: 0 },
  { step: 'lost-row-dropped', after: 0 },
  { step: 'turn-taken', after: 0 },
  { step: 'entries-claimed', after: 0 },
  { step: 'run-started', after: 0 },
  { step: 'projection-reached', after: 0 },
  { step: 'records-loaded', after: 0 },
  { step: 'course-appended', after: 0 },
  { step: 'course-appended', after: 2 },
  { step: 'course-appended', after: 5 },
  { step: 'course-appended', after: 48 },
  { step: 'courses-appended', after: 0 },
  { step: 'courses-appended', after: 1 },
  { step: 'chunk-recorded', after: 0 },
  { step: 'chunk-recorded', after: 1 },
  { step: 'rows-deleted', after: 0 },
  { step: 'turn-released', after: 0 },
];

/** What must be the same whether the service died or not. */
interface Result {
  readonly outcome: unknown;
  readonly histories: unknown;
  readonly problems: unknown;
}

const runWith = async (dies: (typeof STEPS)[number] | null): Promise<Result> => {
  const directory = temporaryDirectory('recovery');
  await copyFreshCluster(directory.path);
  const port = await freePort();
  let service = await startServiceProcess(directory.path, port, dies ?? undefined);
  try {
    const { practiceId, token } = await withCommands(directory.path, (commands) =>
      newPractice(commands),
    );
    const submit = () =>
      post(service.url, token, batch, KEY)
        .then((response) => response.headers.get('content-location'))
        .catch(() => null);
    let address = await submit();
    // The second submission of the key loses its race: a step of its own.
    if (address !== null) await submit();
    if (dies !== null) {
      await service.ended;
      service = await startServiceProcess(directory.path, port);
      address ??= await submit();
    }
    const receipt = await receiptAt(address ?? '', token, 30_000);
    return await withCommands(directory.path, async (commands) => ({
      outcome: outcomeOf(receipt),
      histories: await historiesOf(commands, practiceId),
      problems: (await commands.verify()).problems,
    }));
  } finally {
    service.kill('SIGTERM');
    await service.ended;
    directory.remove();
  }
};

const withCommands = async <T>(
  dataDir: string,
  use: (commands: OperatorCommands) => Promise<T>,
): Promise<T> => {
  const commands = await openCommands(testSettings(dataDir), openServiceLog('silent'));
  try {
    return await use(commands);
  } finally {
    await commands.close();
  }
};

const historiesOf = (commands: OperatorCommands, practiceId: string) =>
  Promise.all(
    ['R-1', 'R-2', 'R-3', 'R-late', 'R-more-0', 'R-more-44'].map(async (chart) => {
      const { state, events } = await commands.history(practiceId, chart, null);
      return {
        chart,
        status: state?.status,
        place: state?.courseOfCare.place_of_birth,
        suspectedDuplicate: state?.suspectedDuplicate,
        events: events.map(({ type, version }) => `${type} ${version}`),
      };
    }),
  );

// Ids differ from run to run only because each run has a registry of its own.
const outcomeOf = (receipt: Receipt) => {
  if (receipt.status !== 'completed') return receipt.status;
  return {
    accepted: receipt.outcome.accepted.map(({ submission_uuid: _, ...entry }) => entry),
    rejected: receipt.outcome.rejected,
  };
};

const recovery = suite<{ undisturbed: Result }>('a service that dies after each step');

recovery.before(async (context) => {
  context.undisturbed = await runWith(null);
});

recovery('an undisturbed run gives what the specification says', ({ undisturbed }) => {
  const { outcome, histories, problems } = undisturbed;
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

for (const dies of STEPS)
  recovery(`after ${dies.step}, the ${dies.after + 1}. time`, async ({ undisturbed }) => {
    assert.equal(await runWith(dies), undisturbed);
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
