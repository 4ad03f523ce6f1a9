import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildRecordView, type RecordNames } from '../../api/pages/records/history/record-view.ts';
import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import type { StoredRecordEvent } from '../../domain/birth-record/replay.ts';
import type { Actor } from '../../domain/event-log.ts';
import {
  amended,
  courseOfInes,
  INES,
  OLDER,
  recorded,
  retracted,
} from '../support/birth-records.ts';

const table = suite('a record as its page tells it');

const KEY: Actor = { kind: 'key', id: 'k-1' };
const INES_AT_WORK: Actor = { kind: 'member', id: 'm-1' };
const GONE: Actor = { kind: 'member', id: 'm-2' };

const names: RecordNames = {
  timeZone: 'America/New_York',
  clock: '12',
  actors: new Map([
    ['key:k-1', { name: 'Feed', email: null, partner: 'Maple EHR' }],
    ['member:m-1', { name: 'Inés Soto', email: 'ines@cedar.example', partner: null }],
  ]),
  providers: new Map(),
  customFields: [],
};

const storedOf = (
  ...told: readonly (readonly [event: BirthRecordEvent, actor: Actor])[]
): readonly StoredRecordEvent[] =>
  told.map(([event, actor], index) => ({
    id: `e-${index}`,
    stream: 'record-ines',
    event,
    revision: BigInt(index),
    position: BigInt(index + 1),
    metadata: {
      schemaVersion: 1,
      correlationId: 'c',
      causationId: null,
      actor,
      recordedAt: `2026-05-13T1${index}:30:00.000Z`,
    },
  }));

const [child] = courseOfInes.children;
const heavier = {
  ...courseOfInes,
  children: child === undefined ? [] : [{ ...child, birth_weight_grams: 3_400 }],
};

const byHand = amended({ source: 'manual', keyKind: null, course: heavier });
const flagged: BirthRecordEvent = {
  type: 'DuplicateFlagged',
  data: { submissionUuid: INES, practiceId: 'practice', duplicateOf: OLDER, mark: null },
};

table('each event says what happened, who did it, and by which way', () => {
  const view = buildRecordView(
    storedOf(
      [recorded, KEY],
      [flagged, KEY],
      [{ ...flagged, type: 'DuplicateDismissed' }, INES_AT_WORK],
      [byHand, INES_AT_WORK],
      [retracted(3), GONE],
      [amended({ version: 4, source: 'csv', course: heavier }), INES_AT_WORK],
      [amended({ version: 5, source: 'ehr_pull', course: heavier }), INES_AT_WORK],
    ),
    names,
  );
  assert.equal(
    view?.history.map(({ text, version }) => [version, text]),
    [
      [1, 'Sent by Maple EHR'],
      [1, 'Flagged as a possible duplicate'],
      [1, 'Marked as not a duplicate by Inés Soto'],
      [2, 'Corrected by Inés Soto'],
      [3, 'Voided by a former member of the practice'],
      [4, 'Restored. Amended from a file by Inés Soto'],
      [5, 'Amended from the EHR, saved by Inés Soto'],
    ],
  );
});

table('each value has the footnote of what gave it, with the moment in the practice’s zone', () => {
  const view = buildRecordView(storedOf([recorded, KEY], [byHand, INES_AT_WORK]), names);
  const noteAt = (path: string) => view?.notes[(view.noteOf(path) ?? 0) - 1];
  assert.is(
    noteAt('children.0.birth_date'),
    'Sent by Maple EHR, May 13, 2026, 6:30 AM (version 1)',
  );
  assert.is(
    noteAt('children.0.birth_weight_grams'),
    'Corrected by Inés Soto, May 13, 2026, 7:30 AM (version 2)',
  );
  assert.is(view?.noteOf('plurality'), undefined);
  assert.is(view?.usualNote, view?.noteOf('children.0.birth_date'));
  assert.equal(view?.history.at(-1)?.changes, [
    {
      path: 'children.0.birth_weight_grams',
      label: 'Child: birth weight',
      from: '3,200 g (7 lb 1 oz)',
      to: '3,400 g (7 lb 8 oz)',
    },
  ]);
});

table('the summary tells of the version, not of flags that came after it', () => {
  const view = buildRecordView(storedOf([recorded, KEY], [flagged, KEY]), names);
  assert.is(view?.madeBy.text, 'Sent by Maple EHR');
});

table('before its first event there is no record', () => {
  assert.is(buildRecordView([], names), null);
});

table.run();
