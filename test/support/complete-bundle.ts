import { isObject, type JsonObject } from '../../domain/fhir/json.ts';
import { buildSingleBundles } from '../../scripts/synthesis/written-submissions.ts';

/**
 * A synthetic birth with every element that the guide has, about 200 KB: the son of Angelita
 * Gamboa, chart number C-25-1. The same each time, and a copy of its own.
 */
export const buildCompleteBundle = (): JsonObject => {
  const plan = {
    courses: 1,
    seed: '518',
    lane: 'native',
    year: 2025,
    until: null,
    practicePrefix: 'C',
    elements: 'all',
  } as const;
  const [bundle] = [...buildSingleBundles(plan)].map((written) => JSON.stringify(written.bundle));
  return JSON.parse(bundle ?? '');
};

/** A copy without the narratives, which make up much of a Bundle: nothing reads them. */
export const removeNarratives = (bundle: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(bundle), (key, value) =>
    key === 'text' && isObject(value) ? undefined : value,
  );
