import {
  BFDR,
  buildCoding,
  buildConcept,
  COMMON,
  TERMINOLOGY,
} from '../../domain/export/bfdr/elements.ts';
import { LOINC, readCodes, UCUM } from '../../domain/fhir/coded-values.ts';
import { asObject, asObjects, isObject, type JsonObject } from '../../domain/fhir/json.ts';
import { addDays } from './calendar.ts';
import {
  type Addition,
  EMERGING_ISSUES,
  FATHER,
  type Family,
  inventSecurityNumber,
  isMother,
  LOCAL_OBSERVATIONS,
  listFurtherResources,
} from './further-resources.ts';
import { inventRecordNumber } from './mothers.ts';
import { inventGivenNames, pickStreetName } from './names.ts';
import type { Practice } from './practice.ts';
import { createRandom, type Random } from './random.ts';
import type { Birth } from './sender-style.ts';
import { SENDER } from './style-bundle.ts';

/** Narrative of a resource as servers generate it: what it states, as HTML. */
const buildNarrative = (resource: JsonObject): JsonObject => {
  const { resourceType, id, meta: _, ...elements } = resource;
  return {
    status: 'generated',
    div:
      '<div xmlns="http://www.w3.org/1999/xhtml">' +
      `<p><b>Generated Narrative: ${resourceType}</b><a name="${id}"> </a></p>` +
      `<table class="grid">${listRows(elements, '').join('')}</table></div>`,
  };
};

const listRows = (value: unknown, path: string): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => listRows(one, path));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, part]) =>
      name === 'system' || name === 'url'
        ? []
        : listRows(part, path === '' || isObject(part) ? name : `${path} ${name}`),
    );
  return value === undefined
    ? []
    : [`<tr><td>${path}</td><td>${escapeText(String(value))}</td></tr>`];
};

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * Adds all elements that the profiles of the guide have and the registry does not write: what it
 * ignores, resources that it does not read, and narratives. What the document says of the birth stays.
 */
export const addAllElements = (
  bundle: JsonObject,
  { course }: Birth,
  practice: Practice,
): JsonObject => {
  const entries = asObjects(bundle['entry']);
  const resources = entries.map(({ resource }) => asObject(resource));
  const [prefix = ''] = String(resources[0]?.['id']).split('-');
  // Of its own, so that a seed has the same births with and without these elements.
  const family = describeFamily(
    resources,
    course,
    practice,
    prefix,
    createRandom(`${course.chart_number}/all elements`),
  );
  const further = listFurtherResources(family, resources).map((addition, at): Addition => {
    const id = `${prefix}-${addition.name ?? resources.length + at + 1}`;
    return { ...addition, resource: { ...addition.resource, id } };
  });
  const all = [...resources, ...further.map(({ resource }) => resource)].map(
    (resource): JsonObject => {
      const add = ELEMENTS[String(resource['resourceType'])];
      return add === undefined ? resource : { ...resource, ...add(resource, family) };
    },
  );
  return {
    ...bundle,
    identifier: addFileNumbers(asObject(bundle['identifier']), family.random),
    entry: all
      .map((resource) =>
        resource['resourceType'] === 'Composition'
          ? { ...resource, section: addToSections(asObjects(resource['section']), further, family) }
          : resource,
      )
      .map((resource) => ({
        fullUrl: `${SENDER}/${buildPath(resource)}`,
        resource: { ...resource, text: buildNarrative(resource) },
      })),
  };
};

const buildPath = ({ resourceType, id }: JsonObject): string => `${resourceType}/${id}`;

const describeFamily = (
  resources: readonly JsonObject[],
  course: Birth['course'],
  practice: Practice,
  prefix: string,
  random: Random,
): Family => {
  const referTo = (type: string, matches: (resource: JsonObject) => boolean): JsonObject => {
    const found = resources.find((one) => one['resourceType'] === type && matches(one));
    return found === undefined ? {} : { reference: buildPath(found) };
  };
  const hasProfile =
    (name: string) =>
    ({ meta }: JsonObject): boolean =>
      JSON.stringify(meta ?? '').includes(name);
  const mother = referTo('Patient', hasProfile('Patient-mother'));
  return {
    practice,
    random,
    course,
    mother,
    firstChild: referTo('Patient', (one) => buildPath(one) !== mother['reference']),
    maternity: referTo('Encounter', hasProfile('Encounter-maternity')),
    attendant: referTo('Practitioner', () => true),
    hospital: { reference: `Organization/${prefix}-hospital`, display: practice.hospital },
    father: { reference: `RelatedPerson/${prefix}-father` },
    fatherNames: inventGivenNames('general', 'men', random),
    bornOn: course.children[0]?.birth_date ?? '',
  };
};

