import { isObject, type JsonObject, objectsOf } from '../fhir/json.ts';

/**
 * What the registry knows of a resource that it reads. `read` elements fill the record, or leave a warning
 * where they cannot; `ignored` ones it knows and has no field for.
 * @see spec "FHIR resources read from a submitted course of care"
 */
export interface KnownElements {
  readonly read: readonly string[];
  readonly ignored: readonly string[];
}

/** The types of resources whose elements are compared with the tables. */
export const READ_TYPES = ['Patient', 'Observation', 'Encounter', 'Location'] as const;

/** @see READ_TYPES */
export type ReadType = (typeof READ_TYPES)[number];

/** What every resource may hold. */
const ELEMENTS_OF_ANY = [
  'resourceType',
  'id',
  'meta',
  'implicitRules',
  'language',
  'text',
  'contained',
] as const;

/** By type: the elements of the resource itself. Whatever else it holds is named by a warning. */
export const ELEMENTS: Readonly<Record<ReadType, KnownElements>> = {
  Patient: {
    read: [
      ...['identifier', 'name', 'telecom', 'gender', 'birthDate', 'deceasedBoolean'],
      ...['deceasedDateTime', 'address', 'multipleBirthBoolean', 'multipleBirthInteger'],
    ],
    ignored: [
      ...['active', 'maritalStatus', 'photo', 'contact', 'communication'],
      ...['generalPractitioner', 'managingOrganization', 'link'],
    ],
  },
  Observation: {
    read: [
      ...[
        'status',
        'code',
        'subject',
        'focus',
        'component',
        'dataAbsentReason',
        'effectiveDateTime',
      ],
      ...['effectivePeriod', 'effectiveInstant', 'valueQuantity', 'valueCodeableConcept'],
      ...['valueString', 'valueBoolean', 'valueInteger', 'valueDateTime', 'valueDate', 'valueTime'],
      ...['valueDecimal', 'valueInstant', 'valuePeriod', 'valueCoding', 'valueCode'],
      ...['valueRange', 'valueRatio', 'valueSampledData'],
    ],
    ignored: [
      ...['identifier', 'basedOn', 'partOf', 'category', 'encounter', 'effectiveTiming', 'issued'],
      ...['performer', 'interpretation', 'note', 'bodySite', 'method', 'specimen', 'device'],
      ...['referenceRange', 'hasMember', 'derivedFrom'],
    ],
  },
  Encounter: {
    read: [
      ...['status', 'class', 'type', 'subject', 'participant', 'period', 'hospitalization'],
      'location',
    ],
    ignored: [
      ...[
        'identifier',
        'statusHistory',
        'classHistory',
        'serviceType',
        'priority',
        'episodeOfCare',
      ],
      ...['basedOn', 'appointment', 'length', 'reasonCode', 'reasonReference', 'diagnosis'],
      ...['account', 'serviceProvider', 'partOf'],
    ],
  },
  Location: {
    read: ['identifier', 'status', 'name', 'type', 'physicalType'],
    ignored: [
      ...['operationalStatus', 'alias', 'description', 'mode', 'telecom', 'address', 'position'],
      ...['managingOrganization', 'partOf', 'hoursOfOperation', 'availabilityExceptions'],
      'endpoint',
    ],
  },
};

/** By type: the last part of the addresses of extensions, on the resource or on one of its elements. */
export const EXTENSIONS: Readonly<Record<ReadType, KnownElements>> = {
  Patient: {
    read: [
      ...['us-core-race', 'us-core-ethnicity', 'us-core-birthsex', 'us-core-sex'],
      ...['patient-birthTime', 'patient-multipleBirthTotal', 'Extension-partial-date-vr'],
      ...['Extension-partial-date-time-vr', 'Extension-patient-fetal-death-vr'],
      ...['Extension-reported-parent-age-at-delivery-vr', 'data-absent-reason'],
    ],
    ignored: [
      ...['patient-birthPlace', 'patient-mothersMaidenName', 'us-core-genderIdentity'],
      ...['us-core-tribal-affiliation', 'individual-genderIdentity', 'individual-pronouns'],
      ...['patient-genderIdentity', 'patient-nationality', 'patient-religion'],
      ...['Extension-within-city-limits-indicator-vr', 'Extension-jurisdiction-id-vr'],
    ],
  },
  Observation: {
    read: ['Extension-partial-date-vr', 'Extension-partial-date-time-vr', 'data-absent-reason'],
    ignored: ['Extension-role', 'Extension-role-vr'],
  },
  Encounter: { read: ['data-absent-reason'], ignored: ['Extension-role', 'Extension-role-vr'] },
  Location: {
    read: ['data-absent-reason'],
    ignored: ['Extension-jurisdictional-facility-identifier', 'Extension-jurisdiction-id-vr'],
  },
};

