import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isLongerThan } from '../../../domain/bfdr/json-size.ts';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

test('a value is longer than a limit exactly when its compact JSON text is', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  fc.assert(
    fc.property(fc.dictionary(text, fc.jsonValue({ stringUnit: 'binary' })), (value) => {
      const bytes = bytesOf(value);
      assert.is(isLongerThan(value, bytes), false);
      assert.is(isLongerThan(value, bytes - 1), true);
    }),
    { numRuns: 2000 },
  );
});

test('depth does not matter', () => {
  let deep: { readonly a: unknown } = { a: 1 };
  for (let level = 0; level < 100_000; level += 1) deep = { a: deep };
  assert.is(isLongerThan(deep, 1_000_000), false);
  assert.is(isLongerThan(deep, 500_000), true);
});

test.run();
