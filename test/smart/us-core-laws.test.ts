import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isObject, type JsonObject } from '../../domain/fhir/json.ts';
import { mapChart } from '../../domain/mapping/us-core/map-chart.ts';
import type { PulledChart } from '../../domain/mapping/us-core/pulled-chart.ts';
import { observation, quantity } from '../../scripts/ehr-simulator/resources.ts';
import {
  apgar5,
  BORN,
  birthWeight,
  dueDate,
  fromNewbornChart,
  gestationalAge,
  mapped,
  mappedIn,
  motherChart,
  newbornChart,
  stay,
  TODAY,
  twins,
} from '../support/charts.ts';
import { readAllPublished } from '../support/published-bundles.ts';
import { runs } from '../support/runs.ts';

const mapper = suite('the US Core mapper');

mapper('any JSON gives an answer, as mother and as newborn', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const spoiled = <T extends object>(resource: T) =>
    fc
      .array(fc.tuple(fc.constantFrom(...Object.keys(resource)), json), { maxLength: 4 })
      .map((changes) => ({ ...resource, ...Object.fromEntries(changes) }));
  const part = fc.oneof(
    json,
    spoiled(birthWeight(quantity(3410, 'g'))),
    spoiled(apgar5('a', 9, '09:16')),
    spoiled(gestationalAge('18185-9', { valueString: '39w' }, BORN)),
    spoiled(dueDate('2026-05-15')),
    spoiled(twins),
    spoiled(stay('it', BORN)),
    spoiled({
      resourceType: 'Patient',
      id: 'c',
      name: [{ family: 'A' }],
      birthDate: BORN,
      identifier: [],
      address: [],
      telecom: [],
      contact: [],
      extension: [],
      _birthDate: {},
      multipleBirthInteger: 1,
      multipleBirthBoolean: false,
      deceasedBoolean: true,
      gender: 'f',
    }),
  );
  const list = fc.array(part, { maxLength: 5 });
  fc.assert(
    fc.property(part, list, list, list, (patient, observations, conditions, encounters) => {
      for (const patientId of ['c', 'm']) {
        const chart = {
          ...newbornChart(),
          patientId,
          patient,
          observations,
          conditions,
          encounters,
        };
        // Without parts that it has twice, so that each list has one name.
        const read = mapped(JSON.parse(JSON.stringify(chart)));
        // It can be kept, and what was kept is the same.
        assert.equal(JSON.parse(JSON.stringify(read)), read);
      }
    }),
    runs(400),
  );
});

mapper('every value keeps its resource, and the order of entries does not matter', () => {
  const entries = [
    birthWeight(quantity(3410, 'g')),
    apgar5('a', 9, '09:16'),
    apgar5('b', 8, '09:17'),
    gestationalAge('76516-4', quantity(277, 'd'), BORN),
  ];
  const forwards = fromNewbornChart(entries);
  assert.equal(fromNewbornChart([...entries].reverse()).values, forwards.values);
  for (const candidates of Object.values(forwards.values))
    for (const { from } of candidates) assert.match(from.resource, /^(Patient|Observation)\/\w/);
});

mapper('a time in UTC says the same as on the clock of the practice', () => {
  const zone = fc.constantFrom('America/New_York', 'America/Los_Angeles', 'Pacific/Honolulu');
  // Around the birth and the nights in which clocks change; midnight in UTC is a day.
  const minute = fc
    .integer({ min: 1, max: 60 * 24 * 400 })
    .filter((minutes) => minutes % (60 * 24) !== 0);
  fc.assert(
    fc.property(zone, fc.array(minute, { minLength: 1, maxLength: 4 }), (timeZone, minutes) => {
      const moments = minutes.map((one) =>
        Temporal.Instant.from('2025-10-01T00:00:00Z').add({ minutes: one }),
      );
      const readAs = (write: (moment: Temporal.Instant) => string) => {
        const observations = moments.map((moment, index) =>
          observation(
            { id: `w${index}`, patient: 'c', code: ['29463-7', 'Weight'], at: write(moment) },
            quantity(3 + index / 10, 'kg'),
          ),
        );
        return mappedIn(timeZone, newbornChart({ observations }));
      };
      const local = (moment: Temporal.Instant) => moment.toString({ timeZone });
      assert.equal(
        readAs((moment) => moment.toString()),
        readAs(local),
      );
    }),
    runs(200),
  );
});

