import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CERTIFICATE_ITEMS } from '../../domain/course/certificate-items.ts';
import type { Fact } from '../../domain/event-log.ts';
import { collectChanges } from '../../projections/read-model.ts';
import { decodeBits, encodeBits, missingItems } from '../../projections/tables/missing-items.ts';
import { amended, courseOfInes, INES, recorded, retracted } from '../support/birth-records.ts';
import { entryAt } from '../support/in-memory.ts';

const work = suite('tables of what is to do');

/** What an event changes in one table, in short. */
const changesIn = (table: string, event: Fact, revision = 1n): readonly unknown[] => {
  const entry = entryAt(1n, 'stream', revision, event);
  if (entry.kind !== 'event') throw new Error('An event that cannot be read');
  return collectChanges(entry.stored).flatMap((change): readonly unknown[] => {
    if (change.table !== table) return [];
    if (change.kind === 'put') return [change.row];
    return change.kind === 'patch' ? [{ ...change.key, ...change.set }] : [change.rows];
  });
};

const odd = (version: number) => {
  const [child] = courseOfInes.children;
  if (child === undefined) throw new Error('Ines has a child');
  const children = [{ ...child, gestational_age_weeks: 24, birth_weight_grams: 9_000 }];
  return amended({ version, course: { ...courseOfInes, children } });
};

work('an odd value is asked about once per version; a usual one replaces it by nothing', () => {
  const [asked] = changesIn('record_question', odd(2)) as [readonly { path: string }[]];
  // The birth of May is in the future of events of March: that is odd as well.
  assert.equal(
    asked.map(({ path }) => path),
    ['children.0.birth_date', 'children.0.birth_weight_grams'],
  );
  assert.is(changesIn('asked_question', odd(2)).length, 2);
  assert.equal(changesIn('record_question', retracted(3)), [[]]);
});

work('a confirmation marks what was asked about that version', () => {
  const confirmed = {
    type: 'QuestionsConfirmed',
    data: {
      submissionUuid: INES,
      practiceId: 'practice',
      version: 2,
      questions: ['a'],
      mark: null,
    },
  };
  assert.equal(changesIn('asked_question', confirmed), [
    { submission_uuid: INES, version: 2, path: 'a', answer: 'confirmed' },
  ]);
});

const rejected = (reference: string) => ({
  reference,
  rejections: [{ id: 'no-mother', code: 'structure', diagnostics: 'No mother' }],
});
const chunk = (data: object): Fact => ({
  type: 'RecordsProcessed',
  data: {
    ingestionId: 'push',
    chunk: 1,
    accepted: [],
    rejected: [],
    rejectedAt: [],
    practiceId: 'practice',
    source: 'fhir_push',
    ...data,
  },
});
const refusedIn = (event: Fact) =>
  (changesIn('refused_record', event) as readonly { item_key: string; is_open: boolean }[]).map(
    ({ item_key, is_open }) => `${item_key} ${is_open ? 'open' : 'done'}`,
  );

work('a refused record is open under its chart number, or under its place', () => {
  assert.equal(
    refusedIn(chunk({ rejected: [rejected('C-1'), rejected('record[51]')], rejectedAt: [50, 51] })),
    ['chart:C-1 open', 'at:push.51 open'],
  );
});

work('any text is a chart number, also one that is spelled like a place', () => {
  for (const chartNumber of ['Bundle', 'record[3]', 'record[52]', 'record']) {
    assert.equal(refusedIn(chunk({ rejected: [rejected(chartNumber)], rejectedAt: [50] })), [
      `chart:${chartNumber} open`,
    ]);
    const later = { ...courseOfInes, chart_number: chartNumber };
    assert.equal(refusedIn(amended({ course: later })), [`chart:${chartNumber} done`]);
  }
  const spelled = { ...rejected('record[50]'), isChartNumber: true };
  const accepted = [{ reference: 'record[50]', submission_uuid: INES, retracted: true }];
  assert.equal(refusedIn(chunk({ accepted, rejected: [spelled], rejectedAt: [50] })), [
    'chart:record[50] open',
    'chart:record[50] done',
  ]);
  const unnamed = [{ reference: 'record[51]', submission_uuid: INES }];
  const named = { ...rejected('record[51]') };
  assert.equal(refusedIn(chunk({ accepted: unnamed, rejected: [named], rejectedAt: [50] })), [
    'chart:record[51] open',
  ]);
});

