import { gzipSync } from 'node:zlib';
import { exampleObservation } from '../../../api/openapi/example-bundles.ts';
import type { JsonObject } from '../../../domain/fhir/json.ts';
import { LOCATION_ROLES } from '../../../domain/mapping/bfdr/place-of-birth.ts';
import { TRANSFERRED_IN } from '../../../domain/mapping/bfdr/transfers.ts';
import { completeBodies, fullBatchOf, wideBatchOf } from '../../harness/push-bodies.ts';
import { BYTES_IN_MIB } from '../../harness/units.ts';
import { type BirthParts, birthBundle } from '../../support/bundles.ts';
import { sized } from '../sizes.ts';

/** A body that a key may push, and that costs much to read. */
export interface HostileBundle {
  readonly name: string;
  /** Number of them that are sent at once; 1 without. */
  readonly atOnce?: number;
  /** True if a partner's key sends it, whose providers are read, too. */
  readonly isOfPartner?: boolean;
  /** @param n another one each time */
  readonly bodyOf: (n: number) => string | Buffer;
}

/** Just below the size from which one course of care is too long. */
const COURSE_BYTES = sized(Math.floor(4.9 * BYTES_IN_MIB), BYTES_IN_MIB / 2);
/** Just below the size of the longest body. */
const BODY_BYTES = sized(Math.floor(19.9 * BYTES_IN_MIB), 2 * BYTES_IN_MIB);
/** A body with more values, counted as commas and brackets, is refused unread. */
const VALUES = sized(1_999_000, 200_000);
const GZIP_BYTES = 9 * BYTES_IN_MIB;
/** A body is nested at most so deep; the Bundle around takes some of it. */
const LEVELS = 54;
const PREFIX = 'H';

/** Items, separated by commas, that fill so many bytes. */
export const fill = (bytes: number, itemOf: (n: number) => unknown): string => {
  const items: string[] = [];
  for (let [n, left] = [0, bytes]; ; n += 1) {
    const item = JSON.stringify(itemOf(n));
    left -= Buffer.byteLength(item) + 1;
    if (left < 0) return items.join(',');
    items.push(item);
  }
};

/** The text of an object with one more list. */
export const withList = (object: JsonObject, name: string, list: string): string =>
  `${JSON.stringify(object).slice(0, -1)},"${name}":[${list}]}`;

/** A course of care with more entries. */
const courseWith = (n: number, ...entries: readonly string[]): string =>
  withEntries({ chartNumber: `${PREFIX}-${n}` }, entries);

/** The same, whose own Encounter is among the entries. */
const courseOfEncounter = (n: number, ...entries: readonly string[]): string =>
  withEntries({ chartNumber: `${PREFIX}-${n}`, encounter: null }, entries);

const withEntries = (parts: BirthParts, entries: readonly string[]): string => {
  const course = JSON.stringify(birthBundle(parts));
  // The entries are what it ends with.
  return `${course.slice(0, -2)},${entries.join(',')}]}`;
};

const entryOf = (resource: string): string => `{"resource":${resource}}`;

const weight = (more: JsonObject): JsonObject =>
  exampleObservation('8339-4', { valueQuantity: { value: 3400, code: 'g' }, ...more });

const patientWithIdentifier = (n: number): JsonObject => ({
  resource: { resourceType: 'Patient', id: `p${n}`, identifier: [{ value: 'x' }] },
});

const childOf = (n: number): JsonObject => ({
  resource: {
    resourceType: 'Patient',
    id: `c${n}`,
    meta: { profile: ['Patient-child-vr'] },
    _birthDate: {
      extension: [
        {
          url: 'http://hl7.org/fhir/StructureDefinition/patient-birthTime',
          valueDateTime: '2026-03-12T04:31:00-05:00',
        },
      ],
    },
  },
});

const transfer = {
  resource: {
    resourceType: 'Encounter',
    hospitalization: { admitSource: { coding: [{ code: TRANSFERRED_IN }] } },
  },
};

const placeOfTransfer = JSON.stringify({
  resource: {
    resourceType: 'Location',
    type: [{ coding: [{ code: LOCATION_ROLES.transferFrom }] }],
  },
});

/** The Encounter of the birth. @param participants a list */
const attendedBy = (participants: string): string =>
  entryOf(
    withList(
      {
        resourceType: 'Encounter',
        meta: { profile: ['Encounter-birth'] },
        location: [{ location: { reference: 'Location/place' } }],
      },
      'participant',
      participants,
    ),
  );

/** An entry that stays the newest by its version, because its time is none. */
const heldVersion = (fraction: string): string =>
  JSON.stringify({
    fullUrl: 'urn:x',
    resource: {
      resourceType: 'Basic',
      meta: { versionId: '9', lastUpdated: `2026-03-12T04:31:00.${fraction}Z` },
    },
  });

const oldVersion = (): JsonObject => ({
  fullUrl: 'urn:x',
  resource: {
    resourceType: 'Basic',
    meta: { versionId: '1', lastUpdated: '2026-03-12T04:31:00Z' },
  },
});

