import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newPractice, push, sharedTestService, type TestService } from '../../harness/service.ts';
import { birthBundle } from '../../support/bundles.ts';

const history = suite<{ service: TestService }>('the history of a record by its id');

history.before(async (context) => {
  context.service = await sharedTestService();
});
history.after(({ service }) => service.stop());

const recordedIn = async (service: TestService, token: string, chartNumber: string | null) => {
  const receipt = await push(service.url, token, birthBundle({ chartNumber }));
  const accepted = receipt.status === 'completed' ? receipt.outcome.accepted[0] : undefined;
  return accepted?.submission_uuid ?? '';
};

const refusalOf = (told: Promise<unknown>): Promise<string> =>
  told.then(
    () => 'none',
    (error: Error) => `${error.name}: ${error.message}`,
  );

history('a record without a chart number is replayed, and its showing noted', async (context) => {
  const { url, commands } = context.service;
  const { practiceId, token } = await newPractice(commands);
  const record = await recordedIn(context.service, token, null);
  assert.ok(url !== '' && record !== '');
  const shown = await commands.historyOfRecord(practiceId, record, null);
  assert.equal(
    [shown.chartNumber, shown.submissionUuid, shown.state?.status, shown.state?.version],
    [null, record, 'live', 1],
  );
  assert.equal(
    shown.events.map(({ type, version }) => [type, version]),
    [['BirthRecorded', 1]],
  );

  const before = await commands.historyOfRecord(practiceId, record, new Date('2020-01-01'));
  assert.equal([before.submissionUuid, before.state, before.events], [record, null, []]);

  // Not of receipts: the push asks for its own as often as it takes to be done.
  const asked = { person: null, record, kind: 'records' } as const;
  const { entries } = await commands.accessLog(practiceId, asked);
  // Not of the moment at which there was nothing to see.
  assert.equal(
    entries.map(({ place, recordIds }) => [place, recordIds]),
    [['history-command', [record]]],
  );
});

history('one with a chart number is the same by either', async ({ service }) => {
  const { practiceId, token } = await newPractice(service.commands);
  const record = await recordedIn(service, token, 'H-1');
  assert.is(await recordedIn(service, token, 'H-1'), record);
  const byChart = await service.commands.history(practiceId, 'H-1', null);
  assert.is(byChart.events.length, 2);
  assert.equal(await service.commands.historyOfRecord(practiceId, record, null), byChart);
  const at = new Date(byChart.events[0]?.at ?? '');
  assert.equal(
    await service.commands.historyOfRecord(practiceId, record, at),
    await service.commands.history(practiceId, 'H-1', at),
  );
});

history('a record that the practice does not hold is refused', async ({ service }) => {
  const { commands } = service;
  const { practiceId, token } = await newPractice(commands);
  const other = await newPractice(commands);
  const records = [
    await recordedIn(service, token, null),
    await recordedIn(service, token, 'H-2'),
    randomUUID(),
    'mistyped',
  ];
  for (const record of records)
    assert.match(
      await refusalOf(commands.historyOfRecord(other.practiceId, record, null)),
      /^CommandRefused: The practice has no record with this id/,
    );
  assert.match(
    await refusalOf(commands.historyOfRecord('mistyped', records[0] ?? '', null)),
    /^CommandRefused: There is no practice/,
  );
  assert.is((await commands.historyOfRecord(practiceId, records[0] ?? '', null)).events.length, 1);
});

history.run();
