import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failUnawaited, takeUnawaited } from './rows.ts';

const rows = suite('rows of test files');

const reject = (message: string): void => {
  void Promise.reject(new Error(message));
};
const failureOf = async (handler: () => Promise<void> | void): Promise<string> => {
  try {
    await failUnawaited<object>(handler)({ __suite__: '', __test__: '' });
    return 'none';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

rows('a row fails by a promise that nobody awaits, with its error', async () => {
  assert.is(await failureOf(() => reject('the answer never came')), 'the answer never came');
  assert.is(await failureOf(() => {}), 'none');
});

rows('its own failure comes first, and what it left does not fail the next one', async () => {
  const failed = await failureOf(() => {
    reject('the answer never came');
    throw new Error('the page does not print');
  });
  assert.is(failed, 'the page does not print');
  assert.is(await failureOf(() => {}), 'none');
});

rows('what is rejected after the last row is there to be named', async () => {
  reject('too late');
  assert.equal(
    (await takeUnawaited()).map(({ message }) => message),
    ['too late'],
  );
});

rows.run();
