import { asText, isObject, type JsonObject } from '../../fhir/json.ts';
import { isResourceType } from '../../fhir/resource-types.ts';
import { countSteps, countText } from '../../fhir/steps.ts';

/**
 * Content of an element: one text, one or several texts, a text or a list that its reader
 * joins, an answer as a boolean or in words, one value of any type, whose reader itself says what it
 * cannot use, or one or several objects.
 */
type ElementType = 'text' | 'texts' | 'joined' | 'answer' | 'value' | Value | One | Many;

interface Value {
  readonly value: ObjectType;
}

interface One {
  readonly one: ObjectType;
}
interface Many {
  readonly many: ObjectType;
}

/** Types of the elements that are read; all others may be anything. */
interface ObjectType {
  readonly [element: string]: ElementType;
}

const CODING: ObjectType = { system: 'text', code: 'text', display: 'text' };
const CONCEPT: ObjectType = { coding: { many: CODING }, text: 'text' };
const PERIOD: ObjectType = { start: 'text', end: 'text' };
const IDENTIFIER: ObjectType = {
  ...{ use: 'text', type: { one: CONCEPT }, system: 'text', value: 'text' },
  period: { one: PERIOD },
};
const REFERENCE: ObjectType = {
  ...{ reference: 'text', type: 'text', display: 'text', identifier: { one: IDENTIFIER } },
};
const NAME: ObjectType = {
  ...{
    use: 'text',
    text: 'text',
    family: 'joined',
    given: 'texts',
    suffix: 'texts',
    period: { one: PERIOD },
  },
};
const TELECOM: Many = {
  many: { system: 'text', value: 'text', use: 'text', rank: 'value', period: { one: PERIOD } },
};
const ADDRESS: Many = {
  many: {
    ...{ use: 'text', type: 'text', text: 'text', line: 'texts', city: 'text' },
    ...{ district: 'text', state: 'text', postalCode: 'text', country: 'text' },
    period: { one: PERIOD },
  },
};
const QUANTITY: ObjectType = {
  ...{ value: 'value', comparator: 'text', unit: 'text', system: 'text', code: 'text' },
};

// What the texts and numbers of these mean is the concern of their readers.
const VALUES: ObjectType = {
  ...Object.fromEntries(
    [
      ...['String', 'Integer', 'Decimal', 'DateTime', 'Date', 'Time', 'Instant', 'Code'],
      ...['Period', 'Range', 'Ratio', 'SampledData'],
    ].map((type) => [`value${type}`, 'value' as const]),
  ),
  valueBoolean: 'answer',
  valueCoding: { value: CODING },
  valueQuantity: { value: QUANTITY },
  valueCodeableConcept: { value: CONCEPT },
  dataAbsentReason: { one: CONCEPT },
};

/** Any element can have them, and so can they. */
const EXTENSIONS: Many = {
  many: {
    ...{ url: 'text', ...VALUES, valueCoding: { one: CODING } },
    valueReference: { one: REFERENCE },
  },
};

const META: One = { one: { profile: 'texts', lastUpdated: 'text', versionId: 'text' } };

const ENCOUNTER: ObjectType = {
  status: 'text',
  class: { one: { ...CODING, ...CONCEPT } },
  subject: { one: REFERENCE },
  participant: { many: { type: { many: CONCEPT }, individual: { one: REFERENCE } } },
  period: { one: PERIOD },
  location: {
    many: {
      location: { one: REFERENCE },
      status: 'text',
      physicalType: { one: CONCEPT },
      period: { one: PERIOD },
    },
  },
};

