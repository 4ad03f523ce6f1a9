import { normaliseInstant } from '../course-of-care/stamps.ts';
import { type JsonObject, objectIn } from '../fhir/json.ts';

/** The Bundle's staleness stamp: `meta.lastUpdated`, else (missing or unparseable) `timestamp`. */
export const stampOf = (bundle: JsonObject): string | null =>
  normaliseInstant(objectIn(bundle['meta'])['lastUpdated']) ??
  normaliseInstant(bundle['timestamp']);
