import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkEvent } from '../../adapters/eventstore/event-catalog.ts';
import { INES, OLDER } from '../support/birth-records.ts';

const retracted = {
  ...{ submissionUuid: INES, practiceId: 'practice', version: 2 },
  ...{ source: 'fhir_push', mark: null },
};

test('a retraction from before reasons were kept is still read', () => {
  checkEvent({ type: 'BirthRetracted', data: retracted });
});

test('a retraction holds a reason of up to 500 characters, or none', () => {
  for (const reason of [null, 'Entered twice', 'x'.repeat(500)])
    checkEvent({ type: 'BirthRetracted', data: { ...retracted, reason } });
  for (const reason of ['', 'x'.repeat(501), 3])
    assert.throws(() => checkEvent({ type: 'BirthRetracted', data: { ...retracted, reason } }));
});

test('a decision on a duplicate names both records', () => {
  const pair = { submissionUuid: INES, practiceId: 'practice', duplicateOf: OLDER, mark: null };
  for (const type of ['DuplicateDismissed', 'DuplicateFlagRestored']) {
    checkEvent({ type, data: pair });
    assert.throws(() => checkEvent({ type, data: { ...pair, duplicateOf: null } }));
  }
});

test.run();