/** Elements whose readers take several forms of them, such as a list of family names. */
const RESOURCES: ReadonlyMap<string, ObjectType> = new Map(
  Object.entries<ObjectType>({
    Patient: {
      identifier: { many: IDENTIFIER },
      name: { many: NAME },
      telecom: TELECOM,
      gender: 'value',
      birthDate: 'text',
      deceasedBoolean: 'value',
      deceasedDateTime: 'value',
      address: ADDRESS,
      multipleBirthBoolean: 'value',
      multipleBirthInteger: 'value',
      active: 'value',
      link: { many: { other: { one: REFERENCE }, type: 'text' } },
    },
    Observation: {
      status: 'text',
      code: { one: CONCEPT },
      subject: { one: REFERENCE },
      focus: { many: REFERENCE },
      effectiveDateTime: 'text',
      effectiveInstant: 'text',
      effectivePeriod: { one: PERIOD },
      ...VALUES,
      component: { many: { code: { one: CONCEPT }, ...VALUES } },
    },
    Encounter: {
      ...ENCOUNTER,
      type: { many: CONCEPT },
      hospitalization: {
        one: {
          admitSource: { one: CONCEPT },
          dischargeDisposition: { one: CONCEPT },
          origin: { one: REFERENCE },
          destination: { one: REFERENCE },
        },
      },
    },
    Location: {
      name: 'text',
      type: { many: CONCEPT },
      physicalType: { one: CONCEPT },
    },
    Consent: {
      status: 'text',
      dateTime: 'value',
      policyRule: { one: CONCEPT },
      provision: { one: { type: 'text', provision: { many: {} } } },
    },
    Composition: {
      status: 'text',
      type: { one: CONCEPT },
      subject: { one: REFERENCE },
      encounter: { one: REFERENCE },
      author: { many: REFERENCE },
      attester: { many: { party: { one: REFERENCE } } },
    },
    Practitioner: {
      identifier: { many: IDENTIFIER },
      name: { many: NAME },
      qualification: { many: { code: { one: CONCEPT } } },
    },
    PractitionerRole: {
      practitioner: { one: REFERENCE },
      code: { many: CONCEPT },
      specialty: { many: CONCEPT },
    },
  }).map(([type, types]) => [type, { ...types, meta: META }]),
);

/** Resources of a chart, which have other elements than those of a Bundle. */
const OF_CHARTS: ReadonlyMap<string, ObjectType> = new Map(
  Object.entries<ObjectType>({
    Patient: {
      ...RESOURCES.get('Patient'),
      contact: {
        many: {
          relationship: { many: CONCEPT },
          name: { one: NAME },
          telecom: TELECOM,
          address: ADDRESS,
        },
      },
    },
    Observation: { ...RESOURCES.get('Observation') },
    Condition: {
      code: { one: CONCEPT },
      verificationStatus: { one: CONCEPT },
      subject: { one: REFERENCE },
      onsetDateTime: 'text',
      onsetPeriod: { one: PERIOD },
      recordedDate: 'text',
    },
    Encounter: {
      ...ENCOUNTER,
      reasonCode: { many: CONCEPT },
      serviceProvider: { one: REFERENCE },
    },
  }).map(([type, types]) => [type, { ...types, meta: META, id: 'text' }]),
);

const BUNDLE: ObjectType = {
  meta: META,
  timestamp: 'text',
  entry: { many: {} },
};

// Extensions of a text or number, under its name with an underscore.
const BESIDE: One = { one: {} };
const BESIDES: Many = { many: {} };

/**
 * Extensions that are read once, although nothing stops a sender from adding another one. Those of
 * the race are all read.
 */
const READ_ONCE: ReadonlySet<string> = new Set([
  ...['us-core-ethnicity', 'us-core-birthsex', 'us-core-sex', 'patient-birthTime'],
  ...['patient-mothersMaidenName', 'condition-assertedDate'],
  ...['patient-multipleBirthTotal', 'Extension-partial-date-vr', 'Extension-partial-date-time-vr'],
]);

/** Path of an element whose type is not that of FHIR, or of an extension that is repeated. */
export interface Mistyped {
  readonly id: 'other-type' | 'repeated';
  /** Such as `Patient.identifier.value`, or `Patient.birthDate.extension(patient-birthTime)`. */
  readonly path: string;
  /** Child that the resource is about; null for any other. */
  readonly child: number | null;
}

/** Collects the findings of one resource after the other. */
interface Found {
  readonly all: Map<string, Mistyped>;
  /** Called only for findings, because it follows references. */
  childOf: () => number | null;
}

/**
 * Finds elements that readers miss because of their JSON type: a number for a text, a text for a
 * CodeableConcept, a list for one value, and entries that are no resource of FHIR. The paths consist
 * of names from these tables, so they say nothing about a person. Each is listed once for a person.
 */
