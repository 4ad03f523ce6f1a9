import { exampleBatch, exampleObservation } from '../../api/openapi/example-bundles.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import type { Rejection } from '../../domain/course/rejections.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import { type MappedCourse, mapCourse } from '../../domain/mapping/bfdr/course-mapper.ts';
import type { Lane } from '../../domain/mapping/bfdr/place-of-birth.ts';

/** One child of a synthetic birth; a null leaves the element out. */
export type ChildParts = {
  readonly id?: string;
  readonly family?: string | null;
  readonly given?: readonly string[];
  readonly birthDate?: string | null;
  readonly birthTime?: string | null;
  readonly gender?: string | null;
  readonly order?: number | null;
  readonly profile?: string;
  /** A valueQuantity, or grams, or null for no Observation. */
  readonly weight?: number | JsonObject | null;
  readonly weeks?: number | null;
  readonly apgarFive?: number | null;
};

/** What makes up a synthetic birth; a null leaves the element out. */
export type BirthParts = {
  readonly chartNumber?: string | null;
  readonly lastUpdated?: string | null;
  readonly timestamp?: string | null;
  readonly profile?: string;
  readonly mother?: {
    readonly family?: string | null;
    readonly given?: readonly string[];
    readonly birthDate?: string | null;
    readonly profile?: string;
  } | null;
  readonly children?: readonly ChildParts[];
  /** The Location.type code; null for a Location without type. */
  readonly place?: string | null;
  readonly placeSystem?: string;
  readonly location?: JsonObject;
  /** What the Encounter's location states besides its reference. */
  readonly stay?: JsonObject;
  readonly encounter?: JsonObject | null;
  readonly composition?: JsonObject | null;
  /** More resources, after the others. */
  readonly more?: readonly JsonObject[];
};

const BFDR = 'http://hl7.org/fhir/us/bfdr/StructureDefinition';
const COMMON = 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition';

/**
 * A small valid Bundle of one synthetic birth: Rosa Marin's child, 3,400 g, 39 weeks, in a
 * hospital, chart number MRN-1001. Every part can be replaced.
 */
export const birthBundle = (parts: BirthParts = {}): JsonObject => {
  const children = parts.children ?? [{}];
  const resources = [
    ...(parts.composition === undefined || parts.composition === null
      ? []
      : [
          { resourceType: 'Composition', id: 'composition', status: 'final', ...parts.composition },
        ]),
    ...motherOf(parts.mother),
    ...children.map((child, index) => childOf(child, childId(child, index))),
    ...(parts.encounter === null ? [] : [encounterOf(parts, childId(children[0] ?? {}, 0))]),
    locationOf(parts),
    ...children.flatMap((child, index) => observationsOf(child, childId(child, index))),
    ...(parts.more ?? []),
  ];
  return {
    resourceType: 'Bundle',
    type: 'document',
    meta: {
      ...unlessNull('lastUpdated', parts.lastUpdated, '2026-03-14T10:00:00Z'),
      profile: [parts.profile ?? `${BFDR}/Bundle-document-birth-report|2.0.0`],
    },
    ...(parts.chartNumber === null
      ? {}
      : { identifier: { value: parts.chartNumber ?? 'MRN-1001' } }),
    ...(typeof parts.timestamp === 'string' ? { timestamp: parts.timestamp } : {}),
    entry: resources.map(entryOf),
  };
};

/** A Bundle whose entries are Bundles: batch mode. */
export const batchOf = exampleBatch;

/** An Observation of a LOINC code about a resource of the Bundle. */
export const observation = exampleObservation;

/** A retraction by Composition status, without the course of care. */
export const retractionBundle = (chartNumber: string | null, lastUpdated?: string): JsonObject => ({
  resourceType: 'Bundle',
  type: 'document',
  ...(lastUpdated === undefined ? {} : { meta: { lastUpdated } }),
  ...(chartNumber === null ? {} : { identifier: { value: chartNumber } }),
  entry: [{ resource: { resourceType: 'Composition', status: 'entered-in-error' } }],
});

/** Maps a Bundle as the first and only course of care of a submission. */
export const mapBundle = (
  bundle: JsonObject,
  lane: Lane = 'native',
  registryCodeSystems: readonly string[] = [],
): MappedCourse =>
  mapCourse({ position: 0, bundle, retractedByEntry: false }, lane, registryCodeSystems);

/** The course of care of a Bundle that has to be accepted. */
export const courseOf = (bundle: JsonObject, lane: Lane = 'native'): CourseOfCare => {
  const mapped = mapBundle(bundle, lane);
  if (mapped.kind !== 'course') throw new Error(`${mapped.kind}, not a course of care`);
  return mapped.course;
};

