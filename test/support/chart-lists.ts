import { observeLists } from '../../domain/fhir/steps.ts';
import type { PulledChart } from '../../domain/mapping/us-core/pulled-chart.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const absent = [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason' }];
const concept = (code: string, system = 'http://loinc.org') => ({
  coding: [{ system, code, display: 'Display {n}' }],
});
const stated = {
  valueCodeableConcept: [concept('unknown {n}')],
  _valueCodeableConcept: { extension: absent },
};
const partialDate = [
  { url: 'http://hl7.org/fhir/StructureDefinition/other-{n}', ...stated },
  {
    url: 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition/Extension-partial-date',
    extension: [
      { url: 'year', extension: absent, ...stated },
      { url: 'day-time', ...stated },
    ],
  },
];
const beside = { extension: partialDate };
const names = [
  {
    use: 'usual',
    family: 'Family {n}',
    _family: { extension: absent },
    given: ['Given {n}'],
    _given: [{ extension: absent }],
    suffix: ['{n}'],
    _suffix: [{ extension: absent }],
  },
];
const contactPoints = [{ system: 'phone', value: '{n}' }];
const addresses = [
  {
    line: ['{n} Main Street'],
    _line: [{ extension: absent }],
    city: 'City {n}',
    _city: { extension: absent },
    _district: { extension: absent },
    _state: { extension: absent },
    _postalCode: { extension: absent },
    _country: { extension: absent },
  },
];