export const findMistyped = (
  bundle: JsonObject,
  findChild: (resource: JsonObject) => number | null,
): readonly Mistyped[] => {
  const found: Found = { all: new Map(), childOf: () => null };
  visit(BUNDLE, bundle, 'Bundle', found, 0);
  for (const entry of listParts(bundle['entry'])) {
    const resource = isObject(entry) ? entry['resource'] : null;
    if (resource === undefined || resource === null) continue;
    const type = isObject(resource) ? resource['resourceType'] : null;
    // No reader finds a `patient`, although the sender meant a Patient.
    if (!isObject(resource) || !isResourceType(type)) {
      found.childOf = () => null;
      add(found, 'other-type', 'Bundle.entry.resource');
      continue;
    }
    found.childOf = () => findChild(resource);
    visit(RESOURCES.get(type) ?? NOTHING, resource, type, found, 0);
  }
  return [...found.all.values()];
};

/**
 * Finds such elements in a resource of a chart.
 * @param type its type, which an EHR was asked for
 */
export const findMistypedInChart = (type: string, resource: JsonObject): MistypedElements => {
  const found: Found = { mistyped: new Set(), repeated: new Set() };
  visit(OF_CHARTS.get(type) ?? NOTHING, resource, type, found, 0);
  return found;
};

const NOTHING: ObjectType = {};

const add = ({ all, childOf }: Found, id: Mistyped['id'], path: string): void => {
  const child = childOf();
  all.set(`${id} ${path} ${child}`, { id, path, child });
};

// Unlike `asArray`, without the limit on lists: many of these are not read otherwise.
const listParts = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) return value === undefined || value === null ? [] : [value];
  countSteps(value.length);
  return value;
};

// Our choice: extensions can nest at any depth, but deeper levels add nothing.
const MAX_DEPTH = 12;

const visit = (
  types: ObjectType,
  element: JsonObject,
  path: string,
  found: Found,
  depth: number,
): void => {
  if (depth > MAX_DEPTH) return;
  for (const name in types) {
    const type = types[name] ?? 'value';
    visitValue(type, element[name], `${path}.${name}`, found, depth);
    if (typeof type !== 'string') continue;
    const besides = type === 'texts' ? BESIDES : BESIDE;
    visitValue(besides, element[`_${name}`], `${path}.${name}`, found, depth);
  }
  const { extension } = element;
  if (extension === undefined) return;
  visitValue(EXTENSIONS, extension, `${path}.extension`, found, depth);
  addRepeated(extension, path, found);
};

const visitValue = (
  type: ElementType,
  value: unknown,
  path: string,
  found: Found,
  depth: number,
): void => {
  if (value === undefined || value === null) return;
  const parts = listParts(value);
  if (!isOfType(type, value, parts)) add(found, 'other-type', path);
  if (typeof type === 'string') return;
  const types = getObjectType(type);
  for (const part of parts) if (isObject(part)) visit(types, part, path, found, depth + 1);
};

const getObjectType = (type: Value | One | Many): ObjectType => {
  if ('value' in type) return type.value;
  return 'one' in type ? type.one : type.many;
};

// One object instead of a list is read.
const isOfType = (type: ElementType, value: unknown, parts: readonly unknown[]): boolean => {
  if (type === 'value') return !Array.isArray(value);
  if (type === 'joined')
    return parts.length === 0 || parts.some((part) => typeof part === 'string');
  if (type === 'answer') return typeof value === 'boolean' || typeof value === 'string';
  if (type === 'text') return typeof value === 'string';
  if (type === 'texts') return parts.every((text) => text === null || typeof text === 'string');
  if ('value' in type) return !Array.isArray(value);
  return 'one' in type ? isObject(value) : parts.every((part) => part === null || isObject(part));
};

const addRepeated = (extensions: unknown, path: string, found: Found): void => {
  const first = new Map<string, JsonObject>();
  for (const extension of Array.isArray(extensions) ? extensions : []) {
    if (!isObject(extension)) continue;
    const url = asText(extension['url']) ?? '';
    const name = url.slice(url.lastIndexOf('/') + 1);
    if (!READ_ONCE.has(name)) continue;
    const before = first.get(name);
    if (before === undefined) first.set(name, extension);
    else if (!isSame(before, extension)) add(found, 'repeated', `${path}.extension(${name})`);
  }
};

const isSame = (one: JsonObject, other: JsonObject): boolean => {
  const text = JSON.stringify(one);
  countText(text);
  return text === JSON.stringify(other);
};
