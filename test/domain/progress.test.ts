import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  formatBytes,
  formatProgress,
  formatProgressBriefly,
} from '../../api/process/progress-messages.ts';
import { computePace, eventsAt } from '../../domain/progress.ts';

const progress = suite('the progress of long work');

progress('pace and what is left follow from what was done so far', () => {
  assert.equal(computePace({ done: 250, total: 1_000 }, 10), {
    share: 0.25,
    perSecond: 25,
    secondsLeft: 30,
  });
  assert.equal(computePace({ done: 1_000, total: 1_000 }, 40), {
    share: 1,
    perSecond: 25,
    secondsLeft: 0,
  });
});

progress('nobody knows when it is done while nothing is done, and nothing in all is done', () => {
  assert.equal(computePace({ done: 0, total: 1_000 }, 3), {
    share: 0,
    perSecond: 0,
    secondsLeft: null,
  });
  assert.equal(computePace({ done: 0, total: 0 }, 0), { share: 1, perSecond: 0, secondsLeft: 0 });
});

progress('more than was thought is the whole, and never more', () => {
  const { share, secondsLeft } = computePace({ done: 1_200, total: 1_000 }, 10);
  assert.equal([share, secondsLeft], [1, 0]);
});

progress('how many events there are is estimated from the positions behind', () => {
  for (const [position, events, head, done, total, isEstimate] of [
    [-1n, 0, 1_000n, 0, 0, true],
    [500n, 40, 1_000n, 40, 80, true],
    [1_000n, 80, 1_000n, 80, 80, false],
    // The log has grown since it began.
    [1_200n, 90, 1_000n, 90, 90, false],
    [0n, 1, 0n, 1, 1, false],
  ] as const)
    assert.equal(eventsAt(position, events, head), { done, total, unit: 'events', isEstimate });
});

progress('words say what is done, in all, the pace and what is left', () => {
  const rebuilding = {
    work: 'Rebuilding',
    done: 42_130,
    total: 100_300,
    unit: 'events',
    isEstimate: true,
  };
  assert.is(
    formatProgress(rebuilding, 8.23),
    'Rebuilding: 42 %, 42,130 of about 100,300 events, 5,120 events a second, about 11 seconds left',
  );
  assert.is(
    formatProgressBriefly(rebuilding, 8.23),
    '42 %, 42,130/~100,300 events, 5,120/s, 12 s left',
  );
  const copying = { ...rebuilding, done: 3 * 2 ** 20, total: 6 * 2 ** 20, unit: 'bytes' };
  assert.is(
    formatProgress({ ...copying, work: 'Copying', isEstimate: false }, 600),
    'Copying: 50 %, 3 MiB of 6 MiB, 5.12 KiB a second, about 10 minutes left',
  );
  const slow = { ...rebuilding, done: 4, total: 11, unit: 'groups', isEstimate: false };
  assert.match(
    formatProgress(slow, 600),
    '4 of 11 groups, 24 groups an hour, about 18 minutes left',
  );
  assert.match(formatProgressBriefly(slow, 60), '4/11 groups, 4/min, 105 s left');
  assert.match(formatProgress({ ...slow, done: 11 }, 600), /, less than a second left$/);
  assert.is(formatProgressBriefly({ ...rebuilding, done: 0 }, 2), '0 %, 0/~100,300 events, 0/s');
});

progress('sizes stand in the unit that fits', () => {
  assert.equal([17, 1_536, 5 * 2 ** 30].map(formatBytes), ['17 bytes', '1.5 KiB', '5 GiB']);
});

progress.run();
