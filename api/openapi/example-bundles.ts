import type { JsonObject } from '../../domain/fhir/json.ts';

export interface ExampleBirth {
  readonly chartNumber?: string;
  readonly lastUpdated?: string;
  readonly mothers?: readonly JsonObject[];
  readonly children?: readonly JsonObject[];
  /** `null` omits the type. */
  readonly place?: string | null;
  readonly more?: readonly JsonObject[];
}

const COMMON = 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition';
const BFDR = 'http://hl7.org/fhir/us/bfdr/StructureDefinition';

export const exampleMother = (given: string, family: string): JsonObject => ({
  resourceType: 'Patient',
  id: `mother-${given.toLowerCase()}`,
  meta: { profile: [`${COMMON}/Patient-mother-vr`] },
  name: [{ use: 'official', family, given: [given] }],
  birthDate: '1994-06-02',
});

/** `order` is the position among the children of the birth. */
export const exampleChild = (order: number): JsonObject => ({
  resourceType: 'Patient',
  id: `child-${order}`,
  meta: { profile: [`${COMMON}/Patient-child-vr`] },
  gender: 'female',
  birthDate: '2026-03-12',
});

export const patientWithoutRole: JsonObject = {
  resourceType: 'Patient',
  id: 'patient',
  name: [{ family: 'Marin', given: ['Rosa'] }],
};

const NOTHING: readonly JsonObject[] = [];

/** By default Rosa Marin's child, born in a hospital, with chart number MRN-1001. */
export const exampleBirth = (parts: ExampleBirth = {}): JsonObject => ({
  resourceType: 'Bundle',
  type: 'document',
  identifier: { value: parts.chartNumber ?? 'MRN-1001' },
  meta: { lastUpdated: parts.lastUpdated ?? '2026-03-14T10:00:00Z' },
  entry: [
    ...(parts.mothers ?? [exampleMother('Rosa', 'Marin')]),
    ...(parts.children ?? [exampleChild(1)]),
    ...buildPlaces(parts),
    ...(parts.more ?? NOTHING),
  ].map((resource) => ({ resource })),
});

const buildPlaces = ({ place = '22232009' }: ExampleBirth): readonly JsonObject[] => [
  {
    resourceType: 'Encounter',
    id: 'birth',
    meta: { profile: [`${BFDR}/Encounter-birth`] },
    location: [{ location: { reference: 'Location/place' } }],
  },
  {
    resourceType: 'Location',
    id: 'place',
    ...(place === null
      ? {}
      : { type: [{ coding: [{ system: 'http://snomed.info/sct', code: place }] }] }),
  },
];

export const exampleObservation = (
  code: string,
  value: JsonObject,
  subject = 'Patient/child-1',
): JsonObject => ({
  resourceType: 'Observation',
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code }] },
  subject: { reference: subject },
  ...value,
});

export const exampleMeasures: readonly JsonObject[] = [
  exampleObservation('8339-4', { valueQuantity: { value: 3400, unit: 'g', code: 'g' } }),
  exampleObservation('9274-2', { valueQuantity: { value: 9, unit: '{score}', code: '{score}' } }),
];

export const exampleBatch = (bundles: readonly JsonObject[]): JsonObject => ({
  resourceType: 'Bundle',
  type: 'collection',
  entry: bundles.map((resource) => ({ resource })),
});

/** Retracts a record by the status of its Composition. */
export const exampleRetraction = (chartNumber: string, lastUpdated: string): JsonObject => ({
  resourceType: 'Bundle',
  type: 'document',
  identifier: { value: chartNumber },
  meta: { lastUpdated },
  entry: [{ resource: { resourceType: 'Composition', status: 'entered-in-error' } }],
});
