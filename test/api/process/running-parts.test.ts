import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openServiceLog } from '../../../api/process/logging.ts';
import { createRunningParts } from '../../../api/process/running-parts.ts';

const stopping = suite('stopping the parts of a service');

const silent = openServiceLog('silent');

stopping('parts stop one after the other, the last one first, each once', async () => {
  const told: string[] = [];
  const parts = createRunningParts(silent, () => 60_000);
  for (const name of ['stores', 'worker'])
    parts.add(name, async () => {
      told.push(`${name} stops`);
      await Promise.resolve();
      told.push(`${name} has stopped`);
    });
  await parts.stop(performance.now());
  await parts.stop(performance.now());
  assert.equal(told, ['worker stops', 'worker has stopped', 'stores stops', 'stores has stopped']);
});

stopping(
  'a part that stops ahead of its turn is stopped once, its fault told at its turn',
  async () => {
    const told: string[] = [];
    const parts = createRunningParts(silent, () => 60_000);
    for (const name of ['worker', 'watch'])
      parts.add(name, () => {
        told.push(name);
        if (name === 'worker') throw new Error('the worker');
      });
    parts.beginStop('worker');
    await Promise.resolve();
    assert.equal(told, ['worker']);
    const fault = await parts.stop(performance.now()).catch((error: Error) => error.message);
    assert.is(fault, 'the worker');
    assert.equal(told, ['worker', 'watch']);
  },
);

stopping('a part that hangs is left behind, the others stop all the same', async () => {
  const told: string[] = [];
  const parts = createRunningParts(silent, (name) => (name === 'worker' ? 20 : 60_000));
  parts.add('stores', () => void told.push('stores'));
  parts.add('worker', () => new Promise(() => undefined));
  await parts.stop(performance.now());
  assert.equal(told, ['stores']);
});

stopping('the first fault is thrown when every part has had its turn', async () => {
  const told: string[] = [];
  const parts = createRunningParts(silent, () => 60_000);
  parts.add('stores', () => void told.push('stores'));
  parts.add('projector', () => Promise.reject(new Error('second')));
  parts.add('worker', () => {
    throw new Error('first');
  });
  const fault = await parts.stop(performance.now()).catch((error: Error) => error.message);
  assert.is(fault, 'first');
  assert.equal(told, ['stores']);
});

stopping.run();
