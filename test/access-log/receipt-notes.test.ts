import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createReceiptNotes } from '../../api/access-log/receipt-notes.ts';
import type { OutboxEntry } from '../../domain/access-log/ports.ts';
import type { Receipt } from '../../domain/submission/receipt.ts';

const notes = suite('noting which receipts keys were given');

const receipt = (id: string): Receipt => ({
  id,
  status: 'completed',
  accepted: 1,
  rejected: 0,
  outcome: { accepted: [{ reference: 'r', submission_uuid: `of ${id}` }], rejected: [] },
  completedAt: '2026-03-01T12:00:00Z',
});

const KEY = { keyId: 'k', practiceId: 'p' };

const kept = () => {
  const noted: OutboxEntry[] = [];
  const faults: unknown[] = [];
  let isAway = false;
  const receipts = createReceiptNotes(
    async (batch) => {
      if (isAway) throw new Error('The database is away');
      noted.push(...batch);
    },
    () => new Date('2026-03-01T12:00:00Z'),
    (error) => faults.push(error),
  );
  return {
    receipts,
    faults,
    goAway: (away: boolean) => {
      isAway = away;
    },
    told: () =>
      noted.map(({ actor, event }) => [
        actor.id,
        'ingestionIds' in event.data ? event.data.ingestionIds : null,
      ]),
  };
};

notes('a receipt is noted once for each key, however often it is polled', async () => {
  const { receipts, told } = kept();
  for (let poll = 0; poll < 1_000; poll += 1) receipts.note(KEY, receipt('a'));
  receipts.note(KEY, { id: 'b', status: 'queued' });
  receipts.note(KEY, receipt('c'));
  receipts.note({ keyId: 'other', practiceId: 'p' }, receipt('a'));
  await receipts.stop();
  assert.equal(told(), [
    ['k', ['a', 'c']],
    ['other', ['a']],
  ]);
});

notes('while the database is away nothing is forgotten', async () => {
  const { receipts, told, faults, goAway } = kept();
  goAway(true);
  receipts.note(KEY, receipt('a'));
  await receipts.stop();
  assert.is(faults.length, 1);
  assert.equal(told(), []);
  goAway(false);
  await receipts.stop();
  assert.equal(told(), [['k', ['a']]]);
});

notes.run();
