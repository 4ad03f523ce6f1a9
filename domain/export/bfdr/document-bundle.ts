import { removeRepeatedProviders } from '../../birth-record/attribution.ts';
import { REGISTRY_CODES } from '../../course/codes.ts';
import type { ConsentDecision, CourseOfCare } from '../../course/course.ts';
import type { OffsetAt } from '../../course/practice-clock.ts';
import { LOINC } from '../../fhir/coded-values.ts';
import type { JsonObject } from '../../fhir/json.ts';
import { SENT_VERSION } from '../../intake/bfdr/course-mapper.ts';
import type { NamedProvider } from '../../provider/details.ts';
import { buildBirthKey, buildEncounters, MATERNITY, selectBornAlive } from './build-encounters.ts';
import {
  buildObservations,
  isFetalDeath,
  SECTIONS,
  type Section,
  type SectionEntry,
} from './build-observations.ts';
import { buildPatients, MOTHER } from './build-patients.ts';
import {
  buildPractitioners,
  buildProviderKey,
  findNamedProvider,
  listUnattributedProviders,
} from './build-practitioners.ts';
import {
  type BundleBuilder,
  buildFirstChildKey,
  buildKey,
  createBundleBuilder,
  type ExportedContent,
  isOfOneChild,
} from './bundle-builder.ts';
import {
  BFDR,
  buildCoding,
  buildConcept,
  markUnrecorded,
  NULL_FLAVOR,
  omitNull,
  TERMINOLOGY,
  toList,
  UNKNOWN_ELEMENT,
  US_CORE,
  withProfile,
} from './elements.ts';

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

/** What a document tells: a whole course of care, or one child of it. */
export const DOCUMENTS_PER = ['course', 'child'] as const;

/** @see DOCUMENTS_PER */
export type DocumentsPer = (typeof DOCUMENTS_PER)[number];

/**
 * Writes a stored record as a BFDR R4 document Bundle. What is not kept is absent, and nothing is
 * made up. Read again in the lane that the record came by, it gives the same course of care; the
 * Bundle of a voided record retracts. Warnings, marks of origin and the practice's own fields are
 * outside the FHIR lane and stay behind.
 * @param offsetAt of the practice's time zone, for times of birth without an offset; null: it has set none
 * @see spec "What the service does", docs/decisions/2026-11-24-records-leave-as-bundles.md
 */
export const buildDocumentBundle = (
  record: ExportedRecord,
  offsetAt: OffsetAt | null = null,
): JsonObject => buildDocument(record, [...record.course.children.keys()], offsetAt);

/**
 * Writes a stored record as one document, or as one for each child, as the states take births. Each
 * of these tells the same mother and birth, and its own child with its order and the total; none of
 * several is the whole record. A record without a child leaves whole.
 */
export const buildDocumentBundles = (
  record: ExportedRecord,
  per: DocumentsPer,
  offsetAt: OffsetAt | null = null,
): readonly JsonObject[] =>
  per === 'course' || record.course.children.length === 0
    ? [buildDocumentBundle(record, offsetAt)]
    : record.course.children.map((_, position) => buildDocument(record, [position], offsetAt));

const buildDocument = (
  record: ExportedRecord,
  positions: readonly number[],
  offsetAt: OffsetAt | null,
): JsonObject => {
  const { course, stamp, changedAt } = record;
  // Merges of before could list one twice.
  const providers = removeRepeatedProviders(record.providers);
  const draft = createBundleBuilder(record.submissionUuid);
  const told = { course, positions };
  const observations = buildObservations(told, draft);
  return {
    resourceType: 'Bundle',
    meta: {
      lastUpdated: stamp === null ? changedAt : removeZeros(stamp),
      profile: [findProfile(told)],
      ...toList('tag', readSentVersion(course)),
    },
    identifier: buildIdentifier(record, told),
    type: 'document',
    timestamp: changedAt,
    entry: [
      draft.entry(
        buildKey(told, 'composition'),
        'Composition',
        buildComposition(record, told, providers, observations, draft),
      ),
      ...buildPatients(told, draft, {
        reason: record.keyKind === 'partner' ? 'masked' : 'unknown',
        offsetAt,
      }),
      ...observations.map(({ entry }) => entry),
      ...buildEncounters(told, providers, draft),
      ...buildPractitioners(course, providers, draft),
      ...(isFetalDeath(told) ? [draft.entry(AUTHOR, 'Organization', THE_REGISTRY)] : []),
      ...buildConsent(course.consent, draft),
    ],
  };
};

