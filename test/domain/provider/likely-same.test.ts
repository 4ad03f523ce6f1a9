import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findMatchReason } from '../../../domain/provider/likely-same.ts';

const suggestions = suite('identities that may be one provider');

const ROWS = [
  { a: { npi: '1', name: 'A' }, b: { npi: '1', name: 'B' }, expect: 'same-npi' },
  { a: { npi: '1', name: 'Joan Reyes' }, b: { npi: '2', name: 'Joan Reyes' }, expect: null },
  { a: { npi: '1', name: 'Joan Reyes' }, b: { npi: null, name: 'Reyes, Joan' }, expect: 'name' },
  { a: { npi: null, name: 'J. Reyes' }, b: { npi: null, name: 'Joan Reyes-Ito' }, expect: 'name' },
  {
    a: { npi: null, name: 'Dr. José Núñez, MD' },
    b: { npi: null, name: 'jose nunez' },
    expect: 'name',
  },
  { a: { npi: null, name: 'Joan Reyes' }, b: { npi: null, name: 'Joan Brandt' }, expect: null },
  { a: { npi: null, name: 'J.' }, b: { npi: null, name: 'Joan' }, expect: null },
  { a: { npi: null, name: null }, b: { npi: null, name: null }, expect: null },
  { a: { npi: null, name: 'Dr.' }, b: { npi: null, name: 'Dr.' }, expect: null },
] as const;

for (const { a, b, expect } of ROWS)
  suggestions(`${a.name} (${a.npi}) and ${b.name} (${b.npi}): ${expect}`, () => {
    const expected = expect === 'name' ? 'similar-name' : expect;
    assert.is(findMatchReason(a, b), expected);
    assert.is(findMatchReason(b, a), expected);
  });

suggestions.run();
