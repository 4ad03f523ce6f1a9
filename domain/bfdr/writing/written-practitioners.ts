import type { CourseOfCare } from '../../course-of-care/canonical-record.ts';
import { REGISTRY_CODES } from '../../course-of-care/codes.ts';
import type { NamedProvider } from '../../course-of-care/events.ts';
import { ATTENDANT } from '../../course-of-care/from-fhir/attendants.ts';
import { LOINC } from '../../fhir/code-systems.ts';
import type { JsonObject } from '../../fhir/json.ts';
import { NPI } from '../practitioners.ts';
import type { Draft } from './draft.ts';
import {
  BFDR,
  COMMON,
  coding,
  concept,
  listed,
  ofProfile,
  TERMINOLOGY,
  unlessNull,
} from './elements.ts';

/** Who is named in a part, by the id that the registry gives to providers; null if nobody is. */
export const providerIn = (
  part: 'attendant' | 'certifier',
  course: CourseOfCare,
  providers: readonly NamedProvider[],
): NamedProvider | null => providers.find(({ providerId }) => providerId === course[part]) ?? null;

/** The key of a provider's Practitioner; two partners can give one identity to two people. */
export const providerKey = ({ providerId }: NamedProvider): string => `provider/${providerId}`;

/** Everybody whom the record names, under the partner's own stable identity. */
export const writtenPractitioners = (
  course: CourseOfCare,
  providers: readonly NamedProvider[],
  draft: Draft,
): readonly JsonObject[] =>
  providers.map((provider) =>
    draft.entry(providerKey(provider), 'Practitioner', practitioner(provider, course)),
  );

const practitioner = (provider: NamedProvider, course: CourseOfCare): JsonObject => {
  const { identity, npi, name, credentials, role } = provider;
  const parts = (['attendant', 'certifier'] as const).filter(
    (part) => provider.providerId === course[part],
  );
  return {
    ...ofProfile(`${COMMON}/Practitioner-vr`),
    ...listed(
      'extension',
      parts.map((part) => ({ url: `${BFDR}/practitioner-role-birth-${part}`, valueCode: part })),
    ),
    identifier: [
      { value: identity },
      ...(npi === null
        ? []
        : [
            {
              type: concept(`${TERMINOLOGY}/v2-0203`, NPI, 'National provider identifier'),
              system: 'http://hl7.org/fhir/sid/us-npi',
              value: npi,
            },
          ]),
    ],
    ...(name === null && credentials === null
      ? {}
      : {
          name: [
            {
              ...unlessNull(name, (text) => ({ text })),
              ...unlessNull(credentials, (suffix) => ({ suffix: [suffix] })),
            },
          ],
        }),
    // The role was read by keywords of what is in part no longer kept.
    ...(role === 'other' ? {} : { qualification: [{ code: concept(REGISTRY_CODES, role, role) }] }),
  };
};

const PARTICIPATION = `${TERMINOLOGY}/v3-ParticipationType`;

/** The participants of the birth: who attended it, and a doula that was there. */
export const participants = (
  course: CourseOfCare,
  providers: readonly NamedProvider[],
  draft: Draft,
): readonly JsonObject[] => {
  const attendant = providerIn('attendant', course, providers);
  const doulas =
    course.doula_present === true
      ? providers.filter((one) => one.role === 'doula' && one !== attendant)
      : [];
  return [
    ...(attendant === null
      ? []
      : [
          {
            type: [
              {
                coding: [
                  coding(PARTICIPATION, ATTENDANT, 'attender'),
                  coding(LOINC, '87286-1', 'Birth attendant'),
                ],
              },
            ],
            individual: draft.to(providerKey(attendant)),
          },
        ]),
    ...doulas.map((doula) => ({
      type: [concept(PARTICIPATION, 'PART', 'Participation')],
      individual: draft.to(providerKey(doula)),
    })),
  ];
};
