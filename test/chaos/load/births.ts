import { exampleRetraction } from '../../../api/openapi/example-bundles.ts';
import type { JsonObject } from '../../../domain/fhir/json.ts';
import type { Random } from '../../../scripts/synthesis/random.ts';
import { smallBodies } from '../../harness/push-bodies.ts';

/** What matters of a birth here. */
export interface Birth {
  readonly chart: string;
  /** Tells one family from another, so that none looks like another's duplicate. */
  readonly n: number;
  /** Grows with each version: a later one is never stale. */
  readonly version: number;
  /** NPI of the attendant, if the Bundle names one. */
  readonly npi: string | null;
}

type SmallBundle = {
  meta: { lastUpdated: string };
  identifier: { value: string };
  entry: { resource: Record<string, unknown> }[];
};

const bodyOf = smallBodies('');
const FIRST_STAMP = Date.parse('2026-03-14T10:00:00Z');
const MS_BETWEEN_VERSIONS = 60_000;

/** A partner's practitioner is known by its id. */
const attendantIdOf = (npi: string): string => `attendant-${npi}`;

const stampOf = (version: number): string =>
  new Date(FIRST_STAMP + version * MS_BETWEEN_VERSIONS).toISOString();

/** A Bundle that records or amends a birth. */
export const bundleOf = ({ chart, n, version, npi }: Birth): JsonObject => {
  const bundle = JSON.parse(bodyOf(n)) as SmallBundle;
  bundle.meta.lastUpdated = stampOf(version);
  bundle.identifier.value = chart;
  if (npi === null) return bundle;
  const encounter = bundle.entry.find(({ resource }) => resource['resourceType'] === 'Encounter');
  Object.assign(encounter?.resource ?? {}, {
    participant: [
      {
        type: [{ coding: [{ code: 'ATND' }] }],
        individual: { reference: `Practitioner/${attendantIdOf(npi)}` },
      },
    ],
  });
  bundle.entry.push({
    resource: {
      resourceType: 'Practitioner',
      id: attendantIdOf(npi),
      identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: npi }],
      name: [{ family: `Attendant${npi}`, given: ['Ada'] }],
    },
  });
  return bundle;
};

/** A Bundle that retracts a birth. */
export const retractionOf = ({ chart, version }: Birth): JsonObject =>
  exampleRetraction(chart, stampOf(version));

/** Attendants: few, so that each has many births and they can be merged. */
const NPIS = ['1234567893', '1245319599', '1003000126', '1588667638', '1679576722'] as const;
const ATTENDED = 0.3;

/** The attendant of the next birth. */
export const attendantOf = (random: Random): string | null =>
  random.chance(ATTENDED) ? random.pick(NPIS) : null;
