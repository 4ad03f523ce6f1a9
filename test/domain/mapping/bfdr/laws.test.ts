import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildFingerprintTexts } from '../../../../domain/birth-record/duplicates/fingerprint.ts';
import { maskForPartner } from '../../../../domain/course/mask.ts';
import type { JsonObject } from '../../../../domain/fhir/json.ts';
import { splitSubmission } from '../../../../domain/mapping/bfdr/bundle-splitter.ts';
import { type MappedCourse, mapCourse } from '../../../../domain/mapping/bfdr/course-mapper.ts';
import type { Lane } from '../../../../domain/mapping/bfdr/place-of-birth.ts';
import { explainMask } from '../../../../scripts/offline/mask-notes.ts';
import { batchOf, birthBundle } from '../../../support/bundles.ts';
import { buildCompleteBundle, removeNarratives } from '../../../support/complete-bundle.ts';
import { readAllPublished, testPublished } from '../../../support/published-bundles.ts';
import { runs } from '../../../support/runs.ts';

const LANES: readonly Lane[] = ['native', 'partner'];
const MAX_EVENT_BYTES = 256 * 1024;

const mapAll = (bundle: JsonObject, lane: Lane): readonly MappedCourse[] => {
  const submission = splitSubmission(bundle);
  return submission.kind === 'refused'
    ? []
    : submission.courses.map((course) => mapCourse(course, lane, []));
};

const isTotalOn = (bundle: JsonObject): void => {
  for (const lane of LANES) {
    for (const mapped of mapAll(bundle, lane)) {
      if (mapped.kind !== 'course') continue;
      buildFingerprintTexts(mapped.course, () => '-05:00');
      explainMask(mapped.course);
      maskForPartner(mapped.course);
      const bytes = Buffer.byteLength(JSON.stringify(mapped.course));
      assert.ok(bytes < MAX_EVENT_BYTES, `${bytes} bytes`);
    }
  }
};

// Names that make the mapper look: FHIR elements, and those of JavaScript itself.
const NAMES = [
  ...'resourceType entry resource meta profile identifier value name family given use text'.split(
    ' ',
  ),
  ...'birthDate _birthDate extension url valueDateTime code coding system display'.split(' '),
  ...'subject reference location type physicalType valueQuantity valueInteger status'.split(' '),
  ...'component request method participant individual attester party author provision'.split(' '),
  ...'contained id fullUrl address telecom qualification hospitalization'.split(' '),
  ...'focus class valueCodeableConcept valueString unit comparator'.split(' '),
  ...'__proto__ constructor toString hasOwnProperty length'.split(' '),
];
const WORDS = [
  ...'Bundle Patient Observation Encounter Location Composition Consent Practitioner'.split(' '),
  ...'mother child Patient/child-1 #here urn:uuid: http://loinc.org 8339-4 11884-4 9274-2'.split(
    ' ',
  ),
  ...'DELETE entered-in-error active deny ve OTH 22232009 ATND g lb_av UNK message'.split(' '),
  ...'cancelled nullified unknown Patient/mother transferred in 9274-2 8/10 3400g'.split(' '),
  ...'http://snomed.info/sct https://a.example/fhir/Patient/1 Patient/1 transfer of care'.split(
    ' ',
  ),
  ...'2026-02-30 2026-03-12T10:00:00Z \ud800 \u0000 __proto__ -1'.split(' '),
];

const oddJson = fc.letrec<{ json: unknown; object: object }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, false, 0, -1, 1e308, -1e308, 5e-324, 2500, '', ' '),
    fc.constantFrom(...WORDS),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.double(),
    fc.array(tie('json'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom(...NAMES), tie('json')), { maxLength: 6 })
    .map((pairs) => parsed(pairs)),
}));

// As JSON.parse makes it: `__proto__` becomes an own property.
const parsed = (pairs: readonly (readonly [string, unknown])[]): object => {
  const object = {};
  for (const [name, value] of pairs)
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return object;
};

test('opening, mapping and masking never throw on any JSON', () => {
  const resource = fc
    .tuple(oddJson.object, fc.constantFrom(...WORDS))
    .map(([object, resourceType]) => ({
      ...object,
      resourceType,
    }));
  const bundle = fc
    .tuple(oddJson.object, fc.array(fc.oneof(resource, oddJson.json), { maxLength: 6 }))
    .map(([object, resources]) => ({
      ...object,
      entry: [...objectEntries(birthBundle()), ...resources.map((one) => ({ resource: one }))],
    }));
  const anything = fc.oneof(bundle, oddJson.object as fc.Arbitrary<JsonObject>);
  fc.assert(fc.property(anything, isTotalOn), runs(4_000));
});

test('masking and explaining never throw on any JSON', () => {
  fc.assert(
    fc.property(oddJson.json, (json) => {
      maskForPartner(json as never);
      explainMask(json as never);
    }),
    runs(4_000),
  );
});

const objectEntries = (bundle: JsonObject): readonly unknown[] =>
  Array.isArray(bundle['entry']) ? bundle['entry'] : [];

/** Bundles of our own, and those that others published where they are there. */
const OWN: readonly JsonObject[] = [removeNarratives(buildCompleteBundle()), birthBundle()];
const PUBLISHED = readAllPublished('fixtures/bfdr').map((bundle) => removeNarratives(bundle));

