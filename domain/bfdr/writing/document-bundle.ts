import { distinctProviders } from '../../course-of-care/attribution.ts';
import type { ConsentDecision, CourseOfCare } from '../../course-of-care/canonical-record.ts';
import type { OffsetAt } from '../../course-of-care/entering/clock-changes.ts';
import type { NamedProvider } from '../../course-of-care/events.ts';
import { LOINC } from '../../fhir/code-systems.ts';
import type { JsonObject } from '../../fhir/json.ts';
import { beginDraft, type Draft } from './draft.ts';
import {
  absent,
  BFDR,
  concept,
  listed,
  ofProfile,
  TERMINOLOGY,
  unlessNull,
  unrecorded,
} from './elements.ts';
import { birthKey, bornAlive, MATERNITY, writtenEncounters } from './written-encounters.ts';
import {
  SECTIONS,
  type Section,
  type SectionEntry,
  writtenObservations,
} from './written-observations.ts';
import { childKey, MOTHER, writtenPatients } from './written-patients.ts';
import { providerIn, providerKey, writtenPractitioners } from './written-practitioners.ts';

/** A stored record as it leaves the registry. */
export interface ExportedRecord {
  /** A UUID; the ids of the resources are made of it. */
  readonly submissionUuid: string;
  readonly status: 'live' | 'voided';
  /** Kind of the key that sent the version: the lane in which the Bundle is read back to the same. */
  readonly keyKind: 'native' | 'partner' | null;
  /** Staleness stamp that the record holds, ISO 8601. */
  readonly stamp: string | null;
  /** When the version was recorded, an ISO 8601 instant. */
  readonly changedAt: string;
  readonly course: CourseOfCare;
  /** Those that the version names; after a merge also the survivor whom attendant or certifier name. */
  readonly providers: readonly NamedProvider[];
}

/**
 * Writes a stored record as a BFDR R4 document Bundle. What is not kept is absent, and nothing is
 * made up. Read again in the lane that the record came by, it gives the same course of care; the
 * Bundle of a voided record retracts. Warnings, marks of origin and the practice's own fields are
 * outside the FHIR lane and stay behind.
 * @param offsetAt of the practice's time zone, for times of birth without an offset; null: it has set none
 * @see spec "What the service does", docs/decisions/2026-11-24-records-leave-as-bundles.md
 */
export const documentBundleOf = (
  record: ExportedRecord,
  offsetAt: OffsetAt | null = null,
): JsonObject => {
  const { course, stamp, changedAt } = record;
  // Merges of before could list one twice.
  const providers = distinctProviders(record.providers);
  const draft = beginDraft(record.submissionUuid);
  const observations = writtenObservations(course, draft);
  return {
    resourceType: 'Bundle',
    meta: {
      lastUpdated: stamp === null ? changedAt : withoutZeros(stamp),
      profile: [profileOf(course)],
    },
    identifier: identifierOf(record),
    type: 'document',
    timestamp: changedAt,
    entry: [
      draft.entry('composition', 'Composition', composition(record, observations, draft)),
      ...writtenPatients(course, draft, {
        reason: record.keyKind === 'partner' ? 'masked' : 'unknown',
        offsetAt,
      }),
      ...observations.map(({ entry }) => entry),
      ...writtenEncounters(course, providers, draft),
      ...writtenPractitioners(course, providers, draft),
      ...consentEntry(course.consent, draft),
    ],
  };
};

const MOST_CHARACTERS = 12;

// The guide fixes the system. A document has to have an identifier: without a chart number it is the beginning of
// the record number, as long as the guide has room for.
const identifierOf = ({
  submissionUuid,
  course: { chart_number },
}: ExportedRecord): JsonObject => ({
  ...(chart_number === null ? { extension: [unrecorded('chart_number')] } : {}),
  system: 'http://hl7.org/fhir/us/vr-common-library/CodeSystem/codesystem-ije-vr',
  value: chart_number ?? submissionUuid.replaceAll('-', '').slice(0, MOST_CHARACTERS),
});