const addToSections = (
  sections: readonly JsonObject[],
  further: readonly Addition[],
  { father }: Family,
): readonly JsonObject[] => {
  const listEntries = (code: string | null): readonly JsonObject[] =>
    further
      .filter(({ section }) => section === code)
      .map(({ resource }) => ({ reference: buildPath(resource) }));
  return [
    ...sections.map((section) => ({
      ...section,
      entry: [...asObjects(section['entry']), ...readCodes(section['code']).flatMap(listEntries)],
    })),
    {
      title: "Father's administrative information",
      code: buildConcept(LOINC, FATHER, "Father's administrative information"),
      focus: father,
      entry: listEntries(FATHER),
    },
    {
      title: 'Emerging issues',
      code: buildConcept(LOCAL_OBSERVATIONS, EMERGING_ISSUES, 'Emerging issues'),
      entry: listEntries(EMERGING_ISSUES),
    },
  ];
};

const extend = (element: unknown, ...more: readonly JsonObject[]): JsonObject => ({
  ...asObject(element),
  extension: [...asObjects(asObject(element)['extension']), ...more],
});

const buildCommonElement = (name: string, value: JsonObject): JsonObject => ({
  url: `${COMMON}/${name}`,
  ...value,
});

const addFileNumbers = (identifier: JsonObject, random: Random): JsonObject =>
  extend(
    identifier,
    ...['CertificateNumber', 'AuxiliaryStateIdentifier1', 'AuxiliaryStateIdentifier2'].map((name) =>
      buildCommonElement(name, { valueString: inventRecordNumber(random) }),
    ),
  );

const EDIT_FLAGS = 'http://hl7.org/fhir/us/vr-common-library/CodeSystem/CodeSystem-vr-edit-flags';
const buildEditFlag = (code: string, display: string): JsonObject =>
  buildCommonElement('BypassEditFlag', {
    valueCodeableConcept: buildConcept(EDIT_FLAGS, code, display),
  });
const EDIT_PASSED = buildEditFlag('0', 'Edit Passed');
const EDIT_OFF = buildEditFlag('0off', 'Off');

// Elements of the resources of the document

const WITHIN_CITY_LIMITS = buildCommonElement('Extension-within-city-limits-indicator-vr', {
  valueCoding: buildCoding(`${TERMINOLOGY}/v2-0136`, 'Y', 'Yes'),
});

const PLACE_CODES: JsonObject = {
  _city: { extension: [buildCommonElement('CityCode', { valueUnsignedInt: 27_300 })] },
  _district: { extension: [buildCommonElement('DistrictCode', { valueUnsignedInt: 35 })] },
};

const inventDetailedAddress = ({ region }: Practice, use: string, random: Random): JsonObject => {
  const { name, county } = random.pick(region.towns);
  const number = String(random.whole(1, 4999));
  const unit = String(random.whole(1, 48));
  const [designator = '', ...street] = pickStreetName(random).split(' ').reverse();
  const streetName = street.reverse().join(' ');
  const parts = {
    StreetNumber: number,
    PreDirectional: 'N',
    StreetName: streetName,
    StreetDesignator: designator,
    PostDirectional: 'E',
    UnitOrAptNumber: unit,
  };
  return {
    extension: [
      WITHIN_CITY_LIMITS,
      ...Object.entries(parts).map(([part, valueString]) =>
        buildCommonElement(part, { valueString }),
      ),
    ],
    use,
    line: [`${number} N ${streetName} ${designator} E, Apt ${unit}`],
    ...PLACE_CODES,
    city: name,
    district: county,
    state: region.state,
    country: 'US',
  };
};

const buildBirthPlace = ({ practice: { region } }: Family): JsonObject => {
  const [town] = region.towns;
  return {
    url: 'http://hl7.org/fhir/StructureDefinition/patient-birthPlace',
    valueAddress: {
      ...PLACE_CODES,
      city: town?.name,
      district: town?.county,
      state: region.state,
      country: 'US',
    },
  };
};

const addToMother = (mother: JsonObject, family: Family): JsonObject => {
  const { practice, random } = family;
  const [current = {}] = asObjects(mother['name']);
  return {
    extension: [
      ...asObjects(mother['extension']),
      {
        url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-birthsex',
        valueCode: 'F',
      },
      buildBirthPlace(family),
    ],
    identifier: [...asObjects(mother['identifier']), inventSecurityNumber(random)],
    name: asObjects(mother['name']).map((name) =>
      name['use'] === 'maiden' ? { ...name, given: current['given'] } : name,
    ),
    telecom: [
      ...asObjects(mother['telecom']),
      { system: 'email', value: `${inventRecordNumber(random)}@example.org`, use: 'home' },
    ],
    _birthDate: extend(mother['_birthDate'], EDIT_PASSED),
    maritalStatus: buildConcept(`${TERMINOLOGY}/v3-MaritalStatus`, 'M', 'Married'),
    address: [
      ...asObjects(mother['address']).map((home) => ({
        ...extend(home, WITHIN_CITY_LIMITS),
        ...PLACE_CODES,
      })),
      inventDetailedAddress(practice, 'billing', random),
    ],
  };
};

