import type { JsonObject } from '../fhir/json.ts';
import { isVersion, profilesOf } from '../fhir/profiles.ts';

/**
 * The declared version of the implementation guide: the first `|x.y.z` suffix of the Bundle's
 * profiles. A suffix that looks like no version is dropped.
 * @see spec "Versioning"
 */
export const igVersionOf = (bundle: JsonObject): string | null => {
  for (const profile of profilesOf(bundle)) {
    const bar = profile.indexOf('|');
    const version = bar < 0 ? '' : profile.slice(bar + 1).trim();
    if (isVersion(version)) return version;
  }
  return null;
};
