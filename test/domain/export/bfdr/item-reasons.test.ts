import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { GivenReason } from '../../../../domain/birth-record/item-reasons.ts';
import { CERTIFICATE_ITEMS } from '../../../../domain/course/certificate-items.ts';
import { CESAREAN } from '../../../../domain/course/codes.ts';
import {
  type Child,
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
} from '../../../../domain/course/course.ts';
import { maskForPartner } from '../../../../domain/course/mask.ts';
import { findMissingItems } from '../../../../domain/course/missing-items.ts';
import {
  buildDocumentBundles,
  type ExportedRecord,
} from '../../../../domain/export/bfdr/document-bundle.ts';
import { asObject, asObjects, type JsonObject } from '../../../../domain/fhir/json.ts';
import { anyCourse } from '../../../support/any-course.ts';
import {
  assertBroughtBack,
  exportedRecord,
  problemsOf,
  sentBundle,
} from '../../../support/exported-records.ts';
import { runs } from '../../../support/runs.ts';

const TWIN: Child = { ...emptyChild(), fetal_death: false };

/** Lacks nearly all items. */
const LACKING: CourseOfCare = {
  ...emptyCourseOfCare(),
  chart_number: 'C-1',
  children: [TWIN, TWIN],
};

/** Lacks an item that only some births have. */
const courseWithout = (item: string): CourseOfCare => {
  switch (item) {
    case 'last-live-birth':
    case 'last-other-outcome':
      return { ...LACKING, previous_births_living: 1, other_outcomes: 1 };
    case 'trial-of-labor':
      return { ...LACKING, delivery_method: CESAREAN };
    case 'planned-home-birth':
      return { ...LACKING, place_of_birth: 'Home' };
    case 'apgar-ten':
      return { ...LACKING, children: [TWIN, { ...TWIN, apgar_five_minute: 3 }] };
    default:
      return LACKING;
  }
};

const reasonsFor = (course: CourseOfCare, isPartner = false): readonly GivenReason[] =>
  findMissingItems(course, null, isPartner).map(({ item, child }) => ({
    item: item.id,
    child,
    children: course.children.length,
    reason:
      child === 0 || item.section === 'mother'
        ? { kind: 'unobtainable' }
        : { kind: 'awaited', until: '2026-12-04' },
  }));

const recordWith = (
  course: CourseOfCare,
  item: string,
  child: number | null,
  reason: GivenReason['reason'],
): ExportedRecord =>
  exportedRecord(course, null, {
    reasons: [{ item, child, children: course.children.length, reason }],
  });

const resourcesOf = (bundle: JsonObject): readonly JsonObject[] =>
  asObjects(bundle['entry']).map(({ resource }) => asObject(resource));

/** Codes of the Observations and names of the elements of Patients that state a reason. */
const statedIn = (record: ExportedRecord, reason = 'asked-unknown'): readonly string[] =>
  resourcesOf(sentBundle(record)).flatMap((resource) => {
    const has = (element: unknown) => JSON.stringify(element ?? null).includes(`"${reason}"`);
    const [code] = asObjects(asObject(resource['code'])['coding']).map((one) => one['code']);
    if (code === undefined) return Object.keys(resource).filter((name) => has(resource[name]));
    if (has(resource['dataAbsentReason'])) return [String(code)];
    const value = asObjects(asObject(resource['valueCodeableConcept'])['coding'])[0];
    return value?.['code'] === 'UNK' ? [`${code}=UNK`] : [];
  });

const NEVER = { kind: 'unobtainable' } as const;
const LATER = { kind: 'awaited', until: '2026-12-04' } as const;

