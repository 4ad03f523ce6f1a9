import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isLongerThan,
  isPossiblyLongerThan,
  isTextPossiblyLongerThan,
} from '../../../domain/fhir/json-size.ts';
import { runs } from '../../support/runs.ts';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

test('a value is longer than a limit exactly when its compact JSON text is', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  fc.assert(
    fc.property(fc.dictionary(text, fc.jsonValue({ stringUnit: 'binary' })), (value) => {
      const bytes = bytesOf(value);
      assert.is(isLongerThan(value, bytes), false);
      assert.is(isLongerThan(value, bytes - 1), true);
    }),
    runs(2000),
  );
});

test('depth does not matter', () => {
  let deep: { readonly a: unknown } = { a: 1 };
  for (let level = 0; level < 100_000; level += 1) deep = { a: deep };
  assert.is(isLongerThan(deep, 1_000_000), false);
  assert.is(isLongerThan(deep, 500_000), true);
});

test('what the bounds clear is never longer', () => {
  const odd = fc.constantFrom('1e20', '-9E20', '1e-6', '"\\ud800"', '[1e20,1e20]', '{"":1e20}');
  const text = fc.oneof(odd, fc.json({ stringUnit: 'binary' }));
  fc.assert(
    fc.property(text, (json) => {
      const value = { a: JSON.parse(json) };
      const compact = JSON.stringify(value);
      assert.ok(isPossiblyLongerThan(value, Buffer.byteLength(compact) - 1));
      assert.ok(isPossiblyLongerThan(value, compact.length - 1));
      const textBytes = Buffer.byteLength(`{"a":${json}}`);
      assert.ok(isTextPossiblyLongerThan(textBytes, Buffer.byteLength(compact) - 1));
    }),
    runs(2000),
  );
  const broken = Buffer.concat([Buffer.from('"'), Buffer.alloc(99, 0xff), Buffer.from('"')]);
  const compact = JSON.stringify(JSON.parse(broken.toString()));
  assert.ok(isTextPossiblyLongerThan(broken.length, Buffer.byteLength(compact) - 1));
});

test.run();