type Json = Record<string, unknown>;

const EXTENSION = 'http://hl7.org/fhir/StructureDefinition';
const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';

const codeOf = (system: string, code: string, display = 'words') => ({
  coding: [{ system, code, display }],
  text: display,
});

const mrn = (value: string) => ({
  type: codeOf('http://terminology.hl7.org/CodeSystem/v2-0203', 'MR'),
  value,
});

const ENCOUNTERS = [
  stay('stay', '2026-05-11', {
    reasonCode: [codeOf('http://hl7.org/fhir/sid/icd-10-cm', 'Z37.0')],
    serviceProvider: { display: 'Lakeside Hospital' },
  }),
];

/** A mother's chart with everything that is read in one. */
const MOTHER = motherChart({
  patient: {
    resourceType: 'Patient',
    id: 'm',
    gender: 'female',
    birthDate: '1994-06-17',
    name: [
      { use: 'official', family: 'Marin', given: ['Rosa', 'Lee'], suffix: ['III'] },
      { use: 'maiden', family: 'Soler' },
    ],
    identifier: [mrn('M-1')],
    telecom: [{ system: 'phone', value: '503-555-0142' }],
    address: [
      {
        line: ['12 Elm Street'],
        city: 'Eugene',
        district: 'Lane',
        state: 'OR',
        postalCode: '97401',
        country: 'US',
      },
    ],
    extension: [
      {
        url: `${US_CORE}/us-core-race`,
        extension: [
          {
            url: 'ombCategory',
            valueCoding: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2106-3' },
          },
        ],
      },
      {
        url: `${US_CORE}/us-core-ethnicity`,
        extension: [
          {
            url: 'ombCategory',
            valueCoding: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2186-5' },
          },
        ],
      },
    ],
  },
  observations: [
    apgar5('a', 9, '09:16', {}, 'm'),
    dueDate('2026-05-15'),
    gestationalAge('18185-9', { valueString: '39w2d' }, BORN, 'm'),
    observation(
      { id: 'ht', patient: 'm', code: ['8302-2', 'Height'], at: BORN },
      quantity(170, 'cm'),
    ),
    observation(
      { id: 'smoking', patient: 'm', code: ['72166-2', 'Smoking'], at: BORN },
      { valueCodeableConcept: codeOf('http://snomed.info/sct', '266919005', 'Never smoked') },
    ),
    observation(
      { id: 'wic', patient: 'm', code: ['87303-4', 'WIC'], at: BORN },
      { valueBoolean: true },
    ),
    observation(
      { id: 'delivery', patient: 'm', code: ['73762-7', 'Delivery'], at: BORN },
      { valueCodeableConcept: codeOf('http://snomed.info/sct', '700000006') },
    ),
  ],
  conditions: [twins],
  encounters: ENCOUNTERS,
});

/** A newborn's chart, likewise. */
const NEWBORN = newbornChart({
  patient: {
    resourceType: 'Patient',
    id: 'c',
    gender: 'female',
    birthDate: BORN,
    _birthDate: {
      extension: [
        { url: `${EXTENSION}/patient-birthTime`, valueDateTime: `${BORN}T09:11:00-05:00` },
      ],
    },
    name: [{ family: 'Marin', given: ['Ida'] }],
    identifier: [mrn('C-1')],
    multipleBirthInteger: 2,
    _multipleBirthInteger: {
      extension: [{ url: `${EXTENSION}/patient-multipleBirthTotal`, valuePositiveInt: 2 }],
    },
    deceasedBoolean: false,
    contact: [
      {
        relationship: [codeOf('http://terminology.hl7.org/CodeSystem/v3-RoleCode', 'MTH')],
        name: { family: 'Marin', given: ['Rosa'] },
        telecom: [{ system: 'phone', value: '503-555-0142' }],
        address: { line: ['12 Elm Street'], city: 'Eugene', state: 'OR' },
      },
    ],
    extension: [
      { url: `${US_CORE}/us-core-birthsex`, valueCode: 'F' },
      { url: `${EXTENSION}/patient-mothersMaidenName`, valueString: 'Soler' },
    ],
  },
  observations: [
    birthWeight(quantity(3410, 'g')),
    observation(
      { id: 'apgars', patient: 'c', code: ['85354-9', 'Apgars'], at: `${BORN}T09:16:00-05:00` },
      {
        component: [
          { code: codeOf('http://loinc.org', '9272-6'), valueInteger: 8 },
          { code: codeOf('http://loinc.org', '9274-2'), valueQuantity: { value: 9 } },
        ],
      },
    ),
  ],
});

