import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { TurnBusy } from '../../api/write-path/hold-turn.ts';
import { TurnLost } from '../../api/write-path/turn-lease.ts';
import { unlessBusy } from '../../api/write-path/unless-busy.ts';

test('a turn that is not free, or is lost, leaves nothing to tell; faults stay faults', async () => {
  assert.is(await unlessBusy(Promise.resolve('done')), 'done');
  assert.is(await unlessBusy(Promise.reject(new TurnBusy('Not free.'))), null);
  assert.is(await unlessBusy(Promise.reject(new TurnLost('Taken.'))), null);
  const fault = new RangeError('Of our own.');
  const told = await unlessBusy(Promise.reject(fault)).catch((error: unknown) => error);
  assert.is(told, fault);
});

test.run();
