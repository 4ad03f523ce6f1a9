import type { JsonObject } from '../../domain/fhir/json.ts';
import type { ProviderIdentity } from './practice.ts';
import { type Report, SENDER } from './report.ts';

/** The key of a provider's Practitioner. */
export const providerKey = ({ id }: ProviderIdentity): string => id;

/** Every provider that a partner's report names, once each, with the partner's own ids. */
export const practitionerEntries = (report: Report): readonly JsonObject[] => {
  const { attendant, certifier, doula } = report.story;
  const named = [attendant, certifier, ...(doula === null ? [] : [doula])];
  const distinct = new Map(named.map((who) => [who.id, who]));
  return [...distinct.values()].map((who) =>
    report.entry('Practitioner', providerKey(who), practitioner(who)),
  );
};

const practitioner = (who: ProviderIdentity): JsonObject => ({
  identifier: [
    ...(who.npi === null ? [] : [{ system: 'http://hl7.org/fhir/sid/us-npi', value: who.npi }]),
    { system: `${SENDER}/sid/provider`, value: who.id },
  ],
  name: [
    {
      family: who.family,
      given: [who.given],
      ...(who.suffix === null ? {} : { suffix: [who.suffix] }),
    },
  ],
  qualification: [{ code: { text: who.qualification } }],
});