// Stamps are held with nine digits of fraction, which few readers expect.
const withoutZeros = (stamp: string): string => {
  const [whole = '', fraction] = stamp.replace(/Z$/, '').split('.');
  let digits = fraction ?? '';
  while (digits.endsWith('0')) digits = digits.slice(0, -1);
  return fraction === undefined ? stamp : `${whole}${digits === '' ? '' : `.${digits}`}Z`;
};

const isFetalDeath = (course: CourseOfCare): boolean => bornAlive(course).length === 0;

// Version 1 of the guide had one profile for both reports.
const profileOf = (course: CourseOfCare): string => {
  const { ig_version: version } = course;
  const kind = isFetalDeath(course) ? 'fetal-death-report' : 'birth-report';
  const name = version?.startsWith('1.') === true ? 'bfdr' : kind;
  return `${BFDR}/Bundle-document-${name}${version === null ? '' : `|${version}`}`;
};

const composition = (
  { status, changedAt, course, providers }: ExportedRecord,
  observations: readonly SectionEntry[],
  draft: Draft,
): JsonObject => {
  const isFetal = isFetalDeath(course);
  const certifier = providerIn('certifier', course, providers);
  return {
    ...ofProfile(
      `${BFDR}/Composition-${isFetal ? 'jurisdiction-fetal-death' : 'provider-live-birth'}-report`,
    ),
    status: status === 'voided' ? 'entered-in-error' : 'final',
    type: isFetal
      ? concept(LOINC, '92010-8', 'Jurisdiction fetal death report Document')
      : concept(LOINC, '68998-4', 'U.S. standard certificate of live birth - 2003 revision'),
    subject: draft.to(childKey(0)),
    encounter: encounterOf(course, draft),
    date: changedAt,
    // A Practitioner as author would certify the report.
    author: [{ display: 'Birth registry' }],
    title: isFetal
      ? 'Jurisdiction fetal death report Document'
      : 'Provider supplied live birth report Document',
    ...unlessNull(certifier, (provider) => ({
      attester: [{ mode: 'legal', party: draft.to(providerKey(provider)) }],
    })),
    ...listed('section', sectionsOf(observations, draft)),
  };
};

const encounterOf = (course: CourseOfCare, draft: Draft): JsonObject => {
  const [first] = bornAlive(course);
  if (first === undefined) return draft.to(MATERNITY);
  return {
    extension: [
      {
        url: `${BFDR}/Extension-encounter-maternity-reference`,
        valueReference: draft.to(MATERNITY),
      },
    ],
    ...draft.to(birthKey(first)),
  };
};

const sectionsOf = (entries: readonly SectionEntry[], draft: Draft): readonly JsonObject[] =>
  (Object.keys(SECTIONS) as Section[]).flatMap((section) => {
    const inSection = entries.filter((one) => one.section === section);
    if (inSection.length === 0) return [];
    const { code, title } = SECTIONS[section];
    return [
      {
        title,
        code: concept(LOINC, code, title),
        ...(section === 'newborn' ? {} : { focus: draft.to(MOTHER) }),
        entry: inSection.map(({ key }) => draft.to(key)),
      },
    ];
  });

/** No entry where no decision was stated. */
const consentEntry = (consent: ConsentDecision, draft: Draft): readonly JsonObject[] => {
  const { granted, status, date_time } = consent;
  if (!granted && status === null && date_time === null) return [];
  // spec "Consent": granted only while it is active, and not granted although it is active by a denial
  const stated = granted ? 'active' : status;
  return [
    draft.entry('consent', 'Consent', {
      ...(stated === null ? { _status: { extension: [absent('unknown')] } } : { status: stated }),
      scope: concept(`${TERMINOLOGY}/consentscope`, 'patient-privacy', 'Privacy Consent'),
      category: [concept(LOINC, '59284-0', 'Consent Document')],
      patient: draft.to(MOTHER),
      ...unlessNull(date_time, (dateTime) => ({ dateTime })),
      policyRule: concept(`${TERMINOLOGY}/v3-ActCode`, 'OPTIN', 'opt-in'),
      ...(stated === 'active' ? { provision: { type: granted ? 'permit' : 'deny' } } : {}),
    }),
  ];
};
