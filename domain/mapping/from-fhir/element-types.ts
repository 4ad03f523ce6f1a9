import { asText, cacheTexts, isObject, type JsonObject } from '../../fhir/json.ts';
import { countText, spendBudget } from '../../fhir/steps.ts';

/** Resource types of FHIR R4. @see https://hl7.org/fhir/R4/resourcelist.html */
const RESOURCE_TYPES: ReadonlySet<unknown> = new Set(
  `
  Account ActivityDefinition AdverseEvent AllergyIntolerance Appointment AppointmentResponse
  AuditEvent Basic Binary BiologicallyDerivedProduct BodyStructure Bundle CapabilityStatement
  CarePlan CareTeam CatalogEntry ChargeItem ChargeItemDefinition Claim ClaimResponse
  ClinicalImpression CodeSystem Communication CommunicationRequest CompartmentDefinition
  Composition ConceptMap Condition Consent Contract Coverage CoverageEligibilityRequest
  CoverageEligibilityResponse DetectedIssue Device DeviceDefinition DeviceMetric DeviceRequest
  DeviceUseStatement DiagnosticReport DocumentManifest DocumentReference EffectEvidenceSynthesis
  Encounter Endpoint EnrollmentRequest EnrollmentResponse EpisodeOfCare EventDefinition Evidence
  EvidenceVariable ExampleScenario ExplanationOfBenefit FamilyMemberHistory Flag Goal
  GraphDefinition Group GuidanceResponse HealthcareService ImagingStudy Immunization
  ImmunizationEvaluation ImmunizationRecommendation ImplementationGuide InsurancePlan Invoice
  Library Linkage List Location Measure MeasureReport Media Medication MedicationAdministration
  MedicationDispense MedicationKnowledge MedicationRequest MedicationStatement MedicinalProduct
  MedicinalProductAuthorization MedicinalProductContraindication MedicinalProductIndication
  MedicinalProductIngredient MedicinalProductInteraction MedicinalProductManufactured
  MedicinalProductPackaged MedicinalProductPharmaceutical MedicinalProductUndesirableEffect
  MessageDefinition MessageHeader MolecularSequence NamingSystem NutritionOrder Observation
  ObservationDefinition OperationDefinition OperationOutcome Organization OrganizationAffiliation
  Parameters Patient PaymentNotice PaymentReconciliation Person PlanDefinition Practitioner
  PractitionerRole Procedure Provenance Questionnaire QuestionnaireResponse RelatedPerson
  RequestGroup ResearchDefinition ResearchElementDefinition ResearchStudy ResearchSubject
  RiskAssessment RiskEvidenceSynthesis Schedule SearchParameter ServiceRequest Slot Specimen
  SpecimenDefinition StructureDefinition StructureMap Subscription Substance SubstanceNucleicAcid
  SubstancePolymer SubstanceProtein SubstanceReferenceInformation SubstanceSourceMaterial
  SubstanceSpecification SupplyDelivery SupplyRequest Task TerminologyCapabilities TestReport
  TestScript ValueSet VerificationResult VisionPrescription
  `
    .trim()
    .split(/\s+/),
);

const isResourceType = (type: unknown): type is string => RESOURCE_TYPES.has(type);

/**
 * `joined`: its reader joins a list. `answer`: boolean or words. `value`: its reader itself says what it
 * cannot use.
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

// Readers of these decide on the meaning of their texts and numbers.
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
const EXTENSION: ObjectType = {
  ...{ url: 'text', ...VALUES, valueCoding: { one: CODING } },
  valueReference: { one: REFERENCE },
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

/** A sender may repeat them nevertheless. All of those of the race are read. */
const READ_ONCE: ReadonlySet<string> = new Set([
  ...['us-core-ethnicity', 'us-core-birthsex', 'us-core-sex', 'patient-birthTime'],
  ...['patient-mothersMaidenName', 'condition-assertedDate'],
  ...['humanname-own-prefix', 'humanname-own-name'],
  ...['humanname-fathers-family', 'humanname-mothers-family'],
  ...['patient-multipleBirthTotal', 'Extension-partial-date-vr', 'Extension-partial-date-time-vr'],
]);

/** Path of an element whose type is not that of FHIR, or of an extension that is repeated. */
export interface Mistyped {
  readonly id: 'other-type' | 'repeated';
  /** Such as `Patient.identifier.value`, or `Patient.birthDate.extension(patient-birthTime)`. */
  readonly path: string;
  readonly child: number | null;
}

interface Found {
  readonly all: Map<string, Mistyped>;
  /** Names that lead to the current element; put together only for findings. */
  readonly path: string[];
  /** Called only for findings, because it follows references. */
  childOf: () => number | null;
}

/**
 * A number for a text, a list for one value, entries that are no resource of FHIR. Paths consist of
 * names from these tables, so they say nothing about a person.
 */
export const findMistyped = (
  bundle: JsonObject,
  findChild: (resource: JsonObject) => number | null,
): readonly Mistyped[] => {
  const found: Found = { all: new Map(), path: ['Bundle'], childOf: () => null };
  visit(RULES_OF_BUNDLE, bundle, found);
  const { entry: entries } = bundle;
  for (const entry of Array.isArray(entries) ? entries : [entries]) {
    const resource = isObject(entry) ? entry['resource'] : null;
    if (resource === undefined || resource === null) continue;
    const type = isObject(resource) ? resource['resourceType'] : null;
    // No reader finds a `patient`, although the sender meant a Patient.
    if (!isObject(resource) || !isResourceType(type)) {
      found.childOf = () => null;
      found.path[0] = 'Bundle.entry';
      add(found, 'other-type', 'resource');
      continue;
    }
    found.childOf = () => findChild(resource);
    found.path[0] = type;
    visit(RULES_OF_BUNDLES.get(type) ?? NO_ELEMENT, resource, found);
  }
  return [...found.all.values()];
};