const MAX_CHARACTERS = 12;

// The guide fixes the system. A document has to have an identifier: without a chart number it is the beginning of
// the record number, as long as the guide has room for.
const buildIdentifier = (
  { submissionUuid, course: { chart_number } }: ExportedRecord,
  told: ExportedContent,
): JsonObject => {
  const end = takeEnd(told);
  const room = MAX_CHARACTERS - end.length;
  return {
    ...(chart_number === null ? { extension: [markUnrecorded('chart_number')] } : {}),
    system: 'http://hl7.org/fhir/us/vr-common-library/CodeSystem/codesystem-ije-vr',
    value: `${chart_number ?? submissionUuid.replaceAll('-', '').slice(0, room)}${end}`,
  };
};

/**
 * What the document of one child of several has at the end of its number, so that no document takes the place
 * of another, or of the whole record where it is pushed.
 */
const takeEnd = (told: ExportedContent): string =>
  isOfOneChild(told) ? `-${(told.positions[0] ?? 0) + 1}` : '';

// Stamps are held with nine digits of fraction, which few readers expect.
const removeZeros = (stamp: string): string => {
  const [whole = '', fraction] = stamp.replace(/Z$/, '').split('.');
  let digits = fraction ?? '';
  while (digits.endsWith('0')) digits = digits.slice(0, -1);
  return fraction === undefined ? stamp : `${whole}${digits === '' ? '' : `.${digits}`}Z`;
};

/** The version of the guide by which documents are written. */
const GUIDE_VERSION = '2.0.0';

const findProfile = (told: ExportedContent): string =>
  `${BFDR}/Bundle-document-${isFetalDeath(told) ? 'fetal-death-report' : 'birth-report'}|${GUIDE_VERSION}`;

// The version that the sender declared is a part of the record.
const readSentVersion = ({ ig_version: version }: CourseOfCare): readonly JsonObject[] =>
  version === GUIDE_VERSION ? [] : [buildCoding(SENT_VERSION, version ?? 'UNK')];

const buildComposition = (
  { status, changedAt, course }: ExportedRecord,
  told: ExportedContent,
  providers: readonly NamedProvider[],
  observations: readonly SectionEntry[],
  draft: BundleBuilder,
): JsonObject => {
  const isFetal = isFetalDeath(told);
  const certifier = findNamedProvider('certifier', course, providers);
  return {
    ...withProfile(
      `${BFDR}/Composition-${isFetal ? 'jurisdiction-fetal-death' : 'provider-live-birth'}-report`,
    ),
    status: status === 'voided' ? 'entered-in-error' : 'final',
    type: isFetal
      ? buildConcept(LOINC, '92010-8', 'Jurisdiction fetal death report Document')
      : buildConcept(LOINC, '68998-4', 'U.S. standard certificate of live birth - 2003 revision'),
    subject: draft.to(buildFirstChildKey(told)),
    encounter: buildEncounterPointer(told, draft),
    date: changedAt,
    author: [buildAuthor(isFetal, certifier, draft)],
    title: isFetal
      ? 'Jurisdiction fetal death report Document'
      : 'Provider supplied live birth report Document',
    ...omitNull(certifier, (provider) => ({
      attester: [{ mode: 'legal', party: draft.to(buildProviderKey(provider)) }],
    })),
    section: buildSections(
      [
        ...observations,
        ...(hasDecision(course.consent) ? [{ section: 'mother' as const, key: CONSENT }] : []),
        ...listUnattributedProviders(course, providers).map((provider) => ({
          section: 'providers' as const,
          key: buildProviderKey(provider),
        })),
      ],
      draft,
    ),
  };
};

const AUTHOR = 'author';
const THE_REGISTRY = {
  ...withProfile(`${US_CORE}/us-core-organization`),
  active: true,
  name: 'Birth registry',
};

