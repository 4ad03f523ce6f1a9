import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findMatchReasons, parseSearch } from '../../../projections/lists/records.ts';

const table = suite('what a search asks for, and why it found a record');

const record = {
  submissionUuid: '3f2a9c01-7b1d-5e2f-8a3b-0c1d2e3f4a5b',
  born: '2026-03-12',
  chartNumber: 'MRN-2026-0417',
  motherName: 'María José Åström',
  childNames: 'Zoë Åström, Ümit Åström',
};

const rows: readonly { readonly typed: string; readonly expect: unknown }[] = [
  { typed: 'mar', expect: [{ kind: 'mother' }] },
  { typed: 'JOSÉ ast', expect: [{ kind: 'mother' }] },
  { typed: 'zoe', expect: [{ kind: 'child' }] },
  { typed: 'umit maria', expect: [{ kind: 'child' }, { kind: 'mother' }] },
  { typed: '0417', expect: [{ kind: 'chart-ends', text: '0417' }] },
  { typed: ' mrn-2026 ', expect: [{ kind: 'chart-starts', text: 'mrn-2026' }] },
  { typed: 'mar 417', expect: [{ kind: 'mother' }, { kind: 'chart-ends', text: '417' }] },
  { typed: 'lindqvist', expect: [{ kind: 'other-name' }] },
  { typed: '', expect: [] },
  { typed: '3/12/2026', expect: [{ kind: 'born' }] },
  { typed: 'March 12, 2026', expect: [{ kind: 'born' }] },
  { typed: 'mar 3/12/2026', expect: [{ kind: 'mother' }, { kind: 'born' }] },
  { typed: '12 Mar 2026 zoe', expect: [{ kind: 'child' }, { kind: 'born' }] },
  { typed: '1994-08-30', expect: [{ kind: 'mother-or-child-born' }] },
  { typed: '3f2a9c01', expect: [{ kind: 'record-number' }] },
  { typed: '3F2A9C01-7b1d', expect: [{ kind: 'record-number' }] },
  { typed: '3f2a9c017b1d5e2f8a3b0c1d2e3f4a5b', expect: [{ kind: 'record-number' }] },
];

for (const { typed, expect } of rows)
  table(`“${typed}”`, () => {
    assert.equal(findMatchReasons(parseSearch(typed), record), expect);
  });

table('a name is told without its apostrophe, and without letters that a keyboard lacks', () => {
  const one = {
    ...record,
    chartNumber: null,
    motherName: "Łucja D'Angelo",
    childNames: 'Søren D’Angelo',
  };
  for (const typed of ['lucja', 'dangelo', "d'angelo", 'angelo'])
    assert.equal(findMatchReasons(parseSearch(typed), one), [{ kind: 'mother' }], typed);
  assert.equal(findMatchReasons(parseSearch('soren'), one), [{ kind: 'child' }]);
});

table('a record without chart number or names is found by another name', () => {
  const bare = { ...record, chartNumber: null, motherName: null, childNames: null };
  assert.equal(findMatchReasons(parseSearch('king'), bare), [{ kind: 'other-name' }]);
});

table.run();
