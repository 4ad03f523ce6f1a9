import { removeRepeatedProviders } from '../../birth-record/attribution.ts';
import { findReason, type GivenReason } from '../../birth-record/item-reasons.ts';
import { REGISTRY_CODES } from '../../course/codes.ts';
import type { ConsentDecision, CourseOfCare } from '../../course/course.ts';
import type { OffsetAt } from '../../course/local-times.ts';
import { findMissingItems } from '../../course/missing-items.ts';
import { LOINC } from '../../fhir/coded-values.ts';
import type { JsonObject } from '../../fhir/json.ts';
import { SENT_VERSION } from '../../mapping/bfdr/course-mapper.ts';
import type { NamedProvider } from '../../provider/details.ts';
import { toCourseOfChild } from '../earlier-siblings.ts';
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
  type Absence,
  type BundleBuilder,
  buildFirstChildKey,
  buildKey,
  createBundleBuilder,
  type ExportedContent,
  findOnlyChild,
  isOfOneChild,
} from './bundle-builder.ts';
import {
  BFDR,
  buildCoding,
  buildConcept,
  declareProfiles,
  markRecorded,
  markUnrecorded,
  NULL_FLAVOR,
  omitNull,
  TERMINOLOGY,
  toList,
  UNKNOWN_ELEMENT,
  US_CORE,
} from './elements.ts';

export interface ExportedRecord {
  readonly submissionUuid: string;
  readonly status: 'live' | 'voided';
  /** Selects the lane that restores the record. */
  readonly keyKind: 'native' | 'partner' | null;
  readonly stamp: string | null;
  readonly changedAt: string;
  readonly course: CourseOfCare;
  /** Includes, after a provider merge, the survivor referenced as attendant or certifier. */
  readonly providers: readonly NamedProvider[];
  /** Why certificate items are missing. */
  readonly reasons?: readonly GivenReason[];
}

export const DOCUMENTS_PER = ['course', 'child'] as const;

export type DocumentsPer = (typeof DOCUMENTS_PER)[number];

/**
 * Missing values are omitted, never invented. Reading the Bundle in the record's original lane restores
 * the same course of care; the Bundle of a voided record is a retraction.
 * @param offsetAt for times of birth without an offset; `null` if no time zone is configured
 * @see spec "What the service does", docs/design/writing.md#the-law
 */
export const buildDocumentBundle = (
  record: ExportedRecord,
  offsetAt: OffsetAt | null = null,
): JsonObject => buildDocument(record, [...record.course.children.keys()], offsetAt);

/** States register births by child: each document repeats the mother and the birth. */
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
  const { stamp, changedAt } = record;
  // Merges in earlier versions could list a provider twice.
  const providers = removeRepeatedProviders(record.providers);
  const draft = createBundleBuilder(record.submissionUuid);
  const child = findOnlyChild({ course: record.course, positions });
  const course = child === null ? record.course : toCourseOfChild(record.course, child);
  const content = { course, positions, absences: listAbsences(record) };
  const observations = buildObservations(content, draft);
  return {
    resourceType: 'Bundle',
    meta: {
      lastUpdated: stamp === null ? changedAt : removeZeros(stamp),
      profile: [findProfile(content)],
      ...toList('tag', readSentVersion(course)),
    },
    identifier: buildIdentifier(record, content),
    type: 'document',
    timestamp: changedAt,
    entry: [
      draft.entry(
        buildKey(content, 'composition'),
        'Composition',
        buildComposition(record, content, providers, observations, draft),
      ),
      ...buildPatients(content, draft, {
        reason: record.keyKind === 'partner' ? 'masked' : 'unknown',
        offsetAt,
      }),
      ...observations.map(({ entry }) => entry),
      ...buildEncounters(content, providers, draft),
      ...buildPractitioners(course, providers, draft),
      ...(isFetalDeath(content) ? [draft.entry(AUTHOR, 'Organization', THE_REGISTRY)] : []),
      ...buildConsent(course.consent, draft),
    ],
  };
};

/** The day on which an item is expected is not exported: the registry's own list asks for it. */
const listAbsences = ({ course, keyKind, reasons = [] }: ExportedRecord): readonly Absence[] =>
  reasons.length === 0
    ? []
    : findMissingItems(course, null, keyKind === 'partner').flatMap(({ item, child, paths }) => {
        const given = findReason(reasons, { item: item.id, child }, course);
        if (given === null) return [];
        const reason = given.reason.kind === 'awaited' ? 'temp-unknown' : 'asked-unknown';
        return paths.map((path) => ({ path, child, reason }));
      });

/** The guide allows 12, but readers parse exactly 12 as year, jurisdiction, and certificate number. */
const MAX_CHARACTERS = 11;

/**
 * The guide requires an identifier and fixes its system. Without a chart number that fits, the record
 * number is cut to fit, and an extension has the chart number.
 */
