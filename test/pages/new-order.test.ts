import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { moveField } from '../../api/pages/administration/custom-fields/custom-fields-router.tsx';
import type { CustomField } from '../../domain/custom-field/state.ts';

const field = (fieldId: string, order: number, isRetired = false): CustomField => ({
  fieldId,
  order,
  item: null,
  isRetired,
  label: fieldId,
  type: 'text',
  choices: [],
});

const fields = [field('a', 1), field('x', 2, true), field('b', 3), field('c', 3)];

test('a field changes places with its live neighbor, and equal places come apart', () => {
  assert.equal(moveField(fields, 'b', -1), [
    { fieldId: 'b', order: 1 },
    { fieldId: 'a', order: 2 },
  ]);
  assert.equal(moveField(fields, 'b', 1), [{ fieldId: 'c', order: 2 }]);
});

test('at the end of the list, retired or unknown, nothing moves', () => {
  assert.equal(moveField(fields, 'a', -1), []);
  assert.equal(moveField(fields, 'c', 1), []);
  assert.equal(moveField(fields, 'x', 1), []);
  assert.equal(moveField(fields, 'none', 1), []);
});

test.run();
