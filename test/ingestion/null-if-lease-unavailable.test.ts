import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nullIfLeaseUnavailable } from '../../api/writes/null-if-lease-unavailable.ts';
import { PracticeLeaseLost } from '../../api/writes/practice-lease.ts';
import { PracticeLeaseTimeout } from '../../api/writes/with-practice-lease.ts';

test('a turn that is not free, or is lost, leaves nothing to tell; faults stay faults', async () => {
  assert.is(await nullIfLeaseUnavailable(Promise.resolve('done')), 'done');
  assert.is(
    await nullIfLeaseUnavailable(Promise.reject(new PracticeLeaseTimeout('Not free.'))),
    null,
  );
  assert.is(await nullIfLeaseUnavailable(Promise.reject(new PracticeLeaseLost('Taken.'))), null);
  const fault = new RangeError('Of our own.');
  const told = await nullIfLeaseUnavailable(Promise.reject(fault)).catch((error: unknown) => error);
  assert.is(told, fault);
});

test.run();