const buildIdentifier = (
  { submissionUuid, course: { chart_number } }: ExportedRecord,
  content: ExportedContent,
): JsonObject => {
  const suffix = buildSuffix(content);
  const own = chart_number === null ? null : `${chart_number}${suffix}`;
  const system = 'http://hl7.org/fhir/us/vr-common-library/CodeSystem/codesystem-ije-vr';
  if (own !== null && own.length <= MAX_CHARACTERS) return { system, value: own };
  const room = MAX_CHARACTERS - suffix.length;
  return {
    extension: [own === null ? markUnrecorded('chart_number') : markRecorded(own)],
    system,
    value: `${submissionUuid.replaceAll('-', '').slice(0, room)}${suffix}`,
  };
};

/**
 * When pushed, the document of one child must not overwrite that of a sibling or of the whole record.
 */
const buildSuffix = (content: ExportedContent): string =>
  isOfOneChild(content) ? `-${(content.positions[0] ?? 0) + 1}` : '';

// Stamps are stored with nine fractional digits, which few readers expect.
const removeZeros = (stamp: string): string => {
  const [whole = '', fraction] = stamp.replace(/Z$/, '').split('.');
  let digits = fraction ?? '';
  while (digits.endsWith('0')) digits = digits.slice(0, -1);
  return fraction === undefined ? stamp : `${whole}${digits === '' ? '' : `.${digits}`}Z`;
};

const GUIDE_VERSION = '2.0.0';

const findProfile = (content: ExportedContent): string =>
  `${BFDR}/Bundle-document-${isFetalDeath(content) ? 'fetal-death-report' : 'birth-report'}|${GUIDE_VERSION}`;

// The version that the sender declared is part of the record.
const readSentVersion = ({ ig_version: version }: CourseOfCare): readonly JsonObject[] =>
  version === GUIDE_VERSION ? [] : [buildCoding(SENT_VERSION, version ?? 'UNK')];

const buildComposition = (
  { status, changedAt, course }: ExportedRecord,
  content: ExportedContent,
  providers: readonly NamedProvider[],
  observations: readonly SectionEntry[],
  draft: BundleBuilder,
): JsonObject => {
  const isFetal = isFetalDeath(content);
  const certifier = findNamedProvider('certifier', course, providers);
  return {
    ...declareProfiles(
      `${BFDR}/Composition-${isFetal ? 'jurisdiction-fetal-death' : 'provider-live-birth'}-report`,
    ),
    status: status === 'voided' ? 'entered-in-error' : 'final',
    type: isFetal
      ? buildConcept(LOINC, '92010-8', 'Jurisdiction fetal death report Document')
      : buildConcept(LOINC, '68998-4', 'U.S. standard certificate of live birth - 2003 revision'),
    subject: draft.to(buildFirstChildKey(content)),
    encounter: buildEncounterPointer(content, draft),
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
  ...declareProfiles(`${US_CORE}/us-core-organization`),
  active: true,
  name: 'Birth registry',
};

// The guide requires a Practitioner as author of a live birth report and an office as author of a
// fetal death report. A Practitioner as author certifies the report, so only the certifier qualifies.
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

const buildEncounterPointer = (content: ExportedContent, draft: BundleBuilder): JsonObject => {
  const [first] = selectBornAlive(content);
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

/** Nothing else in the document refers to providers who are not participants of the birth. */
const NAMED_PROVIDERS = {
  title: 'Other providers that the record names',
  code: buildConcept(REGISTRY_CODES, 'providers', 'Providers'),
};

const buildSections = (entries: readonly Pointer[], draft: BundleBuilder): readonly JsonObject[] =>
  LISTED_SECTIONS.flatMap((section) => {
    const keys = entries.filter((one) => one.section === section).map(({ key }) => key);
    // The mother's section always has an entry, even if nothing is known about her.
    const allKeys = section === 'mother' ? [MOTHER, ...keys] : keys;
    if (allKeys.length === 0) return [];
    return [
      {
        ...buildSectionHead(section),
        ...(OF_MOTHER.has(section) ? { focus: draft.to(MOTHER) } : {}),
        entry: allKeys.map(draft.to),
      },
    ];
  });

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

const buildConsent = (consent: ConsentDecision, draft: BundleBuilder): readonly JsonObject[] => {
  if (!hasDecision(consent)) return [];
  const { granted, status, date_time } = consent;
  // spec "Consent": consent is granted only while active, and an active denial is not a grant.
  const stated = granted ? 'active' : status;
  return [
    draft.entry(CONSENT, 'Consent', {
      // FHIR requires a status. Consent that is not granted is inactive.
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

/** Unknown until a decision is made. */
const buildPolicy = (granted: boolean, status: string | null): JsonObject => {
  const policy = `${TERMINOLOGY}/v3-ActCode`;
  if (granted) return buildConcept(policy, 'OPTIN', 'opt-in');
  return REFUSALS.has(status)
    ? buildConcept(policy, 'OPTOUT', 'opt-out')
    : buildConcept(NULL_FLAVOR, 'UNK', 'Unknown');
};