/** Text of so many objects, each the only extension of the one around it. */
const nested = (levels: number): string =>
  `${'{"extension":['.repeat(levels)}{"url":"x"}${']}'.repeat(levels)}`;

/** A list of the same small value as often as a body may hold it. */
const emptyValues = (value: string): string =>
  Array.from({ length: VALUES / 2 }, () => value).join(',');

const batchOf = (entries: string): string =>
  `{"resourceType":"Bundle","type":"collection","entry":[${entries}]}`;

/** A course that gzip makes very small. */
const packed = (n: number): Buffer => {
  const texts = fill(GZIP_BYTES, () => ({ resource: { resourceType: 'Basic' } }));
  return gzipSync(courseWith(n, texts));
};

const half = COURSE_BYTES / 2;

/** Every shape of a push that has cost much, each as large as the limits allow. */
export const HOSTILE_BUNDLES: readonly HostileBundle[] = [
  {
    name: 'references by the identifier of many Patients',
    bodyOf: (n) =>
      courseWith(
        n,
        fill(half, patientWithIdentifier),
        fill(half, () => ({ resource: weight({ subject: { identifier: { value: 'x' } } }) })),
      ),
  },
  {
    name: 'the same references in one focus',
    bodyOf: (n) =>
      courseWith(
        n,
        fill(half, patientWithIdentifier),
        entryOf(
          withList(
            weight({ subject: { reference: 'Patient/mother' } }),
            'focus',
            fill(half, () => ({ identifier: { value: 'x' } })),
          ),
        ),
      ),
  },
  {
    name: 'stays × children with a time of birth',
    bodyOf: (n) =>
      courseOfEncounter(
        n,
        fill(half, childOf),
        entryOf(
          withList(
            {
              resourceType: 'Encounter',
              id: 'stay',
              meta: { profile: ['Encounter-birth'] },
              subject: { reference: 'Patient/child-1' },
            },
            'location',
            fill(half, () => ({
              location: { reference: 'Location/place' },
              period: { start: '2026-03-12T06:00:00-05:00' },
            })),
          ),
        ),
      ),
  },
  {
    name: 'entries of one id with different profiles',
    bodyOf: (n) =>
      courseWith(
        n,
        entryOf(
          `{"resourceType":"Basic","id":"x","meta":{"profile":[${fill(half, (i) => `p${i}`)}]}}`,
        ),
        fill(half, (i) => ({
          resource: { resourceType: 'Basic', id: 'x', meta: { profile: [`q${i}`] } },
        })),
      ),
  },
  {
    name: 'old versions of an entry with a long lastUpdated',
    bodyOf: (n) => courseWith(n, heldVersion('9'.repeat(half)), fill(half, oldVersion)),
  },
  {
    name: 'old versions of an entry with an invisible lastUpdated',
    bodyOf: (n) => courseWith(n, heldVersion('\u200b'.repeat(half / 3)), fill(half, oldVersion)),
  },
  {
    name: 'transfers without a facility',
    bodyOf: (n) =>
      courseWith(
        n,
        placeOfTransfer,
        fill(COURSE_BYTES, () => transfer),
      ),
  },
  {
    name: 'contained persons × focus',
    bodyOf: (n) => {
      const persons = fill(half, (i) => ({ resourceType: 'Patient', id: `k${i}` }));
      const observed = withList(
        weight({ subject: { reference: 'Patient/mother' } }),
        'contained',
        persons,
      );
      const focus = fill(half, (i) => ({ reference: `#k${i}` }));
      return courseWith(n, entryOf(`${observed.slice(0, -1)},"focus":[${focus}]}`));
    },
  },
  {
    name: 'relative references beside a long fullUrl',
    bodyOf: (n) => {
      const base = `https://ehr.example/${'a'.repeat(COURSE_BYTES / 5)}`;
      const observed = withList(
        weight({ id: 'o', subject: { reference: 'Patient/mother' } }),
        'focus',
        fill(half, (i) => ({ reference: `Patient/${i}` })),
      );
      return courseWith(n, `{"fullUrl":"${base}/Observation/o","resource":${observed}}`);
    },
  },
  {
    name: 'DELETE entries',
    bodyOf: (n) =>
      courseWith(
        n,
        fill(COURSE_BYTES, (i) => ({ request: { method: 'DELETE', url: `Patient/${i}` } })),
      ),
  },
  {
    name: 'components',
    bodyOf: (n) =>
      courseWith(
        n,
        entryOf(
          withList(
            weight({}),
            'component',
            fill(COURSE_BYTES, (i) => ({
              code: { coding: [{ system: 'http://loinc.org', code: `8339-${i}` }] },
              valueInteger: 1,
            })),
          ),
        ),
      ),
  },
  {
    name: 'codings',
    bodyOf: (n) => {
      const codings = fill(COURSE_BYTES, (i) => ({ system: 'http://loinc.org', code: `${i}` }));
      return courseWith(
        n,
        entryOf(
          `{"resourceType":"Observation","subject":{"reference":"Patient/child-1"},"code":{"coding":[${codings}]},"valueInteger":1}`,
        ),
      );
    },
  },
  {
    name: 'nested extensions',
    bodyOf: (n) => {
      const deep = nested(LEVELS / 2);
      const count = Math.floor(COURSE_BYTES / (deep.length + 1));
      const list = Array.from({ length: count }, () => deep).join(',');
      const patient = { resourceType: 'Patient', meta: { profile: ['Patient-child-vr'] } };
      return courseWith(n, entryOf(withList(patient, 'extension', list)));
    },
  },
  {
    name: 'qualifications of a provider',
    isOfPartner: true,
    bodyOf: (n) =>
      courseWith(
        n,
        entryOf(
          withList(
            { resourceType: 'Practitioner', id: 'q', name: [{ family: 'Marin' }] },
            'qualification',
            fill(COURSE_BYTES, (i) => ({ code: { text: `M${i}` } })),
          ),
        ),
      ),
  },
  {
    name: 'many providers',
    isOfPartner: true,
    bodyOf: (n) =>
      courseOfEncounter(
        n,
        fill(half, (i) => ({
          resource: {
            resourceType: 'Practitioner',
            id: `q${i}`,
            identifier: [{ value: `i${i}` }],
            name: [{ family: 'Marin' }],
          },
        })),
        attendedBy(fill(half, (i) => ({ individual: { reference: `Practitioner/q${i}` } }))),
      ),
  },
  {
    name: 'participations of a provider with many qualifications',
    isOfPartner: true,
    bodyOf: (n) =>
      courseOfEncounter(
        n,
        attendedBy(fill(half, () => ({ individual: { reference: 'Practitioner/q' } }))),
        entryOf(
          withList(
            { resourceType: 'Practitioner', id: 'q' },
            'qualification',
            fill(half, (i) => ({ code: { text: `M${i}` } })),
          ),
        ),
      ),
  },
  {
    name: 'transfers from a place with a long name',
    bodyOf: (n) =>
      courseWith(
        n,
        JSON.stringify({
          resource: { resourceType: 'Location', id: 't', name: 'a\u200b'.repeat(half / 4) },
        }),
        fill(half, () => ({
          resource: {
            ...transfer.resource,
            hospitalization: {
              ...transfer.resource.hospitalization,
              origin: { reference: 'Location/t' },
            },
          },
        })),
      ),
  },
  {
    name: 'names of invisible characters',
    bodyOf: (n) => {
      const given = 'a\u200b\u00ad'.repeat(COURSE_BYTES / 6);
      const name = [{ family: 'Marin', given: [given] }];
      return courseWith(
        n,
        JSON.stringify({
          resource: {
            resourceType: 'Patient',
            id: 'named',
            meta: { profile: ['Patient-child-vr'] },
            name,
          },
        }),
      );
    },
  },
  {
    name: 'one course of the guide’s Observations',
    bodyOf: (n) => {
      const example = completeBodies(PREFIX)(n);
      const entries = (JSON.parse(example) as { entry: JsonObject[] }).entry;
      const more = fill(COURSE_BYTES - Buffer.byteLength(example), (i) => {
        const entry = entries[i % entries.length] ?? {};
        const resource = entry['resource'] as JsonObject;
        return { resource: { ...resource, id: `more-${i}` } };
      });
      const from = example.lastIndexOf(']}');
      return `${example.slice(0, from)},${more}${example.slice(from)}`;
    },
  },
  { name: 'a batch of 1,000 wide courses', bodyOf: (n) => wideBatchOf(PREFIX, n) },
  {
    name: 'a single document of the size of a body',
    bodyOf: (n) =>
      courseWith(
        n,
        fill(BODY_BYTES, () => ({ resource: weight({}) })),
      ),
  },
  {
    name: 'more courses than a batch may hold',
    bodyOf: () => batchOf(fill(BODY_BYTES, () => ({ resource: { resourceType: 'Bundle' } }))),
  },
  {
    name: 'a single document nested to the limit',
    bodyOf: (n) => {
      const deep = entryOf(nested(LEVELS / 2));
      const count = Math.min(BODY_BYTES / (deep.length + 1), VALUES / (LEVELS + 3));
      return courseWith(n, Array.from({ length: Math.floor(count) }, () => deep).join(','));
    },
  },
  { name: 'entries of empty arrays', bodyOf: () => batchOf(emptyValues('[]')) },
  { name: 'entries of empty objects', bodyOf: () => batchOf(emptyValues('{}')) },
  {
    name: 'empty arrays within a course',
    bodyOf: (n) =>
      courseWith(n, entryOf(withList({ resourceType: 'Basic' }, 'extension', emptyValues('[]')))),
  },
  {
    name: 'packed courses at once',
    atOnce: sized(30, 4),
    bodyOf: packed,
  },
  {
    name: 'full batches at once',
    atOnce: sized(20, 3),
    bodyOf: (n) => fullBatchOf(PREFIX, n),
  },
];