const addToChild = (child: JsonObject, family: Family): JsonObject => ({
  extension: [
    ...asObjects(child['extension']),
    buildBirthPlace(family),
    buildCommonElement('Extension-reported-parent-age-at-delivery-vr', {
      extension: [
        {
          url: 'reportedAge',
          valueQuantity: {
            value: family.random.whole(20, 50),
            unit: 'a',
            system: UCUM,
            code: 'a',
          },
        },
        {
          url: 'motherOrFather',
          valueCodeableConcept: buildConcept(`${TERMINOLOGY}/v3-RoleCode`, 'FTH', 'father'),
        },
      ],
    }),
  ],
  identifier: [...asObjects(child['identifier']), inventSecurityNumber(family.random)],
  _birthDate: extend(child['_birthDate'], EDIT_PASSED),
  ...(child['deceasedBoolean'] === undefined ? { deceasedBoolean: false } : {}),
  ...(child['multipleBirthInteger'] === undefined
    ? {}
    : { _multipleBirthInteger: extend(child['_multipleBirthInteger'], EDIT_OFF) }),
});

/** LOINC codes of the Observations whose value may say that it was checked, with what it says. */
const CHECKED: ReadonlyMap<string, JsonObject> = new Map([
  ...['8339-4', '11884-4'].map((code) => [code, EDIT_OFF] as const),
  ...['68493-6', '68497-7', '8302-2', '56077-1', '69461-2', '57712-2', '87300-0'].map(
    (code) => [code, EDIT_PASSED] as const,
  ),
]);
const addToObservation = (observation: JsonObject, family: Family): JsonObject => {
  const code = readCodes(observation['code'])[0] ?? '';
  const flag = CHECKED.get(code);
  return {
    encounter: family.maternity,
    issued: `${addDays(family.bornOn, 1)}T12:00:00Z`,
    performer: [family.attendant],
    ...(flag === undefined ? {} : addFlag(observation, flag)),
  };
};

const addFlag = (observation: JsonObject, flag: JsonObject): JsonObject => {
  const [name] = Object.keys(observation).filter((one) => /^value[A-Z]/.test(one));
  if (name === undefined) return {};
  return isObject(observation[name])
    ? { [name]: extend(observation[name], flag) }
    : { [`_${name}`]: extend(observation[`_${name}`], flag) };
};

const addToEncounter = (
  _encounter: JsonObject,
  { random, hospital, bornOn }: Family,
): JsonObject => ({
  identifier: [{ system: `${SENDER}/sid/stay`, value: inventRecordNumber(random) }],
  period: { start: bornOn, end: addDays(bornOn, 3) },
  length: { value: 3, unit: 'd', system: UCUM, code: 'd' },
  serviceProvider: hospital,
});

const addToLocation = (
  { name }: JsonObject,
  { practice, random, hospital }: Family,
): JsonObject => ({
  identifier: [
    extend(
      { system: 'http://hl7.org/fhir/sid/us-npi', value: `9${inventRecordNumber(random)}0` },
      {
        url: `${BFDR}/Extension-jurisdictional-facility-identifier`,
        valueString: String(random.whole(1_000, 9_999)),
      },
    ),
  ],
  description: name,
  telecom: [{ system: 'phone', value: `+1-${practice.region.areaCode}-555-0100`, use: 'work' }],
  address: inventDetailedAddress(practice, 'work', random),
  managingOrganization: hospital,
});

const addToPractitioner = (practitioner: JsonObject, { practice, random }: Family): JsonObject => ({
  active: true,
  name: asObjects(practitioner['name']).map((name) => ({ ...name, use: 'official' })),
  telecom: [{ system: 'phone', value: `+1-${practice.region.areaCode}-555-0101`, use: 'work' }],
  address: [inventDetailedAddress(practice, 'work', random)],
});

const ELEMENTS: Readonly<Record<string, (resource: JsonObject, family: Family) => JsonObject>> = {
  Composition: (_, { random, hospital }) => ({
    identifier: { system: `${SENDER}/sid/document`, value: random.uuid() },
    custodian: hospital,
  }),
  Patient: (patient, family) =>
    isMother(patient, family) ? addToMother(patient, family) : addToChild(patient, family),
  Observation: addToObservation,
  Encounter: addToEncounter,
  Location: addToLocation,
  Practitioner: addToPractitioner,
};
