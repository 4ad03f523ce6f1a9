import type { JsonObject } from '../../domain/fhir/json.ts';
import type { ConsentFacts } from './birth-story.ts';
import { utcText, zonedText } from './calendar.ts';
import { encounterEntries } from './encounter-entries.ts';
import { observationEntries } from './observation-entries.ts';
import { patientEntries } from './patient-entries.ts';
import { practitionerEntries, providerKey } from './practitioner-entries.ts';
import { BFDR, childKey, concept, LOINC, type Report, TERMINOLOGY, US_CORE } from './report.ts';

const IG_VERSION = '2.0.0';

/** Differences between the kinds of report. */
interface Kind {
  readonly bundle: string;
  readonly composition: string;
  readonly type: JsonObject;
  readonly title: string;
  readonly encounter: string;
  /** Code of the section about the children. */
  readonly ofChildren: JsonObject;
}

const LIVE_BIRTH: Kind = {
  bundle: 'Bundle-document-birth-report',
  composition: 'Composition-provider-live-birth-report',
  type: concept(LOINC, '68998-4', 'U.S. standard certificate of live birth - 2003 revision'),
  title: 'Provider supplied live birth report',
  encounter: 'birth-1',
  ofChildren: {
    title: 'Newborn information',
    code: concept(LOINC, '57075-4', 'Newborn delivery information'),
  },
};
const FETAL_DEATH: Kind = {
  bundle: 'Bundle-document-fetal-death-report',
  composition: 'Composition-jurisdiction-fetal-death-report',
  type: concept(LOINC, '92010-8', 'Jurisdiction fetal death report Document'),
  title: 'Fetal death report',
  encounter: 'maternity',
  ofChildren: {
    title: 'Fetus information',
    code: concept(LOINC, '76400-1', 'Fetal death information'),
  },
};

const PRENATAL = {
  title: 'Mother’s prenatal information',
  code: concept(LOINC, '57073-9', 'Prenatal records'),
};
const ADMINISTRATIVE = {
  title: 'Mother’s administrative information',
  code: concept(LOINC, '92014-0', "Mother's administrative information"),
};

/**
 * Builds a report as a BFDR document Bundle.
 * @param status status of its Composition
 */
export const birthBundle = (
  report: Report,
  status: 'final' | 'amended' | 'entered-in-error',
): JsonObject => {
  const isFetal = report.story.children.some(({ stillborn }) => stillborn);
  const kind = isFetal ? FETAL_DEATH : LIVE_BIRTH;
  const observations = observationEntries(report);
  const consent = consentEntry(report);
  return {
    resourceType: 'Bundle',
    meta: {
      lastUpdated: utcText(report.stamp),
      profile: [`${BFDR}/${kind.bundle}|${IG_VERSION}`],
    },
    identifier: chartNumberOf(report),
    type: 'document',
    timestamp: utcText(report.stamp),
    entry: [
      report.entry(
        'Composition',
        'composition',
        composition(report, status, kind, observations, consent),
      ),
      ...patientEntries(report),
      ...observations,
      ...encounterEntries(report),
      ...(report.lane === 'partner' ? practitionerEntries(report) : []),
      ...(isFetal ? [hospitalEntry(report)] : []),
      ...consent,
    ],
  };
};

/** Builds a Bundle that retracts a report by deleting its document. */
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

// The only system in the guide for chart numbers.
const FILE_NUMBERS = 'http://hl7.org/fhir/us/vr-common-library/CodeSystem/codesystem-ije-vr';

const chartNumberOf = ({ story }: Report): JsonObject => ({
  system: FILE_NUMBERS,
  value: story.chartNumber,
});

const composition = (
  report: Report,
  status: string,
  kind: Kind,
  observations: readonly JsonObject[],
  consent: readonly JsonObject[],
): JsonObject => {
  const { story, practice, stamp, to, lane } = report;
  const made = zonedText(stamp, practice.region.zone);
  const certifier = to('Practitioner', providerKey(story.certifier));
  const mother = to('Patient', 'mother');
  const ofMother = observations.filter((entry) => isAbout(entry, mother));
  const ofChildren = observations.filter((entry) => !isAbout(entry, mother));
  return {
    meta: { profile: [`${BFDR}/${kind.composition}`] },
    status,
    type: kind.type,
    subject: to('Patient', childKey(1)),
    encounter: to('Encounter', kind.encounter),
    date: made,
    author: [authorOf(report, kind)],
    ...(lane === 'partner' ? { attester: [{ mode: 'legal', time: made, party: certifier }] } : {}),
    title: kind.title,
    section: [
      { ...PRENATAL, focus: mother, entry: ofMother.map(referenceTo) },
      { ...kind.ofChildren, entry: ofChildren.map(referenceTo) },
      ...(consent.length === 0
        ? []
        : [{ ...ADMINISTRATIVE, focus: mother, entry: consent.map(referenceTo) }]),
    ],
  };
};

// The author of a live birth report is a person, and only partners name one.
const authorOf = ({ story, practice, lane, to }: Report, kind: Kind): JsonObject => {
  if (kind === FETAL_DEATH) return to('Organization', HOSPITAL);
  return lane === 'partner'
    ? to('Practitioner', providerKey(story.certifier))
    : { display: practice.hospital };
};

const HOSPITAL = 'hospital';
const hospitalEntry = ({ practice, entry }: Report): JsonObject =>
  entry('Organization', HOSPITAL, {
    meta: { profile: [`${US_CORE}/us-core-organization`] },
    active: true,
    name: practice.hospital,
  });

type Resource = {
  readonly resourceType?: unknown;
  readonly id?: unknown;
  readonly subject?: JsonObject;
};

// `Report.entry` always adds a resource.
const resourceOf = (entry: JsonObject): Resource => entry['resource'] as Resource;

const referenceTo = (entry: JsonObject): JsonObject => {
  const fullUrl = String(entry['fullUrl']);
  const { resourceType, id } = resourceOf(entry);
  return { reference: fullUrl.startsWith('urn:') ? fullUrl : `${resourceType}/${id}` };
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

/** The mother's decision about her data; empty if she was not asked. */
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