/** Extensions that say how a value was edited or spelled, on any element. */
const EXTENSIONS_OF_ANY = [
  ...['BypassEditFlag', 'CityCode', 'DistrictCode', 'StateCode', 'CountyCode', 'verbatim'],
  ...['humanname-own-prefix', 'humanname-own-name', 'humanname-fathers-family'],
  ...['humanname-mothers-family', 'iso21090-ADXP-streetNameBase', 'geolocation'],
] as const;

/** What is ignored without a warning, as the documents list it. */
export interface IgnoredNames {
  /** Type of the resource; `any`: of every resource that is read. */
  readonly resource: ReadType | 'any';
  readonly elements: readonly string[];
  /** Last parts of their addresses. */
  readonly extensions: readonly string[];
  /** What is deeper in an element that is read, and when it is ignored. */
  readonly parts: readonly string[];
}

const IGNORED_PARTS: Readonly<Record<IgnoredNames['resource'], readonly string[]>> = {
  Patient: [
    'name.prefix',
    'name.suffix',
    'a name, telecom, address or identifier where another one of its kind counts',
    'telecom whose system is not phone',
    'identifier whose type is not MR',
    'address.text beside the parts of the address',
    'us-core-race and us-core-ethnicity beside the worksheet’s answers',
    'us-core-birthsex or gender where the other one counts',
  ],
  Observation: [
    'a value of which a later or better one counts',
    'component.valueString of the race worksheet: names of tribes and of other races',
  ],
  Encounter: [
    'period and class, beyond telling a plan from a fact',
    'participant, in the native lane',
  ],
  Location: ['name and identifier of the place of birth'],
  any: ['display, text and system beside a code that is read', 'unit beside a code that is known'],
};

/** All that is ignored without a warning, by type. */
export const IGNORED: readonly IgnoredNames[] = [
  ...READ_TYPES.map((type) => ({
    resource: type,
    elements: ELEMENTS[type].ignored,
    extensions: EXTENSIONS[type].ignored,
    parts: IGNORED_PARTS[type],
  })),
  {
    resource: 'any',
    elements: ELEMENTS_OF_ANY,
    extensions: EXTENSIONS_OF_ANY,
    parts: IGNORED_PARTS.any,
  },
];

const namesOf = (
  table: Readonly<Record<ReadType, KnownElements>>,
  ofAny: readonly string[],
): Readonly<Record<ReadType, ReadonlySet<string>>> => {
  const of = (type: ReadType) => new Set([...ofAny, ...table[type].read, ...table[type].ignored]);
  return {
    Patient: of('Patient'),
    Observation: of('Observation'),
    Encounter: of('Encounter'),
    Location: of('Location'),
  };
};

const KNOWN_ELEMENTS = namesOf(ELEMENTS, [...ELEMENTS_OF_ANY, 'extension', 'modifierExtension']);
const KNOWN_EXTENSIONS = namesOf(EXTENSIONS, EXTENSIONS_OF_ANY);

// FHIR names its elements with letters and digits: anything else may be data of a person.
const ELEMENT = /^[A-Za-z][A-Za-z0-9]{0,63}$/;
const EXTENSION = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;

/**
 * Names what resources of a type hold that the registry does not know: paths such as `Patient.animal` and
 * `Patient.extension(shoe-size)`, each once.
 */
export const unreadElements = (
  type: ReadType,
  resources: readonly JsonObject[],
): ReadonlySet<string> => {
  const unread = new Set<string>();
  const known = KNOWN_ELEMENTS[type];
  for (const resource of resources) {
    for (const name in resource) {
      if (name === 'extension') addExtensions(type, type, resource, unread);
      if (known.has(name)) continue;
      const isPrimitive = name.startsWith('_');
      const element = isPrimitive ? name.slice(1) : name;
      if (!known.has(element)) unread.add(ELEMENT.test(element) ? `${type}.${element}` : type);
      else if (isPrimitive) addExtensions(type, `${type}.${element}`, resource[name], unread);
    }
  }
  return unread;
};

const addExtensions = (
  type: ReadType,
  path: string,
  element: unknown,
  unread: Set<string>,
): void => {
  if (!isObject(element)) return;
  for (const extension of objectsOf(element['extension'])) {
    const url = typeof extension['url'] === 'string' ? extension['url'].trim() : '';
    const name = url.slice(Math.max(url.lastIndexOf('/'), url.lastIndexOf(':')) + 1);
    if (KNOWN_EXTENSIONS[type].has(name)) continue;
    unread.add(`${path}.extension${EXTENSION.test(name) ? `(${name})` : ''}`);
  }
};
