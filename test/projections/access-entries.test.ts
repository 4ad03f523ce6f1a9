import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor, Fact, StoredEvent } from '../../domain/event-log.ts';
import { collectChanges } from '../../projections/read-model.ts';
import { accessEntries } from '../../projections/tables/access-entries.ts';
import { amended, INES, OLDER, recorded } from '../support/birth-records.ts';

const AT = '2026-05-13T09:00:00Z';
const ANA: Actor = { kind: 'member', id: 'ana' };

const stored = (event: Fact, actor: Actor): StoredEvent => ({
  id: 'id',
  stream: 'record-x',
  revision: 4n,
  position: 9n,
  event,
  metadata: {
    schemaVersion: 1,
    correlationId: 'c',
    causationId: null,
    recordedAt: AT,
    actor,
  },
});

/** Rows that an event writes into the tables of the access log, by table. */
const rowsOf = (event: Fact, actor = ANA): readonly Readonly<Record<string, unknown>>[] =>
  collectChanges(stored(event, actor)).flatMap((change) =>
    change.kind === 'put' && accessEntries.tables.some(({ name }) => name === change.table)
      ? [{ table: change.table, ...change.row }]
      : [],
  );

const shown = (place: string): Fact => ({
  type: 'RecordsShown',
  data: { at: AT, practiceId: 'practice', place, filters: [], recordIds: [INES, OLDER] },
});

const projection = suite('what the access log’s tables tell');

projection(
  'an opened record is an entry of all that was shown, and an opening of the record',
  () => {
    const [entry, opening, ...others] = rowsOf(shown('record'));
    assert.equal(entry?.['record_ids'], [INES, OLDER]);
    assert.equal(opening, {
      table: 'record_opening',
      entry_id: 'id',
      record_id: INES,
      practice_id: 'practice',
      actor_kind: 'member',
      actor_id: 'ana',
      at: AT,
    });
    assert.equal(others, []);
  },
);

projection('a list is an entry and no opening', () => {
  assert.equal(
    rowsOf(shown('list')).map(({ table }) => table),
    ['access_entry'],
  );
});

projection('a record that a member enters is theirs, one that a key sends is nobody’s', () => {
  assert.equal(rowsOf(recorded), [{ table: 'entered_record', record_id: INES, member_id: 'ana' }]);
  assert.equal(rowsOf(recorded, { kind: 'key', id: 'key' }), []);
  assert.equal(rowsOf(amended({ source: 'manual' })), []);
});

projection(
  'a version saved from a pre-fill is an entry, with the EHR where the event says it',
  () => {
    const prefill = { prefillId: 'prefill', ehr: 'ehr.example' };
    const [told] = rowsOf(amended({ source: 'ehr_pull', prefill }));
    assert.is(told?.['type'], 'RecordPrefilled');
    assert.is(told?.['detail'], 'ehr.example');
    assert.equal(told?.['record_ids'], [INES]);
    assert.equal(told?.['prefill_ids'], ['prefill']);
    assert.is(told?.['account_id'], 'ana');
    assert.is(told?.['at'], AT);
    // An event of before the pre-fill was kept.
    const [before] = rowsOf(amended({ source: 'ehr_pull' }));
    assert.is(before?.['type'], 'RecordPrefilled');
    assert.is(before?.['detail'], null);
    assert.is(before?.['prefill_ids'], null);
  },
);

projection('charts that were looked at are found by their pre-fills', () => {
  const [entry] = rowsOf({
    type: 'ChartsShown',
    data: { at: AT, practiceId: null, prefillIds: ['prefill'] },
  });
  assert.equal(entry?.['prefill_ids'], ['prefill']);
});

projection.run();