export const findMistypedInChart = (type: string, resource: JsonObject): readonly Mistyped[] => {
  const found: Found = { all: new Map(), path: [type], childOf: () => null };
  visit(RULES_OF_CHARTS.get(type) ?? NO_ELEMENT, resource, found);
  return [...found.all.values()];
};

const add = ({ all, path: parents, childOf }: Found, id: Mistyped['id'], name: string): void => {
  const child = childOf();
  const path = [...parents, name].join('.');
  all.set(`${id} ${path} ${child}`, { id, path, child });
};

/** Requirement of an element. Rules are looked up by the names an object has, since most objects have few of those they may have. */
interface Rule {
  /** Of the element, without the underscore of what stands beside a text. */
  readonly name: string;
  readonly type: Extract<ElementType, string> | 'one' | 'many';
  readonly inside: Rules | null;
}

// Not an object: senders may choose names such as `constructor`.
type Rules = Map<string, Rule>;

const EXTENSION_RULES: Rules = new Map();
const NO_ELEMENT: Rules = new Map([
  ['extension', { name: 'extension', type: 'many', inside: EXTENSION_RULES }],
]);

const buildRules = (types: ObjectType): Rules => {
  const rules = new Map(NO_ELEMENT);
  for (const [name, type] of Object.entries(types)) {
    rules.set(name, buildRule(name, type));
    // Extensions of a text or number.
    const beside = type === 'texts' ? 'many' : 'one';
    if (typeof type === 'string') rules.set(`_${name}`, { name, type: beside, inside: NO_ELEMENT });
  }
  return rules;
};

const buildRule = (name: string, type: ElementType): Rule => {
  if (typeof type === 'string') return { name, type, inside: null };
  if ('value' in type) return { name, type: 'value', inside: buildRules(type.value) };
  return 'one' in type
    ? { name, type: 'one', inside: buildRules(type.one) }
    : { name, type: 'many', inside: buildRules(type.many) };
};

const buildRulesByType = (all: ReadonlyMap<string, ObjectType>): ReadonlyMap<string, Rules> =>
  new Map([...all].map(([type, types]) => [type, buildRules(types)]));

for (const [name, rule] of buildRules(EXTENSION)) EXTENSION_RULES.set(name, rule);
const RULES_OF_BUNDLE = buildRules(BUNDLE);
const RULES_OF_BUNDLES = buildRulesByType(RESOURCES);
const RULES_OF_CHARTS = buildRulesByType(OF_CHARTS);

// Our choice: extensions can nest at any depth, but deeper levels add nothing.
const MAX_DEPTH = 13;

const visit = (rules: Rules, element: JsonObject, found: Found): void => {
  if (found.path.length > MAX_DEPTH) return;
  for (const name in element) {
    const rule = rules.get(name);
    if (rule === undefined) continue;
    visitValue(rule, element[name], found);
    if (name === 'extension') addRepeated(element[name], found);
  }
};

const visitValue = ({ name, type, inside }: Rule, value: unknown, found: Found): void => {
  if (value === undefined || value === null) return;
  // Fast path: most values are texts.
  if (typeof value === 'string') {
    if (type === 'one' || type === 'many') add(found, 'other-type', name);
    return;
  }
  if (Array.isArray(value)) spendBudget(value.length);
  if (Array.isArray(value) ? !isListOf(type, value) : !isOneOf(type, value))
    add(found, 'other-type', name);
  if (inside === null || typeof value !== 'object') return;
  found.path.push(name);
  // One object instead of a list is read.
  if (!Array.isArray(value)) visit(inside, value as JsonObject, found);
  else for (const part of value) if (isObject(part)) visit(inside, part, found);
  found.path.pop();
};

/** @param value no text */
const isOneOf = (type: Rule['type'], value: unknown): boolean => {
  if (type === 'answer') return typeof value === 'boolean';
  return type === 'value' || ((type === 'one' || type === 'many') && isObject(value));
};

const isListOf = (type: Rule['type'], parts: readonly unknown[]): boolean => {
  if (type === 'joined')
    return parts.length === 0 || parts.some((part) => typeof part === 'string');
  if (type === 'texts') return parts.every((part) => part === null || typeof part === 'string');
  return type === 'many' && parts.every((part) => part === null || isObject(part));
};

const addRepeated = (extensions: unknown, found: Found): void => {
  if (!Array.isArray(extensions) || extensions.length < 2) return;
  let first: Map<string, JsonObject> | null = null;
  for (const extension of extensions) {
    if (!isObject(extension)) continue;
    const name = findReadOnce(asText(extension['url']) ?? '');
    if (name === null) continue;
    first ??= new Map();
    const before = first.get(name);
    if (before === undefined) first.set(name, extension);
    else if (!isSame(before, extension)) add(found, 'repeated', `extension(${name})`);
  }
};

const findReadOnce = cacheTexts((url) => {
  const name = url.slice(url.lastIndexOf('/') + 1);
  return READ_ONCE.has(name) ? name : null;
});

const isSame = (one: JsonObject, other: JsonObject): boolean => {
  const text = JSON.stringify(one);
  countText(text);
  return text === JSON.stringify(other);
};
