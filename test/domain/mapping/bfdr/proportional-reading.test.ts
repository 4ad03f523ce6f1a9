import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { asObject, isObject, type JsonObject } from '../../../../domain/fhir/json.ts';
import { observeLists } from '../../../../domain/fhir/steps.ts';
import { splitSubmission } from '../../../../domain/mapping/bfdr/bundle-splitter.ts';
import { type MappedCourse, mapCourse } from '../../../../domain/mapping/bfdr/course-mapper.ts';
import type { Lane } from '../../../../domain/mapping/bfdr/place-of-birth.ts';
import { buildSingleBundles } from '../../../../scripts/synthesis/written-submissions.ts';
import { BIRTHS } from '../../../support/births-of-every-shape.ts';
import { birthBundle, observation } from '../../../support/bundles.ts';
import { buildCompleteBundle } from '../../../support/complete-bundle.ts';
import { countWork } from '../../../support/count-work.ts';
import { sentBundle } from '../../../support/exported-records.ts';
import { readAllPublished } from '../../../support/published-bundles.ts';

const law = suite('the work of reading grows with the input');

const LANES: readonly Lane[] = ['native', 'partner'];

const READING = new URL('../../../fixtures/reading/', import.meta.url);
const reading: readonly JsonObject[] = readdirSync(READING)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(new URL(file, READING), 'utf8')));

const synthetic = LANES.flatMap((lane) =>
  [
    ...buildSingleBundles({
      courses: 20,
      seed: '1',
      lane,
      year: 2025,
      until: null,
      practicePrefix: 'S',
    }),
  ].map(({ bundle }): JsonObject => JSON.parse(JSON.stringify(bundle))),
);

const coding = (code: string) => ({ coding: [{ code }] });
const modified = { modifierExtension: [{ url: 'urn:x' }] };
const extension = [
  { url: 'urn:x/data-absent-reason' },
  { url: 'urn:birth-registry:extension/recorded', valueString: 'x' },
];
const partial = {
  extension: [
    { url: 'urn:x/partial-date', extension: [{ url: 'year', valueInteger: 2026, extension }] },
  ],
};

/** Has what senders may say, but none in the corpus does, as lists. */
const UNUSUAL: readonly JsonObject[] = [
  birthBundle({
    composition: {
      encounter: { identifier: { value: 'e' } },
      author: [{ reference: '#author' }],
      attester: [{ party: [{ reference: 'PractitionerRole/role' }] }],
      contained: [{ resourceType: 'Practitioner', id: 'author', identifier: [{ value: 'n' }] }],
    },
    encounter: {
      identifier: [{ value: 'e' }],
      type: [{ ...coding('19712007'), text: 'x' }],
      class: [coding('x')],
      contained: [
        { resourceType: 'Practitioner', id: 'inside', qualification: [{ code: [coding('MD')] }] },
      ],
      location: [
        {
          location: { reference: 'Location/place' },
          physicalType: [coding('x')],
          period: { start: '2026-03-12' },
        },
        modified,
      ],
      participant: [
        { type: [coding('ATND')], individual: { reference: 'PractitionerRole/role' } },
        { type: [coding('ATND')], individual: { reference: '#inside' } },
      ],
      hospitalization: {
        admitSource: [coding('hosp-trans')],
        dischargeDisposition: [coding('other-hcf')],
        origin: { reference: 'Location/nowhere' },
        destination: { reference: 'Organization/other' },
      },
    },
    location: { type: [coding('22232009')], physicalType: [coding('x')] },
    more: [
      {
        resourceType: 'PractitionerRole',
        id: 'role',
        practitioner: { identifier: { value: 'n' } },
      },
      {
        resourceType: 'Practitioner',
        id: 'n',
        identifier: [{ value: 'n', type: [coding('x')] }],
        name: [{ given: ['A'], family: 'B', suffix: ['MD'] }],
        qualification: [{ code: [coding('x')] }],
      },
      { resourceType: 'Organization', id: 'other', _name: { extension } },
      { resourceType: 'Location', id: 'from', type: [coding('loc_transfer-from')] },
      { resourceType: 'Location', id: 'here', type: [coding('x'), modified] },
      observation('8339-4', {
        subject: { reference: 'Patient/mother' },
        focus: [
          { reference: '#c' },
          { identifier: { value: 'c' } },
          { reference: 'Patient/child-1' },
        ],
        contained: [{ resourceType: 'Patient', id: 'c' }],
        component: [
          { code: [coding('8339-4')], valueInteger: [1] },
          { valueInteger: 2, ...modified },
        ],
        valueCodeableConcept: [coding('x')],
      }),
      observation('8665-2', { valueString: 'x', _valueString: partial }),
      observation('57712-2', { valueCodeableConcept: { ...coding('x'), extension } }),
      observation('x', { meta: { profile: ['urn:x/planned'] } }),
      observation('9272-6', modified),
      {
        resourceType: 'Consent',
        status: 'active',
        provision: [{ provision: [{ provision: [{}] }] }],
        ...{ _status: { extension } },
      },
    ],
  }),
];

