import { PassThrough } from 'node:stream';
import { mock } from 'node:test';
import type { WriteStream } from 'node:tty';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { showProgress } from '../../scripts/show-progress.ts';

const shown = suite('progress on standard error');

/** The clock goes on only when a test says so. */
shown.before.each(() => {
  const began = performance.now();
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
  mock.method(performance, 'now', () => began + Date.now());
});
shown.after.each(() => {
  mock.timers.reset();
  mock.restoreAll();
});

const pass = (ms: number): void => mock.timers.tick(ms);

const ESCAPE = '\u001b';

/** What a terminal, or a file, is written. */
const newStream = (changes: { readonly isTTY?: boolean; readonly columns?: number } = {}) => {
  const stream = Object.assign(new PassThrough(), {
    isTTY: false,
    columns: 100,
    rows: 24,
    ...changes,
  }) as unknown as WriteStream;
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { stream, text: () => text };
};

const at = (done: number) => ({
  work: 'Rebuilding',
  done,
  total: 100_000,
  unit: 'events',
  isEstimate: true,
});

shown('on a terminal a bar says what is done, in all, the pace and what is left', () => {
  const { stream, text } = newStream({ isTTY: true });
  const { progress, step, end } = showProgress(stream, false);
  progress(at(40_000));
  assert.is(text(), '', 'short work needs no bar');
  pass(500);
  assert.match(
    text(),
    /Rebuilding █{6}░{10} 40 %, 40,000\/~100,000 events, [\d,.]+\/s, \d+ s left/,
  );
  step('Making the indexes.');
  progress(at(90_000));
  pass(500);
  assert.ok(
    text().slice(text().indexOf('Making')).includes('90,000/~100,000 events'),
    'it goes on below the line',
  );
  end();
  const ended = text();
  assert.ok(ended.endsWith(`${ESCAPE}[2K`), 'its line is cleared');
  pass(5_000);
  assert.is(text(), ended, 'nothing is drawn any more');
});

shown('a narrow terminal gets as much as fits on its line', () => {
  const { stream, text } = newStream({ isTTY: true, columns: 40 });
  const { progress, end } = showProgress(stream, false);
  progress(at(40_000));
  pass(1_000);
  end();
  assert.match(text(), /Rebuilding █{6}░{10} 40 %, 40,0/);
  assert.not.match(text(), '100,000 events');
});

shown('where it is quiet, only what is noteworthy is printed', () => {
  const { stream, text } = newStream({ isTTY: true });
  const { progress, report, step, end } = showProgress(stream, true);
  progress(at(40_000));
  pass(9_000);
  step('Making the indexes.');
  report('The tables were not compared.');
  end();
  assert.is(text(), 'The tables were not compared.\n');
});

shown('elsewhere there is a line each ten seconds, and none for what is done sooner', () => {
  const { stream, text } = newStream();
  const { progress, end } = showProgress(stream, false);
  progress(at(10_000));
  pass(9_000);
  assert.is(text(), '');
  progress(at(40_000));
  pass(1_000);
  assert.match(
    text(),
    /^Rebuilding: 40 %, 40,000 of about 100,000 events, [\d,]+ events a second, about \d+ seconds left\n$/,
  );
  end();
});

shown.run();
