import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { unlessBusy } from '../../api/writes/null-if-lease-unavailable.ts';
import { TurnLost } from '../../api/writes/practice-lease.ts';
import { TurnBusy } from '../../api/writes/with-practice-lease.ts';

test('a turn that is not free, or is lost, leaves nothing to tell; faults stay faults', async () => {
  assert.is(await unlessBusy(Promise.resolve('done')), 'done');
  assert.is(await unlessBusy(Promise.reject(new TurnBusy('Not free.'))), null);
  assert.is(await unlessBusy(Promise.reject(new TurnLost('Taken.'))), null);
  const fault = new RangeError('Of our own.');
  const told = await unlessBusy(Promise.reject(fault)).catch((error: unknown) => error);
  assert.is(told, fault);
});

test.run();
