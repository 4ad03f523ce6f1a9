import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import { collectChanges } from '../../projections/read-model.ts';
import { INES } from '../support/birth-records.ts';
import { entryAt } from '../support/in-memory.ts';

const rows = suite('the row of a record');

const OLDER = '00000000-0000-5000-8000-000000000001';
const ANOTHER = '00000000-0000-5000-8000-000000000002';
const pair = { submissionUuid: INES, practiceId: 'practice', duplicateOf: OLDER, mark: null };

for (const [says, event, flaggedFor] of [
  ['names the record that it is flagged for', { type: 'DuplicateFlagged', data: pair }, OLDER],
  ['has no flag once the pair is dismissed', { type: 'DuplicateDismissed', data: pair }, null],
  [
    'keeps the flag for another when a pair is dismissed',
    { type: 'DuplicateDismissed', data: { ...pair, standingFlag: ANOTHER } },
    ANOTHER,
  ],
  [
    'has the flag again when the dismissal is undone',
    { type: 'DuplicateFlagRestored', data: pair },
    OLDER,
  ],
  [
    'keeps the flag for another when the dismissal of a pair is undone',
    { type: 'DuplicateFlagRestored', data: { ...pair, standingFlag: ANOTHER } },
    ANOTHER,
  ],
] as const satisfies readonly (readonly [string, BirthRecordEvent, string | null])[])
  rows(says, () => {
    const entry = entryAt(7n, 'stream', 3n, event);
    if (entry.kind !== 'event') throw new Error('An event that cannot be read');
    const [change, ...others] = collectChanges(entry.stored).filter(
      ({ table }) => table === 'birth_record',
    );
    assert.equal(others, []);
    if (change?.kind !== 'patch') throw new Error('The row is not changed');
    assert.equal(change.key, { submission_uuid: INES });
    const { duplicate_of, was_flagged, revision, changed_position } = change.set;
    assert.equal(
      { duplicate_of, was_flagged, revision, changed_position },
      { duplicate_of: flaggedFor, was_flagged: true, revision: '3', changed_position: '7' },
    );
  });

rows.run();
