import { STREET_PARTS } from '../../course/addresses.ts';
import { asObjects, cacheTexts, type JsonObject } from '../../fhir/json.ts';
import { countName, countText } from '../../fhir/steps.ts';

/**
 * Known elements of a resource that the registry reads. `read` elements fill the record, or leave a warning
 * if they cannot; `ignored` ones have no field in the record.
 * @see spec "FHIR resources read from a submitted course of care"
 */
export interface KnownElements {
  readonly read: readonly string[];
  readonly ignored: readonly string[];
}

export const READ_TYPES = [
  ...(['Patient', 'Observation', 'Encounter', 'Location', 'Consent'] as const),
  ...(['Composition', 'Practitioner', 'PractitionerRole'] as const),
] as const;

export type ReadType = (typeof READ_TYPES)[number];

const ELEMENTS_OF_ANY = [
  'resourceType',
  'id',
  'meta',
  'implicitRules',
  'language',
  'text',
  'contained',
] as const;

export const ELEMENTS: Readonly<Record<ReadType, KnownElements>> = {
  Patient: {
    read: [
      ...['identifier', 'name', 'telecom', 'gender', 'birthDate', 'deceasedBoolean'],
      ...['deceasedDateTime', 'address', 'multipleBirthBoolean', 'multipleBirthInteger'],
      ...['active', 'link'],
    ],
    ignored: [
      ...['maritalStatus', 'photo', 'contact', 'communication'],
      ...['generalPractitioner', 'managingOrganization'],
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
  Consent: {
    read: ['status', 'dateTime', 'provision', 'policyRule'],
    ignored: [
      ...['identifier', 'scope', 'category', 'patient', 'performer', 'organization'],
      ...['sourceAttachment', 'sourceReference', 'policy', 'verification'],
    ],
  },
  Composition: {
    read: ['status', 'type', 'subject', 'encounter', 'author', 'attester'],
    ignored: [
      ...['identifier', 'category', 'date', 'title', 'confidentiality', 'custodian', 'relatesTo'],
      ...['event', 'section'],
    ],
  },
  Practitioner: {
    read: ['identifier', 'active', 'name', 'qualification'],
    ignored: ['telecom', 'address', 'gender', 'birthDate', 'photo', 'communication'],
  },
  PractitionerRole: {
    read: ['practitioner'],
    ignored: [
      ...['identifier', 'active', 'period', 'organization', 'code', 'specialty', 'location'],
      ...['healthcareService', 'telecom', 'availableTime', 'notAvailable', 'endpoint'],
      'availabilityExceptions',
    ],
  },
};

/** Codes of Observations that the guide has and the record has no field for. */
export const IGNORED_OBSERVATIONS: ReadonlySet<string> = new Set([
  // Risk factors, and the father’s education.
  ...['73775-9', '87300-0'],
  // Occupation and industry, marriage, paternity, and whether a Social Security number is asked for.
  ...['11341-5', '21843-8', '87301-8', '87302-6', '87295-2'],
  // Groups of infections, anomalies, procedures, and morbidity.
  ...['72519-2', '73780-9', '73781-7', '73814-6'],
  // Examinations after a fetal death, and its time.
  ...['73767-6', '74498-7', '85699-7', '73811-2'],
  ...['inputraceandethnicityFather', 'codedraceandethnicityMother', 'codedraceandethnicityFather'],
  'emergingissues',
]);

const CODEABLE_CONCEPT = ['coding', 'text'];
const CODING = ['system', 'version', 'code', 'display', 'userSelected'];
const QUANTITY = ['value', 'comparator', 'unit', 'system', 'code'];
const REFERENCE = ['reference', 'type', 'identifier', 'display'];
const PERIOD = ['start', 'end'];
const VALUES = ELEMENTS.Observation.read.filter((name) => name.startsWith('value'));

/** Known parts of the elements that are read, by element name. @see https://hl7.org/fhir/R4/datatypes.html */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  name: ['use', 'text', 'family', 'given', 'prefix', 'suffix', 'period'],
  telecom: ['system', 'value', 'use', 'rank', 'period'],
  address: [
    ...['use', 'type', 'text', 'line', 'city', 'district', 'state', 'postalCode', 'country'],
    'period',
  ],
  identifier: ['use', 'type', 'system', 'value', 'period', 'assigner'],
  component: [
    ...['code', 'dataAbsentReason', 'interpretation', 'referenceRange', 'modifierExtension'],
    ...VALUES,
  ],
  participant: ['type', 'period', 'individual', 'modifierExtension'],
  // Location in an Encounter, and its reference.
  location: [
    ...['location', 'status', 'physicalType', 'period', 'modifierExtension'],
    ...REFERENCE,
  ],
  hospitalization: [
    ...['preAdmissionIdentifier', 'origin', 'admitSource', 'reAdmission', 'dietPreference'],
    ...['specialCourtesy', 'specialArrangement', 'destination', 'dischargeDisposition'],
    'modifierExtension',
  ],
  attester: ['mode', 'time', 'party', 'modifierExtension'],
  qualification: ['identifier', 'code', 'period', 'issuer', 'modifierExtension'],
  provision: [
    ...['type', 'period', 'actor', 'action', 'securityLabel', 'purpose', 'class', 'code'],
    ...['dataPeriod', 'data', 'provision', 'modifierExtension'],
  ],
  ...Object.fromEntries(
    [
      ...['type', 'code', 'physicalType', 'admitSource', 'dischargeDisposition'],
      ...['valueCodeableConcept', 'dataAbsentReason'],
    ].map((name) => [name, CODEABLE_CONCEPT]),
  ),
  // Many senders use a CodeableConcept instead of a Coding.
  class: [...CODING, ...CODEABLE_CONCEPT],
  ...Object.fromEntries(['coding', 'valueCoding'].map((name) => [name, CODING])),
  valueQuantity: QUANTITY,
  ...Object.fromEntries(
    [
      ...['subject', 'focus', 'individual', 'origin', 'destination', 'encounter', 'author'],
      ...['party', 'practitioner'],
    ].map((name) => [name, REFERENCE]),
  ),
  ...Object.fromEntries(['period', 'effectivePeriod', 'valuePeriod'].map((name) => [name, PERIOD])),
};

/** Last URL segment of the extensions of each resource type and its elements. */
export const EXTENSIONS: Readonly<Record<ReadType, KnownElements>> = {
  Patient: {
    read: [
      ...['us-core-race', 'us-core-ethnicity', 'us-core-birthsex', 'us-core-sex'],
      ...['patient-birthTime', 'patient-multipleBirthTotal', 'Extension-partial-date-vr'],
      ...['Extension-partial-date-time-vr', 'Extension-patient-fetal-death-vr'],
      ...['Extension-reported-parent-age-at-delivery-vr', 'data-absent-reason'],
      ...['unrecorded', 'recorded', 'masked'],
      ...Object.values(STREET_PARTS).flatMap((names) =>
        names.map((name) => (/^[a-z]/.test(name) ? `iso21090-ADXP-${name}` : name)),
      ),
    ],
    ignored: [
      ...['patient-birthPlace', 'patient-mothersMaidenName', 'us-core-genderIdentity'],
      ...['us-core-tribal-affiliation', 'individual-genderIdentity', 'individual-pronouns'],
      ...['patient-genderIdentity', 'patient-nationality', 'patient-religion'],
      ...['Extension-within-city-limits-indicator-vr', 'Extension-jurisdiction-id-vr'],
    ],
  },
  Observation: {
    read: [
      ...['Extension-partial-date-vr', 'Extension-partial-date-time-vr', 'data-absent-reason'],
      ...['recorded', 'unrecorded'],
    ],
    ignored: ['Extension-role', 'Extension-role-vr'],
  },
  Encounter: {
    read: ['data-absent-reason', 'unrecorded', 'transfer'],
    ignored: ['Extension-role', 'Extension-role-vr'],
  },
  Location: {
    read: ['data-absent-reason'],
    ignored: ['Extension-jurisdictional-facility-identifier', 'Extension-jurisdiction-id-vr'],
  },
  Consent: { read: ['data-absent-reason'], ignored: [] },
  Composition: {
    read: ['data-absent-reason', 'unrecorded'],
    ignored: [
      ...['Extension-encounter-maternity-reference', 'Extension-date-filed-by-registrar'],
      ...['Extension-date-received-by-registrar', 'Extension-fetal-death-local-file-number'],
      ...['Extension-fetal-death-report-number', 'Extension-live-birth-certificate-number'],
      'Extension-live-birth-local-file-number',
    ],
  },
  Practitioner: {
    read: ['data-absent-reason', 'recorded', 'unrecorded'],
    ignored: [
      ...['Extension-role', 'Extension-role-vr'],
      ...['practitioner-role-birth-attendant', 'practitioner-role-birth-certifier'],
    ],
  },
  PractitionerRole: { read: ['data-absent-reason'], ignored: [] },
};

/** Extensions that describe how a value was edited or spelled, on any element. */
const EXTENSIONS_OF_ANY = [
  ...['BypassEditFlag', 'CityCode', 'DistrictCode', 'StateCode', 'CountyCode', 'verbatim'],
  ...['humanname-own-prefix', 'humanname-own-name', 'humanname-fathers-family'],
  ...['humanname-mothers-family', 'geolocation'],
] as const;

export interface IgnoredNames {
  /** Resource type; `any` means every resource that is read. */
  readonly resource: ReadType | 'Bundle' | 'RelatedPerson' | 'any';
  readonly elements: readonly string[];
  readonly codes?: readonly string[];
  /** Last segments of their URLs. */
  readonly extensions: readonly string[];
  readonly parts: readonly IgnoredPart[];
}

export interface IgnoredPart {
  /** Path from the resource; only the last name for `any`. */
  readonly path: string;
  /** Condition; absent if always ignored. */
  readonly when?: string;
}

const IGNORED_PARTS: Readonly<Record<ReadType | 'any', readonly IgnoredPart[]>> = {
  Patient: [
    {
      path: 'active',
      when: 'except to find the Patient that replaced others, and to warn of no other',
    },
    { path: 'link', when: 'except to find the Patient that replaced others' },
    { path: 'name.prefix' },
    { path: 'name', when: 'where another one counts' },
    { path: 'name.text', when: 'beside a family or given name' },
    { path: 'telecom', when: 'if it is no phone, of a child, or where another one counts' },
    { path: 'address', when: 'of a child, or where another one counts' },
    { path: 'address.text', when: 'beside a line' },
    { path: 'address.extension', when: 'of parts of the street, beside a line with their numbers' },
    { path: 'identifier', when: 'if its type is not MR, or where another one counts' },
    { path: 'identifier.assigner' },
    { path: 'gender', when: 'of the mother, or where the sex at birth counts' },
    { path: 'extension(us-core-birthsex)', when: 'of the mother, or where gender counts' },
    { path: 'extension(us-core-sex)', when: 'of the mother, or where another one counts' },
    { path: 'extension(us-core-race)', when: 'of a child, or beside the worksheet’s answers' },
    {
      path: 'extension(us-core-ethnicity)',
      when: 'of a child, or beside the worksheet’s answers; details beside a category',
    },
    {
      path: 'extension(Extension-reported-parent-age-at-delivery-vr)',
      when: 'of the father, or where birth dates give the age',
    },
    { path: 'extension(Extension-patient-fetal-death-vr)', when: 'where a profile says it' },
    {
      path: 'birthDate.extension(Extension-partial-date-time-vr)',
      when: 'where the date, or another time, counts',
    },
    { path: 'birthDate.extension(Extension-partial-date-vr)', when: 'where the date counts' },
    { path: 'birthDate.extension(patient-birthTime)', when: 'where another time counts' },
    { path: 'birthDate', when: 'beside parts or a time that say the same' },
    { path: 'deceasedBoolean', when: 'of the mother, or where an Observation states it' },
    { path: 'deceasedDateTime', when: 'of the mother, and beyond that the child died' },
    { path: 'multipleBirthInteger', when: 'of the mother' },
    { path: 'multipleBirthBoolean', when: 'of the mother' },
  ],
  Observation: [
    { path: 'value[x]', when: 'where a later or better Observation counts' },
    { path: 'dataAbsentReason', when: 'except to see that there is no value' },
    { path: 'component', when: 'if its code is not read, or its unit is that of the whole value' },
    { path: 'component.valueString', when: 'of the worksheet: names of tribes and of other races' },
    { path: 'status', when: 'except to choose the Observation that counts' },
    { path: 'effective[x]', when: 'except to choose the Observation that counts' },
    { path: 'subject', when: 'of what is said of the mother or the delivery' },
    { path: 'focus', when: 'unless it alone says which child is meant' },
    { path: 'code', when: 'beyond the code that is read' },
  ],
  Encounter: [
    { path: 'status', when: 'except to distinguish a plan from a fact' },
    {
      path: 'period',
      when: 'except to distinguish a plan from a fact, and for the hour at which a child was discharged to another facility',
    },
    { path: 'class', when: 'unless it names a transfer' },
    { path: 'type', when: 'unless it names a transfer' },
    { path: 'subject', when: 'except for who was transferred' },
    { path: 'hospitalization.admitSource', when: 'unless it names a transfer' },
    { path: 'hospitalization.dischargeDisposition', when: 'unless it names a transfer' },
    { path: 'hospitalization.origin', when: 'unless there is a transfer' },
    { path: 'hospitalization.destination', when: 'unless there is a transfer' },
    ...[
      ...['preAdmissionIdentifier', 'reAdmission', 'dietPreference', 'specialCourtesy'],
      'specialArrangement',
    ].map((name) => ({ path: `hospitalization.${name}` })),
    { path: 'location', when: 'except for the place of birth' },
    { path: 'participant', when: 'in the native lane, or where another one is the attendant' },
  ],
  Location: [
    { path: 'name', when: 'of the place of birth' },
    { path: 'identifier' },
    { path: 'status' },
    { path: 'type', when: 'except for the place of birth and transfers' },
    { path: 'physicalType', when: 'where the type counts' },
  ],
  Consent: [
    { path: 'provision', when: 'except to see if anything is denied' },
    { path: 'policyRule', when: 'except to see if it refuses' },
  ],
  Composition: [
    { path: 'status', when: 'except to retract the record' },
    { path: 'type', when: 'except to see if it is of a fetal death' },
    { path: 'subject', when: 'except to see whose fetal death it is' },
    { path: 'encounter', when: 'except to find the birth' },
    { path: 'author', when: 'in the native lane, or where an attester is the certifier' },
    { path: 'attester', when: 'in the native lane, or where another one is the certifier' },
  ],
  Practitioner: [
    { path: 'active', when: 'except to find the Practitioner that replaced others' },
    { path: 'identifier', when: 'in the native lane' },
    { path: 'identifier', when: 'where another one counts' },
    { path: 'name', when: 'in the native lane' },
    { path: 'name', when: 'where another one counts' },
    { path: 'qualification', when: 'in the native lane' },
    { path: 'qualification', when: 'beyond role and credentials' },
  ],
  PractitionerRole: [{ path: 'practitioner', when: 'in the native lane' }],
  any: [
    { path: 'display', when: 'beside a code or name that is read' },
    { path: 'text', when: 'beside a code that is read' },
    { path: 'system', when: 'beside a code that is known by itself' },
    { path: 'extension(data-absent-reason)', when: 'except to see that there is no value' },
    { path: 'extension(unrecorded)', when: 'where another one counts' },
    { path: 'version' },
    { path: 'userSelected' },
    { path: 'unit', when: 'beside a code that is known' },
    { path: 'use', when: 'except to choose one of several' },
    { path: 'period', when: 'except to choose one of several' },
    { path: 'rank', when: 'except to choose one of several' },
  ],
};

export const IGNORED: readonly IgnoredNames[] = [
  ...READ_TYPES.map((type) => ({
    resource: type,
    elements: ELEMENTS[type].ignored,
    extensions: EXTENSIONS[type].ignored,
    parts: IGNORED_PARTS[type],
    ...(type === 'Observation' ? { codes: [...IGNORED_OBSERVATIONS] } : {}),
  })),
  {
    resource: 'RelatedPerson',
    elements: [
      ...['identifier', 'active', 'patient', 'relationship', 'name', 'telecom', 'gender'],
      ...['birthDate', 'address', 'photo', 'period', 'communication', 'extension'],
    ],
    extensions: [],
    parts: [],
  },
  {
    resource: 'Bundle',
    elements: ['type', 'total', 'link', 'signature'],
    extensions: [],
    parts: [
      { path: 'timestamp', when: 'where the time of the last change counts' },
      { path: 'identifier', when: 'beyond the chart number' },
      { path: 'entry', when: 'where a newer version of the same resource counts' },
      { path: 'entry.fullUrl', when: 'except to find what references lead to' },
      { path: 'entry.request', when: 'unless it deletes the record' },
      { path: 'entry.search' },
      { path: 'entry.response' },
      { path: 'entry.resource', when: 'of a Patient who is neither mother nor child' },
      { path: 'entry.resource', when: 'of a resource type that is in no row of these tables' },
    ],
  },
  {
    resource: 'any',
    elements: ELEMENTS_OF_ANY,
    extensions: EXTENSIONS_OF_ANY,
    parts: IGNORED_PARTS.any,
  },
];

/** `null` if deeper parts are not checked. */
interface Known extends ReadonlyMap<string, Known | null> {}

/** Each table is built once, because references and identifiers can contain each other. */
const KNOWN_PARTS = new Map<string, Known>();

const findKnown = (element: string): Known | null => {
  const known = KNOWN_PARTS.get(element);
  if (known !== undefined) return known;
  const names = PARTS[element];
  if (names === undefined) return null;
  const parts = new Map<string, Known | null>();
  KNOWN_PARTS.set(element, parts);
  parts.set('id', null);
  for (const name of names) parts.set(name, findKnown(name));
  return parts;
};

const forEachType = <T>(make: (type: ReadType) => T): Readonly<Record<ReadType, T>> => ({
  Patient: make('Patient'),
  Observation: make('Observation'),
  Encounter: make('Encounter'),
  Location: make('Location'),
  Consent: make('Consent'),
  Composition: make('Composition'),
  Practitioner: make('Practitioner'),
  PractitionerRole: make('PractitionerRole'),
});

const KNOWN_ELEMENTS = forEachType<Known>(
  (type) =>
    new Map([
      ...[...ELEMENTS_OF_ANY, 'modifierExtension'].map((name) => [name, null] as const),
      ...ELEMENTS[type].ignored.map((name) => [name, null] as const),
      ...ELEMENTS[type].read.map((name) => [name, findKnown(name)] as const),
    ]),
);

/** Last segment of the address of an extension; `null` if the extension is known. */
const FIND_UNKNOWN = forEachType((type) => {
  const known = new Set<string>([
    ...EXTENSIONS_OF_ANY,
    ...EXTENSIONS[type].read,
    ...EXTENSIONS[type].ignored,
  ]);
  return cacheTexts((sent) => {
    const url = sent.trim();
    const name = url.slice(Math.max(url.lastIndexOf('/'), url.lastIndexOf(':')) + 1);
    // Readers look for the last segment of an address.
    return known.has(name) && url.endsWith(`/${name}`) ? null : name;
  });
});

// FHIR element names consist of letters and digits; anything else may be personal data.
const ELEMENT = /^[A-Za-z][A-Za-z0-9]{0,63}$/;
const EXTENSION = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;

/** `Patient.animal`, `Patient.name.nickname`, `Patient.extension(shoe-size)`, each once. */
export const findUnreadElements = (
  type: ReadType,
  resources: readonly JsonObject[],
): ReadonlySet<string> => {
  const unread = new Set<string>();
  const visit = (element: JsonObject, path: string, known: Known, depth: number): void => {
    let names = 0;
    for (const name in element) {
      countName(names);
      names += 1;
      const parts = known.get(name);
      if (parts === null) continue;
      if (parts === undefined) addUnknown({ type, path, unread }, name, element[name], known);
      else if (depth < DEEPEST)
        for (const part of asObjects(element[name]))
          visit(part, `${path}.${name}`, parts, depth + 1);
    }
  };
  for (const resource of resources) visit(resource, type, KNOWN_ELEMENTS[type], 0);
  return unread;
};

interface Place {
  readonly type: ReadType;
  readonly path: string;
  readonly unread: Set<string>;
}

// Our choice: provisions of a consent can nest at any depth, but deeper levels add nothing.
const DEEPEST = 8;

/** Adds extensions, unknown siblings of a known value, and names that are in no table. */
const addUnknown = (place: Place, name: string, value: unknown, known: Known): void => {
  const { path, unread } = place;
  const element = name.startsWith('_') ? name.slice(1) : name;
  if (name === 'extension') addExtensions(place, value);
  else if (element === name || !known.has(element))
    unread.add(ELEMENT.test(element) ? `${path}.${element}` : path);
  else
    for (const beside of asObjects(value))
      addExtensions({ ...place, path: `${path}.${element}` }, beside['extension']);
};

const addExtensions = ({ type, path, unread }: Place, extensions: unknown): void => {
  for (const extension of asObjects(extensions)) {
    const url = typeof extension['url'] === 'string' ? extension['url'] : '';
    countText(url);
    const name = FIND_UNKNOWN[type](url);
    if (name !== null) unread.add(`${path}.extension${EXTENSION.test(name) ? `(${name})` : ''}`);
  }
};
