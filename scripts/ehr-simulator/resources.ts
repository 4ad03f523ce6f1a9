export type Resource = { readonly resourceType: string; readonly id: string } & Readonly<
  Record<string, unknown>
>;

export interface Chart {
  readonly patient: Resource;
  readonly observations: readonly Resource[];
  readonly conditions: readonly Resource[];
  readonly encounters: readonly Resource[];
  /** Encounter of a launch; `null` if none. */
  readonly encounterId: string | null;
  readonly about: string;
}

const LOINC = 'http://loinc.org';
const CATEGORY = 'http://terminology.hl7.org/CodeSystem/observation-category';
const UCUM = 'http://unitsofmeasure.org';

const buildSubject = (patientId: string) => ({ reference: `Patient/${patientId}` });

interface ObservationFacts {
  readonly id: string;
  readonly patient: string;
  readonly code: readonly [code: string, display: string];
  readonly at?: string;
  readonly category?:
    | undefined
    | 'vital-signs'
    | 'laboratory'
    | 'social-history'
    | 'exam'
    | 'survey';
}

/** Observation, final unless `more` overrides it; `more` also contains the value. */
export const observation = (
  { id, patient, code: [code, display], at, category = 'exam' }: ObservationFacts,
  more: Readonly<Record<string, unknown>>,
): Resource => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  category: [{ coding: [{ system: CATEGORY, code: category }] }],
  code: { coding: [{ system: LOINC, code, display }], text: display },
  subject: buildSubject(patient),
  ...(at === undefined ? {} : { effectiveDateTime: at }),
  ...more,
});

export const quantity = (value: number, code: string, unit = code) => ({
  valueQuantity: { value, unit, system: UCUM, code },
});

interface ConditionFacts {
  readonly id: string;
  readonly patient: string;
  readonly code: string;
  readonly text: string;
  readonly onset?: string;
  readonly verification?: string | undefined;
}

const SNOMED_CODE = /^\d+$/;

/** Condition, confirmed by default; ICD-10-CM, or SNOMED CT for numeric codes. */
export const condition = ({
  id,
  patient,
  code,
  text,
  onset,
  verification = 'confirmed',
}: ConditionFacts): Resource => ({
  resourceType: 'Condition',
  id,
  verificationStatus: {
    coding: [
      {
        system: 'http://terminology.hl7.org/CodeSystem/condition-ver-status',
        code: verification,
      },
    ],
  },
  code: {
    coding: [
      {
        system: SNOMED_CODE.test(code)
          ? 'http://snomed.info/sct'
          : 'http://hl7.org/fhir/sid/icd-10-cm',
        code,
      },
    ],
    text,
  },
  subject: buildSubject(patient),
  ...(onset === undefined ? {} : { onsetDateTime: onset }),
});

interface EncounterFacts {
  readonly id: string;
  readonly patient: string;
  readonly kind: 'IMP' | 'AMB';
  readonly start: string;
  readonly end?: string;
  readonly status?: string;
}

/** Encounter, finished by default. */
export const encounter = (
  { id, patient, kind, start, end, status = 'finished' }: EncounterFacts,
  more: Readonly<Record<string, unknown>> = {},
): Resource => ({
  resourceType: 'Encounter',
  id,
  status,
  class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: kind },
  subject: buildSubject(patient),
  period: { start, ...(end === undefined ? {} : { end }) },
  ...more,
});