const resourcesIn = (value: unknown, type: string): readonly Json[] => {
  if (Array.isArray(value)) return value.flatMap((one) => resourcesIn(one, type));
  if (!isObject(value)) return [];
  return value['resourceType'] === type
    ? [value as Json]
    : Object.values(value).flatMap((one) => resourcesIn(one, type));
};

/** The charts that an EHR would have of the people of a Bundle. */
const chartsOf = (bundle: JsonObject): readonly PulledChart[] =>
  resourcesIn(bundle, 'Patient').map((patient, index) => {
    const patientId = `p${index}`;
    const about = (type: string) =>
      resourcesIn(structuredClone(bundle), type).map((resource) => ({
        // Many Bundles leave it out.
        status: 'final',
        ...resource,
        subject: { reference: `Patient/${patientId}` },
      }));
    return motherChart({
      patientId,
      patient: { ...structuredClone(patient), id: patientId },
      observations: about('Observation'),
      conditions: about('Condition'),
      encounters: about('Encounter'),
    });
  });

const PUBLISHED = (['fixtures/bfdr', 'fixtures/published', 'cases'] as const).flatMap((folder) =>
  readAllPublished(folder).flatMap(chartsOf),
);

/** The day after the birth that a chart says, so that its age is no reason to be silent. */
const findToday = ({ patient, observations }: PulledChart): string => {
  const days = JSON.stringify([patient, observations]).match(/(?<=")20[12]\d-\d\d-\d\d/g) ?? [];
  return [...days, TODAY].sort()[0] === TODAY ? TODAY : ([...days].sort().at(-1) ?? TODAY);
};

interface Place {
  readonly holder: Json;
  readonly key: string;
  readonly path: string;
}

/** Places of elements in a chart: of values, of objects, and of lists. */
const placesIn = (holder: Json, path: string): readonly Place[] =>
  Object.keys(holder).flatMap((key) => {
    const value = holder[key];
    const type = isObject(value) ? value['resourceType'] : undefined;
    const below = Array.isArray(holder) ? path : `${path}.${key}`;
    const at = typeof type === 'string' ? type : below;
    const here = { holder, key, path: at };
    if (typeof value !== 'object' || value === null) return [here];
    return key === 'div' || key === 'contained' ? [] : [here, ...placesIn(value as Json, at)];
  });

/** The same value twice with a difference, and the value as other types of JSON. */
const DISTORTIONS: readonly ((value: unknown) => unknown)[] = [
  (value) => [value, typeof value === 'string' ? `${value}X` : value],
  (value) => [value],
  (value) => (typeof value === 'boolean' ? { value } : true),
  (value) => (typeof value === 'number' ? String(value) : 7),
  (value) => {
    if (isObject(value)) return 'words';
    return Array.isArray(value) ? 7 : { value };
  },
];

/** What a chart offers for the form, and what its page says of it. */
const readIn = (chart: PulledChart, today: string) => {
  const read = mapChart(chart, { today, offsetAt: null }, new Map());
  assert.ok(read);
  const sides = [read.asMother, read.asNewborn];
  return {
    offered: sides.flatMap(({ as, values, hints }) => [
      ...Object.keys(values).map((path) => `${as} ${path}`),
      ...hints.map(({ kind }) => `${as} ${kind}`),
    ]),
    said: [
      ...read.unread,
      ...sides.flatMap(({ notTaken, values }) => [
        ...notTaken,
        ...Object.values(values).flatMap((offers) =>
          offers.flatMap(({ caution }) => caution ?? []),
        ),
      ]),
    ].map((one) => JSON.stringify(one)),
  };
};

mapper('law: a changed element never takes an offered value away in silence', () => {
  const charts = [MOTHER, NEWBORN, ...PUBLISHED].map((chart) => {
    const { patient, observations, conditions, encounters } = chart;
    const today = findToday(chart);
    const places = placesIn({ patient, observations, conditions, encounters } as Json, 'chart');
    // Not the lists themselves: they are not of the EHR.
    const ofEhr = places.filter(({ path }) => !path.startsWith('chart.'));
    return { chart, today, places: ofEhr, before: readIn(chart, today) };
  });
  const silent = new Set<string>();
  const position = fc.nat();
  fc.assert(
    fc.property(position, position, fc.nat(DISTORTIONS.length - 1), (which, where, how) => {
      const one = charts[which % charts.length];
      const place = one?.places[where % one.places.length];
      const distort = DISTORTIONS[how];
      if (one === undefined || place === undefined || distort === undefined) return;
      const { holder, key, path } = place;
      const sent = holder[key];
      holder[key] = distort(sent);
      const changed = JSON.stringify(holder[key]).slice(0, 80);
      const after = readIn(one.chart, one.today);
      holder[key] = sent;
      if (after.said.some((words) => !one.before.said.includes(words))) return;
      const lost = one.before.offered.filter((offer) => !after.offered.includes(offer));
      if (lost.length > 0) silent.add(`${path} ${changed}: ${lost}`);
    }),
    runs(6_000),
  );
  assert.equal([...silent], []);
});

/** Values of these charts that are ignored on purpose, by reason. */
const IGNORED = {
  'beside a code or text that is known': [
    'Observation.code.coding.display',
    'Observation.component.code.coding.display',
    'Observation.valueCodeableConcept.coding.display',
    'Observation.valueCodeableConcept.coding.system',
    'Observation.valueQuantity.system',
    'Patient.contact.relationship.coding.display',
    'Patient.contact.relationship.coding.system',
    'Patient.contact.relationship.text',
    'Patient.identifier.type.coding.display',
    'Patient.identifier.type.text',
  ],
  'of one stay, which only its place among several depends on': [
    'Encounter.class.code',
    'Encounter.class.system',
    'Encounter.period.end',
    'Encounter.reasonCode.coding.code',
    'Encounter.reasonCode.coding.display',
    'Encounter.reasonCode.coding.system',
    'Encounter.reasonCode.text',
    'Encounter.status',
  ],
  'unless it refutes the diagnosis': [
    'Condition.verificationStatus.coding.code',
    'Condition.verificationStatus.coding.system',
  ],
  'a due date where the gestational age is stated': ['Observation.valueDateTime'],
  'the sex at birth where the gender is the same': ['Patient.extension.valueCode'],
  'only for searches': ['Observation.category.coding.code', 'Observation.category.coding.system'],
};

mapper('law: each value of a chart changes the form, is named, or is on the list', () => {
  const [all, read] = [new Set<string>(), new Set<string>()];
  for (const chart of [MOTHER, NEWBORN]) {
    const { patient, observations, conditions, encounters } = chart;
    const map = (): string =>
      JSON.stringify(mapChart(chart, { today: TODAY, offsetAt: null }, new Map()));
    const before = map();
    const places = placesIn({ patient, observations, conditions, encounters } as Json, 'chart');
    for (const { holder, key, path } of places) {
      const value = holder[key];
      if (typeof value === 'object') continue;
      all.add(path);
      for (const other of typeof value === 'string' ? [`${value}X`, null] : [7, null]) {
        holder[key] = other;
        if (map() !== before) read.add(path);
      }
      holder[key] = value;
    }
  }
  assert.equal(
    [...all].filter((path) => !read.has(path)).sort(),
    Object.values(IGNORED).flat().sort(),
  );
});

mapper.run();