/** Where a document states that an item will never be known; nothing where the guide has no place for it. */
const PLACES: Readonly<Record<string, string>> = {
  'mother-name': 'name',
  'mother-birth-date': '_birthDate',
  'mother-birth-surname': '',
  residence: '',
  'residence-county': '',
  education: '57712-2=UNK',
  'hispanic-origin': '',
  race: '',
  height: '8302-2',
  'prepregnancy-weight': '56077-1',
  'delivery-weight': '69461-2',
  'mother-record-number': 'identifier',
  plurality: '57722-1',
  'first-prenatal-visit': '69044-6',
  'prenatal-visits': '68493-6',
  'last-menstrual-period': '8665-2',
  wic: '87303-4=UNK',
  cigarettes: '64794-1 87298-6 87299-4 64795-8',
  'previous-live-births': '11638-4 68496-9',
  'last-live-birth': '68499-3',
  'other-outcomes': '69043-8',
  'last-other-outcome': '68500-8',
  'previous-cesareans': '68497-7',
  'place-of-birth': '',
  'planned-home-birth': '',
  attendant: '',
  'delivery-method': '73762-7',
  'trial-of-labor': '73760-1',
  induction: '',
  augmentation: '',
  'mother-transfer': '',
  'child-name': 'name',
  'birth-date': '_birthDate',
  'birth-time': '',
  sex: '',
  'birth-order': '',
  'child-record-number': 'identifier',
  'birth-weight': '8339-4',
  'gestational-age': '11884-4',
  'apgar-five': '9274-2',
  'apgar-ten': '9271-8',
  presentation: '73761-9=UNK',
  nicu: '',
  'infant-transfer': '',
  living: '73757-7',
  breastfed: '73756-9',
};

const documents = suite('a document of a record whose items have reasons');

documents('states each item that will never be known where the guide has a place for it', () => {
  assert.equal(
    Object.fromEntries(
      CERTIFICATE_ITEMS.map(({ id, section }) => {
        const child = section === 'child' ? 1 : null;
        const course = courseWithout(id);
        const isMissing = findMissingItems(course, [id]).some((one) => one.child === child);
        return [
          id,
          isMissing ? statedIn(recordWith(course, id, child, NEVER)).join(' ') : 'has it',
        ];
      }),
    ),
    PLACES,
  );
});

documents('states an item that is awaited as unknown for now', () => {
  assert.equal(statedIn(recordWith(LACKING, 'birth-weight', 1, LATER), 'temp-unknown'), ['8339-4']);
  assert.equal(statedIn(recordWith(LACKING, 'wic', null, LATER), 'temp-unknown'), ['87303-4']);
});

documents(
  'states both names of a child that has not been named yet, and only of that child',
  () => {
    const named = resourcesOf(sentBundle(recordWith(LACKING, 'child-name', 1, LATER))).flatMap(
      ({ name }) => asObjects(name),
    );
    const absent = (valueCode: string) => ({
      extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode }],
    });
    assert.equal(named.slice(1), [
      { use: 'official', _family: absent('unknown') },
      { use: 'official', _family: absent('temp-unknown'), _given: [absent('temp-unknown')] },
    ]);
  },
);

documents('of one child has the reasons of that child and of the course', () => {
  const record = exportedRecord(LACKING, null, { reasons: reasonsFor(LACKING) });
  const [first = {}, second = {}] = buildDocumentBundles(record, 'child').map((one) =>
    JSON.parse(JSON.stringify(one)),
  );
  const weightIn = (bundle: JsonObject) =>
    resourcesOf(bundle)
      .filter(({ code }) => JSON.stringify(code ?? '').includes('"8339-4"'))
      .map(({ dataAbsentReason }) => asObjects(asObject(dataAbsentReason)['coding'])[0]?.['code']);
  assert.equal([weightIn(first), weightIn(second)], [['asked-unknown'], ['temp-unknown']]);
});

documents('states no reason that a value has replaced, or of another number of children', () => {
  const [child] = LACKING.children;
  if (child === undefined) throw new Error('There is a child');
  const weighed = { ...LACKING, children: [child, { ...child, birth_weight_grams: 3_200 }] };
  assert.equal(statedIn(recordWith(weighed, 'birth-weight', 1, NEVER)), []);
  const alone = exportedRecord({ ...LACKING, children: [child] }, null, {
    reasons: [{ item: 'birth-weight', child: 0, children: 2, reason: NEVER }],
  });
  assert.equal(statedIn(alone), []);
});

const RUNS = runs(300);

for (const lane of ['native', 'partner'] as const)
  documents(`comes back the same by a ${lane} key, and warns of nothing`, () => {
    fc.assert(
      fc.property(anyCourse, (any) => {
        const course =
          lane === 'partner' ? { ...maskForPartner(any), attendant: null, certifier: null } : any;
        const reasons = reasonsFor(course, lane === 'partner');
        const record = exportedRecord(course, lane, { reasons });
        assertBroughtBack(record, lane);
        assert.equal(problemsOf(sentBundle(record)), []);
      }),
      RUNS,
    );
  });

documents.run();
