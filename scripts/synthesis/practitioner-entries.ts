import type { JsonObject } from '../../domain/fhir/json.ts';
import type { ProviderIdentity, ProviderKind } from './practice.ts';
import { BFDR, COMMON, type Report, SENDER, SNOMED, TERMINOLOGY } from './report.ts';

const OSTEOPATH: JsonObject = { system: SNOMED, code: '76231001', display: 'Osteopath' };
const OTHER: JsonObject = { system: `${TERMINOLOGY}/v3-NullFlavor`, code: 'OTH', display: 'Other' };

/** Key of a provider's Practitioner. */
export const providerKey = ({ id }: ProviderIdentity): string => id;

/** Providers named in a partner's report, without repetition, with the partner's own ids. */
export const practitionerEntries = (report: Report): readonly JsonObject[] => {
  const { attendant, certifier, doula } = report.story;
  const named = [attendant, certifier, ...(doula === null ? [] : [doula])];
  const distinct = new Map(named.map((who) => [who.id, who]));
  return [...distinct.values()].map((who) =>
    report.entry('Practitioner', providerKey(who), practitioner(who, partsOf(who, report))),
  );
};

/** Parts of a birth that have a profile in the guide; a doula has none. */
const PARTS = ['attendant', 'certifier'] as const;
type Part = (typeof PARTS)[number];

const partsOf = ({ id }: ProviderIdentity, { story }: Report): readonly Part[] =>
  PARTS.filter((part) => story[part].id === id);

/** Titles from the guide; the text next to them names the profession. */
const TITLES: Readonly<Record<ProviderKind, JsonObject>> = {
  physician: { system: SNOMED, code: '309343006', display: 'Medical Doctor' },
  'nurse-midwife': {
    system: SNOMED,
    code: '445521000124102',
    display: 'Advanced Practice Midwife',
  },
  midwife: { system: SNOMED, code: '445531000124104', display: 'Lay Midwife' },
  nurse: OTHER,
  doula: OTHER,
};

const titleOf = ({ kind, suffix }: ProviderIdentity): JsonObject =>
  suffix === 'DO' ? OSTEOPATH : TITLES[kind];

const practitioner = (who: ProviderIdentity, parts: readonly Part[]): JsonObject => ({
  ...(parts.length === 0
    ? { meta: { profile: [`${COMMON}/Practitioner-vr`] } }
    : {
        meta: { profile: parts.map((part) => `${BFDR}/Practitioner-birth-${part}`) },
        extension: parts.map((part) => ({
          url: `${BFDR}/practitioner-role-birth-${part}`,
          valueCode: part,
        })),
      }),
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
  qualification: [{ code: { coding: [titleOf(who)], text: who.qualification } }],
});