work('accepted after it in the same chunk, it is done; before it, it stays open', () => {
  const accepted = [{ reference: 'C-1', submission_uuid: INES }];
  assert.equal(refusedIn(chunk({ accepted, rejected: [rejected('C-1')], rejectedAt: [50] })), [
    'chart:C-1 open',
    'chart:C-1 done',
  ]);
  assert.equal(refusedIn(chunk({ accepted, rejected: [rejected('C-1')], rejectedAt: [51] })), [
    'chart:C-1 open',
  ]);
});

work('a version of the record makes it done, and so does an accepted retraction', () => {
  assert.equal(refusedIn(recorded), ['chart:C-1 done']);
  const accepted = [{ reference: 'C-1', submission_uuid: INES, retracted: true }];
  assert.equal(refusedIn(chunk({ accepted })), ['chart:C-1 done']);
});

work('rows of imports, and chunks of before that name no practice, are no refused records', () => {
  const data = { rejected: [rejected('C-1')], rejectedAt: [50] };
  assert.equal(refusedIn(chunk({ ...data, source: 'csv' })), []);
  assert.equal(refusedIn(chunk({ ...data, practiceId: undefined })), []);
});

work('the items that each of several children lacks are bits of its own', () => {
  const [child] = courseOfInes.children;
  if (child === undefined) throw new Error('Ines has a child');
  const children = [child, { ...child, birth_weight_grams: null }];
  const [[row] = []] = changesIn(
    'record_gap',
    amended({ course: { ...courseOfInes, children } }),
  ) as [readonly { item_bits: string; child_bits: readonly string[] }[]];
  assert.equal(
    row?.child_bits.map((bits) => decodeBits(bits).includes('birth-weight')),
    [false, true],
  );
  assert.ok(decodeBits(row?.item_bits ?? '0').includes('birth-weight'));
});

work('the reason of an item is a row until it is taken back', () => {
  const data = {
    submissionUuid: INES,
    practiceId: 'practice',
    version: 1,
    part: 'children.0',
    item: 'birth-weight',
    children: 1,
    mark: null,
  };
  const untilOf = (event: Fact) =>
    (changesIn('item_reason', event)[0] as readonly { until: string | null }[]).map(
      ({ until }) => until,
    );
  assert.equal(untilOf({ type: 'ItemUnobtainable', data }), [null]);
  assert.equal(untilOf({ type: 'ItemAwaited', data: { ...data, until: '2026-06-01' } }), [
    '2026-06-01',
  ]);
  assert.equal(untilOf({ type: 'ItemReasonTakenBack', data }), []);
});

work('the items that a record lacks are bits in its row', () => {
  const [rows] = changesIn('record_gap', amended({})) as [
    readonly { item_bits: string; day: string }[],
  ];
  const [row] = rows;
  assert.is(row?.day, '2026-05-12');
  const items = decodeBits(row?.item_bits ?? '0');
  assert.ok(items.includes('mother-name'));
  assert.not(items.includes('birth-weight'));
  assert.is(row?.item_bits, encodeBits(items));
  assert.equal(changesIn('record_gap', retracted(3)), [[]]);
});

const LIST =
  'mother-name mother-birth-date mother-birth-surname residence residence-county education hispanic-origin race height prepregnancy-weight delivery-weight mother-record-number plurality first-prenatal-visit prenatal-visits last-menstrual-period wic cigarettes previous-live-births last-live-birth other-outcomes last-other-outcome previous-cesareans place-of-birth planned-home-birth attendant delivery-method trial-of-labor induction augmentation mother-transfer child-name birth-date birth-time sex birth-order child-record-number birth-weight gestational-age apgar-five apgar-ten presentation nicu infant-transfer living breastfed';

work('another list of items, or another rule of one, needs another version of the table', () => {
  // When this fails, raise the version of `missingItems` with the new list.
  assert.equal(
    [
      missingItems.version,
      CERTIFICATE_ITEMS.length,
      CERTIFICATE_ITEMS.map(({ id }) => id).join(' '),
    ],
    [7, LIST.split(' ').length, LIST],
  );
  assert.is(encodeBits([CERTIFICATE_ITEMS[0]?.id ?? '', CERTIFICATE_ITEMS[3]?.id ?? '']), '9');
});

work.run();
