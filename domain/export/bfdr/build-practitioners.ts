import { ATTENDANT_TITLES, REGISTRY_CODES } from '../../course/codes.ts';
import type { CourseOfCare } from '../../course/course.ts';
import { LOINC, SNOMED } from '../../fhir/coded-values.ts';
import type { JsonObject } from '../../fhir/json.ts';
import { NPI, PROVIDER_IDENTITIES, toCredentialWords } from '../../mapping/bfdr/practitioners.ts';
import { ATTENDANT } from '../../mapping/from-fhir/attendants.ts';
import type { NamedProvider, ProviderRole } from '../../provider/details.ts';
import type { BundleBuilder } from './bundle-builder.ts';
import {
  BFDR,
  buildCoding,
  buildConcept,
  COMMON,
  declareProfiles,
  NULL_FLAVOR,
  omitNull,
  TERMINOLOGY,
  toList,
  UNKNOWN_ELEMENT,
} from './elements.ts';

const PARTS = ['attendant', 'certifier'] as const;
type Part = (typeof PARTS)[number];

export const findNamedProvider = (
  part: Part,
  course: CourseOfCare,
  providers: readonly NamedProvider[],
): NamedProvider | null => providers.find(({ providerId }) => providerId === course[part]) ?? null;

/** Uses the registry's id, because two partners can assign the same identity to different people. */
export const buildProviderKey = ({ providerId }: NamedProvider): string => `provider/${providerId}`;

export const buildPractitioners = (
  course: CourseOfCare,
  providers: readonly NamedProvider[],
  draft: BundleBuilder,
): readonly JsonObject[] => [
  ...providers.map((provider) =>
    draft.entry(buildProviderKey(provider), 'Practitioner', buildPractitioner(provider, course)),
  ),
  ...(hasNamedAttendant(course, providers)
    ? [draft.entry(NAMED_ATTENDANT, 'Practitioner', buildNamedAttendant(course))]
    : []),
];

const NAMED_ATTENDANT = 'attendant';

const hasNamedAttendant = (course: CourseOfCare, providers: readonly NamedProvider[]): boolean =>
  (course.attendant_name !== null || course.attendant_title !== null) &&
  findNamedProvider('attendant', course, providers) === null;

const buildPractitioner = (provider: NamedProvider, course: CourseOfCare): JsonObject => {
  const { identity, npi, name, credentials, role } = provider;
  return {
    ...splitName(PARTS.filter((part) => provider.providerId === course[part])),
    identifier: [
      { system: PROVIDER_IDENTITIES, value: identity },
      ...(npi === null
        ? []
        : [
            {
              type: buildConcept(`${TERMINOLOGY}/v2-0203`, NPI, 'National provider identifier'),
              system: 'http://hl7.org/fhir/sid/us-npi',
              value: npi,
            },
          ]),
    ],
    name: [
      { ...formatWholeName(name), ...omitNull(credentials, (suffix) => ({ suffix: [suffix] })) },
    ],
    qualification: [buildQualification(findProviderTitle(provider), role)],
  };
};

interface Title {
  readonly title: string | null;
  readonly words: string | null;
}

/** Else the credentials, or the role. */
export const findProviderTitle = ({
  credentials,
  role,
}: Pick<NamedProvider, 'credentials' | 'role'>): Title => ({
  title: credentials === null ? null : findTitle(credentials),
  words: credentials ?? (role === 'other' ? null : role),
});

const splitName = (parts: readonly Part[]): JsonObject => ({
  ...declareProfiles(
    ...(parts.length === 0
      ? [`${COMMON}/Practitioner-vr`]
      : parts.map((part) => `${BFDR}/Practitioner-birth-${part}`)),
  ),
  ...toList(
    'extension',
    parts.map((part) => ({ url: `${BFDR}/practitioner-role-birth-${part}`, valueCode: part })),
  ),
});

// A provider's name is stored as one text, so the family name is unknown.
const formatWholeName = (name: string | null): JsonObject => ({
  ...omitNull(name, (text) => ({ text })),
  _family: UNKNOWN_ELEMENT,
});

/** The guide's titles by the registry's codes. @see ValueSet-birth-attendant-titles-vr */
const GUIDE_TITLES: ReadonlyMap<string, JsonObject> = new Map([
  ['md', buildCoding(SNOMED, '309343006', 'Medical Doctor')],
  ['do', buildCoding(SNOMED, '76231001', 'Osteopath')],
  ['cnm-cm', buildCoding(SNOMED, '445521000124102', 'Advanced Practice Midwife')],
  ['other-midwife', buildCoding(SNOMED, '445531000124104', 'Lay Midwife')],
]);