type Place = { readonly holder: Record<string, unknown>; readonly key: string };

const placesIn = (json: unknown): readonly Place[] => {
  if (typeof json !== 'object' || json === null) return [];
  const holder = json as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
};

const PLACES = new Map([...OWN, ...PUBLISHED].map((sample) => [sample, placesIn(sample)]));

// Changes real places, maps, and puts everything back: copying a fixture each time is slow.
const withChanges = (
  fixture: JsonObject,
  changes: readonly (readonly [number, unknown])[],
  check: () => void,
): void => {
  const undo: (() => void)[] = [];
  const places = PLACES.get(fixture) ?? [];
  for (const [index, json] of changes) {
    const place = places[index % Math.max(1, places.length)];
    if (place === undefined) continue;
    const before = place.holder[place.key];
    undo.unshift(() => {
      place.holder[place.key] = before;
    });
    place.holder[place.key] = json;
  }
  try {
    check();
  } finally {
    for (const restore of undo) restore();
  }
};

const checkChanged = (samples: readonly JsonObject[]): void => {
  const change = fc.record({
    sample: fc.constantFrom(...samples),
    changes: fc.array(fc.tuple(fc.nat(), oddJson.json), { minLength: 1, maxLength: 4 }),
  });
  assert.ok(samples.every((sample) => (PLACES.get(sample)?.length ?? 0) > 20));
  fc.assert(
    fc.property(change, ({ sample, changes }) =>
      withChanges(sample, changes, () => isTotalOn(sample)),
    ),
    runs(2_000),
  );
};

test('mapping never throws on a Bundle with anything in the place of anything', () =>
  checkChanged(OWN));

testPublished(
  test,
  'fixtures/bfdr',
  'mapping never throws on published Bundles with anything in the place of anything',
  () => checkChanged(PUBLISHED),
);

test('mapping never turns what is no text into one', () => {
  const sample = birthBundle({ mother: { family: 'Roe', given: ['Ann'] } });
  for (const { holder, key } of placesIn(sample)) {
    const before = holder[key];
    for (const json of ['{"toString":null}', '[{"toString":null}]']) {
      holder[key] = JSON.parse(json);
      isTotalOn(sample);
    }
    holder[key] = before;
  }
});

test('a batch is the same records one by one, but for their positions', () => {
  const single = fc.constantFrom(
    ...OWN,
    ...PUBLISHED.filter(({ type }) => type === 'document'),
    birthBundle({ chartNumber: null, place: 'nowhere' }),
    birthBundle({ mother: null }),
  );
  fc.assert(
    fc.property(fc.array(single, { minLength: 1, maxLength: 6 }), (bundles) => {
      for (const lane of LANES) {
        const batch = mapAll(batchOf(bundles), lane);
        const alone = bundles.flatMap((bundle) => mapAll(bundle, lane));
        assert.equal(
          batch,
          alone.map((mapped, position) => ({
            ...mapped,
            position,
            reference: mapped.chart_number ?? `record[${position}]`,
          })),
        );
      }
    }),
    runs(50),
  );
});

test('mapping changes nothing it is given', () => {
  const samples = [...OWN, ...PUBLISHED];
  const before = JSON.stringify(samples);
  for (const sample of samples) for (const lane of LANES) mapAll(sample, lane);
  assert.is(JSON.stringify(samples), before);
});

test('deep nesting does not exhaust the stack', () => {
  let provision: JsonObject = { type: 'deny' };
  for (let level = 0; level < 50_000; level += 1) provision = { provision: [provision] };
  const consent = { resourceType: 'Consent', status: 'active', provision };
  const [mapped] = mapAll(birthBundle({ more: [consent] }), 'native');
  assert.ok(mapped?.kind === 'course');
  assert.is(mapped.course.consent.granted, false);
});

test('the fullest course of care that is accepted fits into an event', () => {
  const long = (length: number): string => '\u4e16'.repeat(length);
  const names = Array.from({ length: 12 }, () => long(150));
  const children = Array.from({ length: 20 }, () => ({ family: long(150), given: names }));
  const agents = Array.from({ length: 30 }, (_, index) => ({
    resourceType: 'Observation',
    code: { coding: [{ system: 'urn:birth-registry:codes', code: 'induction_agents' }] },
    valueString: `${index}${long(290)}`,
  }));
  const bundle = birthBundle({
    mother: { family: long(150), given: names },
    children,
    more: agents,
  });
  const mapped = mapAll(bundle, 'native')[0];
  assert.ok(mapped?.kind === 'course');
  const bytes = Buffer.byteLength(JSON.stringify(mapped.course));
  assert.ok(bytes < MAX_EVENT_BYTES * 0.75, `${bytes} bytes`);
});

test('references that all lead to one large resource do not multiply its cost', () => {
  const coding = Array.from({ length: 2000 }, () => ({ system: 'urn:x', code: 'nowhere' }));
  let reads = 0;
  const type = [
    {
      get coding() {
        reads += 1;
        return coding;
      },
    },
  ];
  const location = Array.from({ length: 20_000 }, () => ({
    location: { reference: 'Location/place' },
  }));
  const bundle = birthBundle({ location: { type }, encounter: { location } });
  mapAll(bundle, 'native');
  assert.ok(reads > 0 && reads < 20, `${reads} reads`);
});

test.run();
