import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { showProgress } from '../../scripts/show-progress.ts';
import { eventually } from '../harness/eventually.ts';

const shown = suite('progress on standard error');

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

shown('on a terminal a bar says what is done, in all, the pace and what is left', async () => {
  const { stream, text } = newStream({ isTTY: true });
  const { progress, step, end } = showProgress(stream, false);
  progress(at(40_000));
  assert.is(text(), '', 'short work needs no bar');
  await eventually('the bar is drawn', () => text().includes('40,000/~100,000 events'));
  assert.match(
    text(),
    /Rebuilding █{6}░{10} 40 %, 40,000\/~100,000 events, [\d,.]+\/s, \d+ s left/,
  );
  step('Making the indexes.');
  progress(at(90_000));
  await eventually('it goes on below the line', () =>
    text().slice(text().indexOf('Making')).includes('90,000/~100,000 events'),
  );
  end();
  const ended = text();
  assert.ok(ended.endsWith(`${ESCAPE}[2K`), 'its line is cleared');
  await sleep(500);
  assert.is(text(), ended, 'nothing is drawn any more');
});

shown('a narrow terminal gets as much as fits on its line', async () => {
  const { stream, text } = newStream({ isTTY: true, columns: 40 });
  const { progress, end } = showProgress(stream, false);
  progress(at(40_000));
  await eventually('the bar is drawn', () => text().includes('Rebuilding'));
  end();
  assert.match(text(), /Rebuilding █{6}░{10} 40 %, 40,0/);
  assert.not.match(text(), '100,000 events');
});

shown('where it is quiet, only what is noteworthy is printed', async () => {
  const { stream, text } = newStream({ isTTY: true });
  const { progress, report, step, end } = showProgress(stream, true);
  progress(at(40_000));
  await sleep(1_000);
  step('Making the indexes.');
  report('The tables were not compared.');
  end();
  assert.is(text(), 'The tables were not compared.\n');
});

shown('elsewhere there is a line each ten seconds, and none for what is done sooner', async () => {
  const { stream, text } = newStream();
  const { progress, end } = showProgress(stream, false);
  progress(at(10_000));
  await sleep(1_000);
  assert.is(text(), '');
  progress(at(40_000));
  await eventually('the line is printed', () => text() !== '', 30_000);
  assert.match(
    text(),
    /^Rebuilding: 40 %, 40,000 of about 100,000 events, [\d,]+ events a second, about \d+ seconds left\n$/,
  );
  end();
});

shown.run();