const CORPUS: readonly JsonObject[] = [
  buildCompleteBundle(),
  ...readAllPublished('fixtures/bfdr'),
  ...reading,
  ...BIRTHS.map(({ record }) => sentBundle(record)),
  ...synthetic,
  ...UNUSUAL,
];

const coursesOf = (bundle: JsonObject) => {
  const submission = splitSubmission(bundle);
  return submission.kind === 'refused' ? [] : submission.courses;
};

/** Place of a list: the names from its Bundle or resource, and the steps to it from the Bundle. */
interface Found {
  readonly path: string;
  readonly keys: readonly (string | number)[];
}

const listsIn = (
  value: unknown,
  path: string,
  keys: Found['keys'],
  into: Map<unknown, Found>,
): void => {
  if (Array.isArray(value)) {
    into.set(value, { path, keys });
    value.forEach((element, index) => {
      listsIn(element, path, [...keys, index], into);
    });
  } else if (isObject(value)) {
    const type = value['resourceType'];
    const own = typeof type === 'string' ? type : path;
    for (const name of Object.keys(value))
      listsIn(value[name], `${own}.${name}`, [...keys, name], into);
  }
};

/** Each list that is read, by its path, with the courses that have it. */
const READ = new Map<string, { readonly bundle: JsonObject; readonly keys: Found['keys'] }[]>();
for (const submission of CORPUS)
  for (const { bundle } of coursesOf(submission)) {
    const lists = new Map<unknown, Found>();
    listsIn(bundle, 'Bundle', [], lists);
    const read = new Set<unknown>();
    for (const lane of LANES)
      observeLists(
        (list) => read.add(list),
        () => mapCourse({ bundle, position: 0, retractedByEntry: false }, lane, []),
      );
    for (const list of read) {
      const found = lists.get(list);
      if (found === undefined) continue;
      const places = READ.get(found.path) ?? [];
      READ.set(found.path, [...places, { bundle, keys: found.keys }]);
    }
  }

/** Makes a further element of a list from one that it has. */
type Repetition = (element: unknown, index: number) => unknown;

const NAMES_WITH_INDEX = new Set([
  'id',
  'reference',
  'value',
  'code',
  'url',
  'fullUrl',
  'system',
  'text',
  'family',
]);

const withIndex = (value: unknown, index: number, name = ''): unknown => {
  if (typeof value === 'string') return NAMES_WITH_INDEX.has(name) ? `${value}-${index}` : value;
  if (Array.isArray(value)) return value.map((one) => withIndex(one, index, name));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withIndex(one, index, key)]),
  );
};

const REPETITIONS: Readonly<Record<string, Repetition>> = {
  alike: (element) => element,
  distinct: (element, index) => withIndex(element, index),
};

/** Keeps the first elements, so that the list still means what it means. */
const lengthen = (
  list: readonly unknown[],
  length: number,
  repeat: Repetition,
): readonly unknown[] =>
  list.length === 0
    ? list
    : Array.from({ length: Math.max(length, list.length) }, (_, index) =>
        index < list.length ? list[index] : repeat(list[index % list.length], index),
      );

