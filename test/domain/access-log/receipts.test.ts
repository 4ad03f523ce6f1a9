import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildReceiptsRead, toReadReceipt } from '../../../domain/access-log/receipts.ts';

const receipts = suite('receipts that a key was given, in the access log');

const AT = new Date('2026-03-01T12:00:00Z');
const ids = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `r${from + at}`);
const eventOf = (ingestionIds: readonly string[], recordIds: readonly string[]) => ({
  type: 'ReceiptsRead',
  data: { at: AT.toISOString(), practiceId: 'p', ingestionIds, recordIds },
});

receipts('nothing is noted before the receipt tells what became of the records', () => {
  for (const status of ['queued', 'processing'] as const)
    assert.is(toReadReceipt({ id: 'i', status }), null);
  const outcome = { error: 'e', exception: 'x', correlation_id: 'c' };
  assert.equal(
    toReadReceipt({ id: 'i', status: 'failed', outcome, completedAt: AT.toISOString() }),
    { ingestionId: 'i', recordIds: [] },
  );
  const accepted = [{ reference: 'a', submission_uuid: 'r1' }];
  assert.equal(
    toReadReceipt({
      id: 'i',
      status: 'completed',
      accepted: 1,
      rejected: 0,
      outcome: { accepted, rejected: [] },
      completedAt: AT.toISOString(),
    }),
    { ingestionId: 'i', recordIds: ['r1'] },
  );
});

receipts('receipts of a moment are one event, up to two hundred records', () => {
  assert.equal(
    buildReceiptsRead('p', AT, [
      { ingestionId: 'a', recordIds: ['r1', 'r1'] },
      { ingestionId: 'b', recordIds: [] },
      { ingestionId: 'c', recordIds: ['r2'] },
    ]),
    [eventOf(['a', 'b', 'c'], ['r1', 'r2'])],
  );
  assert.equal(buildReceiptsRead('p', AT, []), []);
});

receipts('more are several events, each with the receipts that name its records', () => {
  assert.equal(
    buildReceiptsRead('p', AT, [
      { ingestionId: 'a', recordIds: ids(150) },
      { ingestionId: 'b', recordIds: ids(250, 1_000) },
    ]),
    [eventOf(['a'], ids(150)), eventOf(['b'], ids(200, 1_000)), eventOf(['b'], ids(50, 1_200))],
  );
});

receipts.run();
