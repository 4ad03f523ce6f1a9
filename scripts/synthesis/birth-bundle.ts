import type { JsonObject } from '../../domain/fhir/json.ts';
import type { ConsentFacts } from './birth-story.ts';
import { utcText, zonedText } from './calendar.ts';
import { encounterEntries } from './encounter-entries.ts';
import { observationEntries } from './observation-entries.ts';
import { patientEntries } from './patient-entries.ts';
import { practitionerEntries, providerKey } from './practitioner-entries.ts';
import { BFDR, childKey, concept, LOINC, type Report, SENDER, TERMINOLOGY } from './report.ts';

const IG_VERSION = '2.0.0';
/** A report as a BFDR document Bundle. `status` is that of its Composition. */
export const birthBundle = (
  report: Report,
  status: 'final' | 'amended' | 'entered-in-error',
): JsonObject => {
  const isFetal = report.story.children.some(({ stillborn }) => stillborn);
  const observations = observationEntries(report);
  const kind = isFetal ? 'fetal-death' : 'birth';
  return {
    resourceType: 'Bundle',
    meta: {
      lastUpdated: utcText(report.stamp),
      profile: [`${BFDR}/Bundle-document-${kind}-report|${IG_VERSION}`],
    },
    identifier: chartNumberOf(report),
    type: 'document',
    timestamp: utcText(report.stamp),
    entry: [
      report.entry(
        'Composition',
        'composition',
        composition(report, status, isFetal, observations),
      ),
      ...patientEntries(report),
      ...observations,
      ...encounterEntries(report),
      ...(report.lane === 'partner' ? practitionerEntries(report) : []),
      ...consentEntry(report),
    ],
  };
};

/** A Bundle that takes a report back by deleting its document. */
export const deletingBundle = (report: Report): JsonObject => {
  const { id } = resourceOf(report.entry('Composition', 'composition', {}));
  return {
    resourceType: 'Bundle',
    meta: { lastUpdated: utcText(report.stamp) },
    identifier: chartNumberOf(report),
    type: 'transaction',
    timestamp: utcText(report.stamp),
    entry: [{ request: { method: 'DELETE', url: `Composition/${String(id)}` } }],
  };
};

const chartNumberOf = ({ story }: Report): JsonObject => ({
  system: `${SENDER}/sid/chart-number`,
  value: story.chartNumber,
});

const composition = (
  report: Report,
  status: string,
  isFetal: boolean,
  observations: readonly JsonObject[],
): JsonObject => {
  const { story, practice, stamp, to, lane } = report;
  const made = zonedText(stamp, practice.region.zone);
  const certifier = to('Practitioner', providerKey(story.certifier));
  const mother = to('Patient', 'mother');
  const ofMother = observations.filter((entry) => isAbout(entry, mother));
  const ofChildren = observations.filter((entry) => !isAbout(entry, mother));
  return {
    meta: {
      profile: [
        `${BFDR}/Composition-${isFetal ? 'jurisdiction-fetal-death' : 'provider-live-birth'}-report`,
      ],
    },
    status,
    type: isFetal
      ? concept(LOINC, '92010-8', 'Jurisdiction fetal death report Document')
      : concept(LOINC, '68998-4', 'U.S. standard certificate of live birth - 2003 revision'),
    subject: to('Patient', childKey(1)),
    encounter: to('Encounter', isFetal ? 'maternity' : 'birth-1'),
    date: made,
    ...(lane === 'partner'
      ? { author: [certifier], attester: [{ mode: 'legal', time: made, party: certifier }] }
      : { author: [{ display: practice.hospital }] }),
    title: isFetal ? 'Fetal death report' : 'Provider supplied live birth report',
    section: [
      {
        title: 'Mother’s prenatal information',
        code: concept(LOINC, '57073-9', 'Prenatal records'),
        entry: ofMother.map(referenceTo),
      },
      {
        title: 'Newborn information',
        code: concept(LOINC, '57075-4', 'Newborn delivery information'),
        entry: ofChildren.map(referenceTo),
      },
    ],
  };
};

type Resource = { readonly id?: unknown; readonly subject?: JsonObject };

// Entries are those of `Report.entry`, which gives every one of them a resource.
const resourceOf = (entry: JsonObject): Resource => entry['resource'] as Resource;

const referenceTo = (entry: JsonObject): JsonObject => {
  const fullUrl = String(entry['fullUrl']);
  return {
    reference: fullUrl.startsWith('urn:') ? fullUrl : `Observation/${String(resourceOf(entry).id)}`,
  };
};

const isAbout = (entry: JsonObject, reference: JsonObject): boolean =>
  resourceOf(entry).subject?.['reference'] === reference['reference'];

const POLICIES = `${TERMINOLOGY}/v3-ActCode`;
const OPT_IN = { policyRule: concept(POLICIES, 'OPTIN', 'opt-in') };
const OPT_OUT = { policyRule: concept(POLICIES, 'OPTOUT', 'opt-out') };

const DECISIONS: Readonly<Record<Exclude<ConsentFacts, 'none'>, JsonObject>> = {
  granted: { status: 'active', ...OPT_IN, provision: { type: 'permit' } },
  'denied in part': {
    status: 'active',
    ...OPT_IN,
    provision: {
      type: 'permit',
      provision: [
        {
          type: 'deny',
          purpose: [{ system: `${TERMINOLOGY}/v3-ActReason`, code: 'HRESCH' }],
        },
      ],
    },
  },
  proposed: { status: 'proposed', ...OPT_IN },
  rejected: { status: 'rejected', ...OPT_OUT },
};

/** The mother's decision about her data; no entry if she was not asked. */
const consentEntry = (report: Report): readonly JsonObject[] => {
  const { consent, consentAt } = report.story;
  if (consent === 'none') return [];
  return [
    report.entry('Consent', 'consent', {
      scope: concept(`${TERMINOLOGY}/consentscope`, 'patient-privacy', 'Privacy Consent'),
      category: [concept(LOINC, '59284-0', 'Consent Document')],
      patient: report.to('Patient', 'mother'),
      dateTime: zonedText(consentAt, report.practice.region.zone),
      ...DECISIONS[consent],
    }),
  ];
};