const changeAt = (
  value: unknown,
  keys: Found['keys'],
  change: (list: readonly unknown[]) => unknown,
): unknown => {
  const [key, ...rest] = keys;
  if (key === undefined) return change(value as readonly unknown[]);
  if (Array.isArray(value))
    return value.map((one, index) => (index === key ? changeAt(one, rest, change) : one));
  const object = asObject(value);
  return { ...object, [key]: changeAt(object[key], rest, change) };
};

const countStepsOf = (bundle: JsonObject, lane: Lane, claim: string): number => {
  let mapped: MappedCourse | null = null as MappedCourse | null;
  const work = countWork(() => {
    mapped = mapCourse({ bundle, position: 0, retractedByEntry: false }, lane, []);
  });
  const ids = mapped?.kind === 'rejected' ? mapped.rejections.map(({ id }) => id) : [];
  assert.not.ok(
    ids.some((id) => id === 'list-too-long' || id === 'too-costly-to-read'),
    `${claim}: ${ids}`,
  );
  return work;
};

const TIMES = 3;

/** @param build a Bundle for a length */
const assertProportional = (
  claim: string,
  length: number,
  build: (length: number) => JsonObject,
): void => {
  const [once, twice] = [build(length), build(2 * length)];
  for (const lane of LANES) {
    const name = `${claim}, ${lane}`;
    const [steps, more] = [countStepsOf(once, lane, name), countStepsOf(twice, lane, name)];
    assert.ok(more < TIMES * steps, `${name}: ${steps} steps, then ${more}`);
  }
};

const LENGTH = 300;

law('every list of a resource that is read can be made longer here', () => {
  assert.ok(READ.size > 80, `${READ.size} lists`);
  for (const wanted of [
    ...[
      'Observation.focus',
      'Observation.contained',
      'Encounter.location',
      'Encounter.participant',
    ],
    ...['Patient.name', 'Patient.identifier', 'Practitioner.qualification', 'Composition.attester'],
    ...['Observation.code.coding', 'Patient.meta.profile', 'Consent.provision', 'Bundle.entry'],
  ])
    assert.ok(READ.has(wanted), wanted);
});

for (const [path, places] of READ) {
  const place = places[0];
  if (place === undefined) continue;
  for (const [how, repeat] of Object.entries(REPETITIONS))
    law(`${path}, ${how}`, () => {
      assertProportional(path, LENGTH, (length) =>
        asObject(changeAt(place.bundle, place.keys, (list) => lengthen(list, length, repeat))),
      );
    });
}

const list = <T>(length: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length }, (_, index) => make(index));

const byIdentifier = { type: 'Patient', identifier: { system: 's', value: 'v' } };
const samePatient = (id: number) => ({
  resourceType: 'Patient',
  id: `p${id}`,
  identifier: [{ system: 's', value: 'v' }],
});
const weight = (more: JsonObject) => observation('8339-4', { valueInteger: 3400, ...more });
// A focus is read only if the subject is no child.
const ofMother = (more: JsonObject) =>
  weight({ subject: { reference: 'Patient/mother' }, ...more });
const withEntries = (entries: readonly unknown[]): JsonObject => {
  const bundle = birthBundle();
  return { ...bundle, entry: [...(bundle['entry'] as readonly unknown[]), ...entries] };
};

const JAN = '-01-01T00:00:00Z';

