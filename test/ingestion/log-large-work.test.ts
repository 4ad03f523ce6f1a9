import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { logLargeWork } from '../../api/ingestion/log-large-work.ts';

const large = suite('telling how far a large ingestion is');

const entryOf = (ingestionId: string) => ({
  ingestionId,
  correlationId: `c-${ingestionId}`,
  courses: 10_000,
});

large('every ten seconds, with what is done, in all, the pace and what is left', () => {
  const told: unknown[] = [];
  let now = 0;
  const note = logLargeWork(
    (...line) => told.push(line),
    () => now,
  );
  for (const [at, done] of [
    [0, 200],
    [9_000, 1_800],
    [10_000, 2_000],
    [15_000, 3_000],
    [20_000, 4_000],
  ] as const) {
    now = at;
    note(entryOf('a'), done);
    note(entryOf('b'), 200 + at / 100);
  }
  assert.equal(told, [
    [
      'Processing: 20 %, 2,000 of 10,000 records, 200 records a second, about 40 seconds left.',
      'c-a',
    ],
    ['Processing: 3 %, 300 of 10,000 records, 30 records a second, about 5 minutes left.', 'c-b'],
    [
      'Processing: 40 %, 4,000 of 10,000 records, 200 records a second, about 30 seconds left.',
      'c-a',
    ],
    ['Processing: 4 %, 400 of 10,000 records, 20 records a second, about 8 minutes left.', 'c-b'],
  ]);
});

large('what is done in one step or in less than ten seconds is not told', () => {
  const told: unknown[] = [];
  let now = 0;
  const note = logLargeWork(
    (...line) => told.push(line),
    () => now,
  );
  note({ ...entryOf('small'), courses: 1 }, 1);
  note(entryOf('a'), 200);
  now = 60_000;
  note(entryOf('a'), 10_000);
  // The same id begins again.
  note(entryOf('a'), 200);
  assert.equal(told, []);
});

large.run();