const patient = {
  resourceType: 'Patient',
  id: 'm',
  gender: ['female {n}'],
  _gender: { extension: absent },
  birthDate: '1994-06-17',
  _birthDate: beside,
  name: names,
  telecom: contactPoints,
  address: addresses,
  identifier: [{ type: [concept('MR')], value: '{n}' }],
  link: [{ type: 'seealso', other: { reference: 'Patient/{n}' } }],
  contact: [
    {
      relationship: [concept('MTH')],
      name: names,
      telecom: contactPoints,
      address: addresses,
    },
  ],
  extension: [
    {
      url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-race',
      extension: [{ url: 'ombCategory', valueCoding: [{ code: '{n}' }], ...stated }],
    },
    { url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-birthsex', ...stated },
    { url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-sex', ...stated },
    { url: 'http://hl7.org/fhir/StructureDefinition/patient-birthTime', ...stated },
    { url: 'http://hl7.org/fhir/StructureDefinition/patient-multipleBirthTotal', ...stated },
  ],
  multipleBirthInteger: ['{n}'],
  _multipleBirthInteger: beside,
  multipleBirthBoolean: ['{n}'],
  _multipleBirthBoolean: beside,
  deceasedDateTime: ['{n}'],
  _deceasedDateTime: { extension: absent },
};

const aboutPatient = { subject: { reference: 'Patient/m' } };
// Any element may have a modifier extension.
const unmodified = { note: [{ text: '{n}', modifierExtension: [] }] };
const observation = (code: string, value: JsonObject) => ({
  resourceType: 'Observation',
  id: `${code}-{n}`,
  status: 'final',
  code: [concept(code)],
  focus: [{ reference: 'Patient/c{n}' }],
  effectiveDateTime: '2026-05-12T14:30:00Z',
  extension: [
    {
      url: 'http://hl7.org/fhir/StructureDefinition/observation-replaces',
      valueReference: { reference: 'Observation/old{n}' },
    },
  ],
  ...unmodified,
  ...aboutPatient,
  ...value,
});

/** A chart with every list that the mapper of charts reads. `{n}` is the place in a list. */
const TEMPLATE: JsonObject = {
  patient,
  observations: [
    observation('8339-4', {
      valueQuantity: [{ value: 3410, code: 'g', extension: absent }],
      component: [
        {
          code: [concept('9274-2')],
          valueInteger: [9],
          _valueInteger: { extension: absent },
          component: [{ ...stated }],
        },
        { code: [concept('8339-4')], valueCodeableConcept: [concept('x')] },
        { ...stated, component: [{ valueQuantity: [{ value: 2 }] }] },
      ],
    }),
    observation('18185-9', { valueString: ['39w'], _valueString: { extension: absent } }),
    observation('11778-8', { valueDateTime: ['2026-05-15'], _valueDateTime: beside }),
    observation('73762-7', { valueCodeableConcept: [concept('code-{n}')] }),
    observation('72166-2', { valueCodeableConcept: [concept('code-{n}')] }),
  ],
  conditions: [
    {
      resourceType: 'Condition',
      id: 'k{n}',
      code: [concept('Z37.2', 'http://hl7.org/fhir/sid/icd-10-cm')],
      verificationStatus: [concept('confirmed')],
      extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/condition-assertedDate' }],
      ...unmodified,
      ...aboutPatient,
    },
  ],
  encounters: [
    {
      resourceType: 'Encounter',
      id: 'e{n}',
      status: 'finished',
      class: { ...concept('IMP'), code: 'IMP' },
      period: { start: '2026-05-11T14:30:00Z', end: '2026-05-14' },
      reasonCode: [concept('Z37.0', 'http://hl7.org/fhir/sid/icd-10-cm')],
      location: [{ location: { display: 'Place {n}' } }],
      participant: [{ type: [concept('ATND')], individual: { display: 'Attendant {n}' } }],
      ...unmodified,
      ...aboutPatient,
    },
  ],
};

/** Name of a list: the elements that lead to it, such as `observations.code.coding`. */
type ListName = string;

const name = (path: string, element: string): ListName => {
  if (element === 'modifierExtension') return '*.modifierExtension';
  // Senders use any type of value.
  const known = element
    .replace(/^(_?)value.+$/, '$1value[x]')
    .replace(/^(_?)(multipleBirth|deceased).+$/, '$1$2[x]');
  return path === '' ? known : `${path}.${known}`;
};

const nameLists = (
  value: unknown,
  path: ListName,
  named: Map<readonly unknown[], ListName>,
): Map<readonly unknown[], ListName> => {
  if (Array.isArray(value)) {
    named.set(value, path);
    for (const element of value) nameLists(element, path, named);
  } else if (typeof value === 'object' && value !== null)
    for (const [element, inner] of Object.entries(value))
      nameLists(inner, name(path, element), named);
  return named;
};

/** Names of the lists that a reader of a chart reads. Lists that it builds itself have none. */
export const nameReadLists = (chart: object, read: () => void): ReadonlySet<ListName> => {
  const named = nameLists(chart, '', new Map());
  const names = new Set<ListName>();
  observeLists((list) => {
    const known = named.get(list);
    if (known !== undefined) names.add(known);
  }, read);
  return names;
};

/** Copies the template with lists of these lengths; all others have at least `others` elements. */
const expandTemplate = (
  lengths: Readonly<Record<ListName, number>>,
  others: number,
): Pick<PulledChart, 'patient' | 'observations' | 'conditions' | 'encounters'> => {
  const expand = (value: unknown, path: ListName, place: string): unknown => {
    if (typeof value === 'string') return value.replaceAll('{n}', place);
    if (Array.isArray(value)) {
      const length = lengths[path] ?? Math.max(others, value.length);
      return Array.from({ length: value.length === 0 ? 0 : length }, (_, index) =>
        expand(value[index % value.length], path, `${place}${index}`),
      );
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([element, inner]) => [
        element,
        expand(inner, name(path, element), place),
      ]),
    );
  };
  const chart = expand(TEMPLATE, '', '');
  return chart as ReturnType<typeof expandTemplate>;
};

/** Names of all lists that the mapper of charts may read. */
export const CHART_LISTS: readonly ListName[] = [
  ...new Set(nameLists(expandTemplate({}, 1), '', new Map()).values()),
];

/** A chart in which lists have these lengths; all others have at least `others` elements. */
export const chartOfLengths = (
  lengths: Readonly<Record<ListName, number>>,
  others: number,
): PulledChart => ({
  fhirBaseUrl: 'https://ehr.example/fhir',
  patientId: 'm',
  encounterId: null,
  unread: [],
  others: 0,
  needsPatientBanner: true,
  ...expandTemplate(lengths, others),
});