// The guide wants the Practitioner who reports a live birth, and the office that reports a fetal
// death. A Practitioner as author would certify the report, so nobody else is named.
const buildAuthor = (
  isFetal: boolean,
  certifier: NamedProvider | null,
  draft: BundleBuilder,
): JsonObject => {
  if (isFetal) return draft.to(AUTHOR);
  return certifier === null
    ? { display: THE_REGISTRY.name }
    : draft.to(buildProviderKey(certifier));
};

const buildEncounterPointer = (told: ExportedContent, draft: BundleBuilder): JsonObject => {
  const [first] = selectBornAlive(told);
  if (first === undefined) return draft.to(MATERNITY);
  return {
    extension: [
      {
        url: `${BFDR}/Extension-encounter-maternity-reference`,
        valueReference: draft.to(MATERNITY),
      },
    ],
    ...draft.to(buildBirthKey(first)),
  };
};

/** The providers in no part of the birth: nothing else would lead to them. */
const NAMED_PROVIDERS = {
  title: 'Other providers that the record names',
  code: buildConcept(REGISTRY_CODES, 'providers', 'Providers'),
};

const buildSections = (entries: readonly Pointer[], draft: BundleBuilder): readonly JsonObject[] =>
  LISTED_SECTIONS.flatMap((section) => {
    const keys = entries.filter((one) => one.section === section).map(({ key }) => key);
    // The mother is in the focus of her section, whatever is known of her.
    const named = section === 'mother' ? [MOTHER, ...keys] : keys;
    if (named.length === 0) return [];
    return [
      {
        ...buildSectionHead(section),
        ...(OF_MOTHER.has(section) ? { focus: draft.to(MOTHER) } : {}),
        entry: named.map(draft.to),
      },
    ];
  });

/** What a section lists. */
interface Pointer {
  readonly section: Section | 'providers';
  readonly key: string;
}

const LISTED_SECTIONS = [...(Object.keys(SECTIONS) as Section[]), 'providers'] as const;
const OF_MOTHER: ReadonlySet<string> = new Set(['prenatal', 'medical', 'mother']);

const buildSectionHead = (section: Pointer['section']): JsonObject => {
  if (section === 'providers') return NAMED_PROVIDERS;
  const { code, title } = SECTIONS[section];
  return { title, code: buildConcept(LOINC, code, title) };
};

const CONSENT = 'consent';

const hasDecision = ({ granted, status, date_time }: ConsentDecision): boolean =>
  granted || status !== null || date_time !== null;

/** No entry where no decision was stated. */
const buildConsent = (consent: ConsentDecision, draft: BundleBuilder): readonly JsonObject[] => {
  if (!hasDecision(consent)) return [];
  const { granted, status, date_time } = consent;
  // spec "Consent": granted only while it is active, and not granted although it is active by a denial
  const stated = granted ? 'active' : status;
  return [
    draft.entry(CONSENT, 'Consent', {
      // FHIR wants a status. What is not granted is not in force.
      status: stated ?? 'inactive',
      ...(stated === null ? { _status: UNKNOWN_ELEMENT } : {}),
      scope: buildConcept(`${TERMINOLOGY}/consentscope`, 'patient-privacy', 'Privacy Consent'),
      category: [buildConcept(LOINC, '59284-0', 'Consent Document')],
      patient: draft.to(MOTHER),
      ...omitNull(date_time, (dateTime) => ({ dateTime })),
      policyRule: buildPolicy(granted, stated),
      ...(stated === 'active' ? { provision: { type: granted ? 'permit' : 'deny' } } : {}),
    }),
  ];
};

const REFUSALS: ReadonlySet<string | null> = new Set(['active', 'rejected']);

/** What was decided: neither of the two, as long as nobody has. */
const buildPolicy = (granted: boolean, status: string | null): JsonObject => {
  const policy = `${TERMINOLOGY}/v3-ActCode`;
  if (granted) return buildConcept(policy, 'OPTIN', 'opt-in');
  return REFUSALS.has(status)
    ? buildConcept(policy, 'OPTOUT', 'opt-out')
    : buildConcept(NULL_FLAVOR, 'UNK', 'Unknown');
};