/** Both lists of a pair, or a list and a text that each element leads to, grow together. */
const PAIRS: Readonly<Record<string, (length: number) => JsonObject>> = {
  'Patients of one identifier, and references by it': (length) =>
    birthBundle({
      more: [
        ...list(length, samePatient),
        ...list(length, () => weight({ subject: byIdentifier })),
      ],
    }),
  'Patients of one identifier, and one focus': (length) =>
    birthBundle({
      more: [...list(length, samePatient), ofMother({ focus: list(length, () => byIdentifier) })],
    }),
  'entries of one id, and profiles': (length) =>
    withEntries(
      list(length, (index) => ({
        resource: {
          resourceType: 'Basic',
          id: 'x',
          meta: { profile: index === 0 ? list(length, (one) => `p${one}`) : [`q${index}`] },
        },
      })),
    ),
  'entries of one id, and a long time of the first': (length) =>
    withEntries(
      list(length, (index) => ({
        resource: {
          resourceType: 'Basic',
          id: 'x',
          meta: {
            lastUpdated: index === 0 ? `2027${JAN}${' '.repeat(100 * length)}` : `2026${JAN}`,
          },
        },
      })),
    ),
  'transfers without a facility, and Locations': (length) =>
    birthBundle({
      more: [
        { resourceType: 'Location', id: 'from', type: [coding('loc_transfer-from')] },
        ...list(length, (id) => ({ resourceType: 'Location', id: `l${id}`, type: [coding('x')] })),
        ...list(length, (id) => ({
          resourceType: 'Encounter',
          id: `t${id}`,
          hospitalization: {
            admitSource: coding('hosp-trans'),
            origin: { reference: `Location/none${id}` },
          },
        })),
      ],
    }),
  'transfers, and the long name of one Location': (length) =>
    birthBundle({
      more: [
        { resourceType: 'Location', id: 'long', name: 'x'.repeat(100 * length) },
        ...list(length, (id) => ({
          resourceType: 'Encounter',
          id: `t${id}`,
          hospitalization: {
            admitSource: coding('hosp-trans'),
            origin: { reference: 'Location/long' },
          },
        })),
      ],
    }),
  'contained persons, and a focus on each': (length) =>
    birthBundle({
      more: [
        ofMother({
          contained: list(length, (id) => ({ resourceType: 'Patient', id: `c${id}` })),
          focus: list(length, (id) => ({ reference: `#c${id}` })),
        }),
      ],
    }),
  'participants, and qualifications of one Practitioner': (length) =>
    birthBundle({
      encounter: {
        location: [{ location: { reference: 'Location/place' } }],
        participant: list(length, () => ({ individual: { reference: 'Practitioner/a' } })),
      },
      more: [
        {
          resourceType: 'Practitioner',
          id: 'a',
          qualification: list(length, () => ({ code: { text: 'MD' } })),
        },
      ],
    }),
  'participants, and the long reference of one PractitionerRole': (length) =>
    birthBundle({
      encounter: {
        location: [{ location: { reference: 'Location/place' } }],
        participant: list(length, () => ({ individual: { reference: 'PractitionerRole/r' } })),
      },
      more: [
        {
          resourceType: 'PractitionerRole',
          id: 'r',
          practitioner: { reference: 'x'.repeat(100 * length) },
        },
      ],
    }),
  'components, and the long time of their panel': (length) =>
    birthBundle({
      more: [
        observation('x', {
          effectiveDateTime: 'x'.repeat(100 * length),
          component: list(length, () => ({ code: coding('29463-7'), valueInteger: 3400 })),
        }),
      ],
    }),
  'references, and the long address of their holder': (length) =>
    withEntries([
      {
        fullUrl: `http://${'x'.repeat(100 * length)}/Observation/o`,
        resource: ofMother({ id: 'o', focus: list(length, (id) => ({ reference: `a/${id}` })) }),
      },
    ]),
};

for (const [pair, build] of Object.entries(PAIRS))
  law(`in pairs: ${pair}`, () => {
    assertProportional(pair, LENGTH, build);
  });

const TIMED = { birthDate: '2026-03-12', birthTime: '2026-03-12T04:31:00-05:00' };

law('each child costs what it costs by itself, however many places the mother was at', () => {
  const stay = {
    location: { reference: 'Location/place' },
    period: { start: '2026-03-12T05:00:00-05:00' },
  };
  const build = (children: number, stays: number): JsonObject =>
    birthBundle({
      children: list(children, () => TIMED),
      encounter: { location: list(stays, () => stay) },
    });
  const cost = (children: number, stays: number): number =>
    countStepsOf(build(children, stays), 'native', `${children} children, ${stays} stays`);
  const [few, many] = [cost(20, 2) - cost(1, 2), cost(20, LENGTH) - cost(1, LENGTH)];
  assert.is(many, few);
});

law.run();