/** The reasons against a Bundle; none when it is accepted or retracts. */
export const rejectionsOf = (bundle: JsonObject, lane: Lane = 'native'): readonly Rejection[] => {
  const mapped = mapBundle(bundle, lane);
  return mapped.kind === 'rejected' ? mapped.rejections : [];
};

const unlessNull = (name: string, value: string | null | undefined, usual: string): JsonObject =>
  value === null ? {} : { [name]: value ?? usual };

const childId = (child: ChildParts, index: number): string => child.id ?? `child-${index + 1}`;

const entryOf = (resource: JsonObject): JsonObject =>
  resource['resourceType'] === 'Patient'
    ? { fullUrl: `http://example.org/fhir/Patient/${String(resource['id'])}`, resource }
    : { resource };

const motherOf = (mother: BirthParts['mother']): readonly JsonObject[] =>
  mother === null
    ? []
    : [
        {
          resourceType: 'Patient',
          id: 'mother',
          meta: { profile: [mother?.profile ?? `${COMMON}/Patient-mother-vr`] },
          name: [
            {
              use: 'official',
              ...unlessNull('family', mother?.family, 'Marin'),
              given: mother?.given ?? ['Rosa', 'Elena'],
            },
          ],
          ...unlessNull('birthDate', mother?.birthDate, '1994-06-02'),
        },
      ];

const childOf = (child: ChildParts, id: string): JsonObject => ({
  resourceType: 'Patient',
  id,
  meta: { profile: [child.profile ?? `${COMMON}/Patient-child-vr`] },
  name: [{ ...unlessNull('family', child.family, 'Marin'), given: child.given ?? ['Luz'] }],
  ...unlessNull('gender', child.gender, 'female'),
  ...unlessNull('birthDate', child.birthDate, '2026-03-12'),
  ...(child.birthTime === null
    ? {}
    : {
        _birthDate: {
          extension: [
            {
              url: 'http://hl7.org/fhir/StructureDefinition/patient-birthTime',
              valueDateTime: child.birthTime ?? '2026-03-12T04:31:00-05:00',
            },
          ],
        },
      }),
  ...(typeof child.order === 'number' ? { multipleBirthInteger: child.order } : {}),
});

const encounterOf = (parts: BirthParts, child: string): JsonObject => ({
  resourceType: 'Encounter',
  id: 'birth',
  meta: { profile: [`${BFDR}/Encounter-birth`] },
  subject: { reference: `Patient/${child}` },
  location: [{ location: { reference: 'Location/place' }, ...parts.stay }],
  ...parts.encounter,
});

const locationOf = (parts: BirthParts): JsonObject => ({
  resourceType: 'Location',
  id: 'place',
  ...(parts.place === null
    ? {}
    : {
        type: [
          {
            coding: [
              {
                system: parts.placeSystem ?? 'http://snomed.info/sct',
                code: parts.place ?? '22232009',
              },
            ],
          },
        ],
      }),
  ...parts.location,
});

const observationsOf = (child: ChildParts, id: string): readonly JsonObject[] => {
  const subject = `Patient/${id}`;
  const { weight = 3400, weeks = 39, apgarFive = 9 } = child;
  const quantity = typeof weight === 'number' ? { value: weight, unit: 'g', code: 'g' } : weight;
  return [
    ...(quantity === null ? [] : [observation('8339-4', { valueQuantity: quantity }, subject)]),
    ...(weeks === null
      ? []
      : [observation('11884-4', { valueQuantity: { value: weeks, code: 'wk' } }, subject)]),
    ...(apgarFive === null ? [] : [observation('9274-2', { valueInteger: apgarFive }, subject)]),
  ];
};

/**
 * Twins of March 12, 2026 whose mother has a long name with diacritics, chart number AV-2026-0417.
 * @param weight of the first, in grams
 */
export const twinsBundle = (weight: number, lastUpdated: string): JsonObject =>
  birthBundle({
    chartNumber: 'AV-2026-0417',
    mother: { family: 'Åström-Villanueva de la Cruz', given: ['María José', 'Guadalupe'] },
    lastUpdated,
    children: [
      {
        family: 'Åström',
        given: ['Ümit'],
        order: 1,
        weight,
        weeks: 36,
        gender: 'male',
        birthTime: '2026-03-12T04:31:00-05:00',
      },
      {
        family: 'Åström',
        given: ['Zoë'],
        order: 2,
        weight: 2_310,
        weeks: 36,
        birthTime: '2026-03-12T04:52:00-05:00',
      },
    ],
  });