/** Credentials that identify a title. Midwives come first: a physician who is also a midwife is a midwife. */
const TITLE_WORDS: readonly (readonly [title: string, words: readonly string[]])[] = [
  ['cnm-cm', ['cnm', 'cm', 'nurse midwife', 'certified midwife']],
  ['other-midwife', ['cpm', 'lm', 'professional midwife', 'licensed midwife', 'lay midwife']],
  ['do', ['do', 'osteopath', 'osteopathic', 'doctor of osteopathy']],
  ['md', ['md', 'medical doctor', 'doctor of medicine']],
];

const findTitle = (credentials: string): string | null => {
  const words = toCredentialWords(credentials);
  const found = TITLE_WORDS.find(([, names]) => names.some((one) => words.includes(` ${one} `)));
  return found?.[0] ?? null;
};

/**
 * The guide's title, else the title as text, or unknown. The registry's own code contains the role,
 * because the text that the role was derived from is only partly stored.
 */
const buildQualification = ({ title, words }: Title, role: ProviderRole): JsonObject => {
  const known = title === null ? undefined : GUIDE_TITLES.get(title);
  const unknown =
    words === null
      ? buildCoding(NULL_FLAVOR, 'UNK', 'Unknown')
      : buildCoding(NULL_FLAVOR, 'OTH', 'Other');
  const codings = [known ?? unknown, buildCoding(REGISTRY_CODES, role)];
  return {
    code: {
      coding: codings,
      ...(known === undefined ? omitNull(words, (text) => ({ text })) : {}),
    },
  };
};

const buildNamedAttendant = ({
  attendant_name: name,
  attendant_title: title,
}: CourseOfCare): JsonObject => {
  const words = title === null ? null : (ATTENDANT_TITLES.get(title) ?? title);
  return {
    ...splitName(['attendant']),
    identifier: [{ system: PROVIDER_IDENTITIES, _value: UNKNOWN_ELEMENT }],
    name: [formatWholeName(name)],
    qualification: [buildQualification({ title, words }, 'other')],
  };
};

const PARTICIPATION = `${TERMINOLOGY}/v3-ParticipationType`;
const ATTENDS = buildCoding(LOINC, '87286-1', 'Birth attendant');
const CERTIFIES = buildCoding(LOINC, '87287-9', 'Birth certifier');

export const buildParticipants = (
  course: CourseOfCare,
  providers: readonly NamedProvider[],
  draft: BundleBuilder,
): readonly JsonObject[] => {
  const attendant = findNamedProvider('attendant', course, providers);
  const certifier = findNamedProvider('certifier', course, providers);
  const participant = (key: string, ...codings: readonly JsonObject[]): JsonObject => ({
    type: [{ coding: codings }],
    individual: draft.to(key),
  });
  return [
    ...(attendant === null
      ? []
      : [
          participant(
            buildProviderKey(attendant),
            buildCoding(PARTICIPATION, ATTENDANT, 'attender'),
            ATTENDS,
          ),
        ]),
    // Without ATND, because an attendant entered by the practice is not a partner's provider.
    ...(hasNamedAttendant(course, providers) ? [participant(NAMED_ATTENDANT, ATTENDS)] : []),
    ...(certifier === null || !mayTakePart(certifier, course)
      ? []
      : [participant(buildProviderKey(certifier), CERTIFIES)]),
    ...listDoulas(course, providers).map((doula) =>
      participant(buildProviderKey(doula), buildCoding(PARTICIPATION, 'PART', 'Participation')),
    ),
  ];
};

// Readers assume that a doula among the participants was present.
const mayTakePart = ({ role }: NamedProvider, course: CourseOfCare): boolean =>
  role !== 'doula' || course.doula_present === true;

const listDoulas = (
  course: CourseOfCare,
  providers: readonly NamedProvider[],
): readonly NamedProvider[] =>
  course.doula_present === true
    ? providers.filter((one) => one.role === 'doula' && one.providerId !== course.attendant)
    : [];

export const listUnattributedProviders = (
  course: CourseOfCare,
  providers: readonly NamedProvider[],
): readonly NamedProvider[] => {
  const doulas = listDoulas(course, providers);
  return providers.filter(
    (one) => PARTS.every((part) => one.providerId !== course[part]) && !doulas.includes(one),
  );
};
