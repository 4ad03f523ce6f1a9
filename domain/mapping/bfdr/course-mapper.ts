import { isPossibleAgeAtDelivery } from '../../course/age-at-delivery.ts';
import { findFirstBirthDate } from '../../course/birth-times.ts';
import { formatReference, readChartNumber } from '../../course/chart-number.ts';
import {
  type Child,
  type CourseOfCare,
  emptyCourseOfCare,
  type FieldFlag,
  type Mother,
} from '../../course/course.ts';
import { MOTHER_BORN_FLAG, PLURALITY_FLAG, sortFlags } from '../../course/edit-flags.ts';
import { MAX_CHILDREN, MAX_COURSE_BYTES, MAX_ENTRIES, MAX_LIST } from '../../course/limits.ts';
import { findPlaceholderName } from '../../course/placeholder-names.ts';
import {
  CHART_NUMBER_UNUSABLE,
  COURSE_TOO_LONG,
  NAME_TWICE,
  NO_CHILD,
  NO_MOTHER,
  NO_RECORD_TO_RETRACT,
  type Rejection,
  rejectLongList,
  SEVERAL_CHART_NUMBERS,
  SEVERAL_MOTHERS,
  TOO_COSTLY_TO_READ,
  TOO_MANY_CHILDREN,
} from '../../course/rejections.ts';
import { normalizeInstant } from '../../course/stamps.ts';
import type { ReferenceDay } from '../../fhir/current-elements.ts';
import { countCertainYears, isDate } from '../../fhir/dates.ts';
import {
  asObject,
  asObjects,
  asText,
  cacheBy,
  firstMatch,
  type JsonObject,
} from '../../fhir/json.ts';
import { estimateSize, isLongerThan, isTextPossiblyLongerThan } from '../../fhir/json-size.ts';
import { findListPath } from '../../fhir/list-path.ts';
import { ABSENT, leaveOut, type Reading } from '../../fhir/readings.ts';
import { type Document, openDocument } from '../../fhir/references.ts';
import { getProfiles, isVersion } from '../../fhir/resources.ts';
import { withinBudget, withinListLimit } from '../../fhir/steps.ts';
import type { ProviderMention } from '../../provider/details.ts';
import { readEditFlag } from '../from-fhir/edit-flags.ts';
import { findMistyped } from '../from-fhir/element-types.ts';
import type { SubmittedCourse } from './bundle-splitter.ts';
import { readConsent } from './consent.ts';
import {
  type BundleChart,
  type Deletion,
  isOtherForm,
  readBundleChart,
  readDeletion,
} from './deletions.ts';
import { findBirthEncounter, isNamedEncounterMissing } from './encounters.ts';
import { readFetalDeath, readReport } from './fetal-deaths.ts';
import { type Observed, readObservations } from './observations.ts';
import { warnOfDeletions, warnOfOmitted } from './omitted.ts';
import { readChild, readMother, readReportedAge } from './patients.ts';
import { findPeople, findPersonObserved, type People } from './people.ts';
import { type Lane, type PlaceReading, readPlaceOfBirth } from './place-of-birth.ts';
import { forgetContradictedOrders, readPlurality } from './plurality.ts';
import { type Attribution, readAttribution } from './practitioners.ts';
import { mergeOrigins } from './race-observation.ts';
import { readTransferAnswers, readTransfers } from './transfers.ts';
import { findUnreadElements, type ReadType } from './unread-elements.ts';
import { collectWarnings, type WarningCollector } from './warning-collector.ts';

/**
 * `stamp` is a normalized instant. `providers` is empty in the native lane; `attendant` and `certifier`
 * are the partner's own provider identities.
 */
export type MappedCourse = {
  readonly position: number;
  readonly reference: string;
  readonly chart_number: string | null;
  readonly stamp: string | null;
} & (
  | {
      readonly kind: 'course';
      readonly course: CourseOfCare;
      readonly providers: readonly ProviderMention[];
    }
  | { readonly kind: 'retraction' }
  | { readonly kind: 'rejected'; readonly rejections: readonly Rejection[] }
);

/** Steps of reading that any course of care may take. Our choice: more than twice as many as real ones. */
export const MIN_STEPS = 12_000;
/** More steps, for each character of compact JSON. */
export const MAX_STEPS_PER_CHARACTER = 1;

const NO_ATTRIBUTION: Attribution = {
  attendant: null,
  certifier: null,
  doulaPresent: false,
  providers: [],
};

/**
 * Never throws, whatever the JSON. All rejections, in documented order.
 * @param registryCodeSystems besides `urn:birth-registry:codes`
 * @param textBytes if known; most are too small for the course to be too long, so it need not be
 * measured
 * @see spec "FHIR resources read from a submitted course of care"
 */
export const mapCourse = (
  submitted: SubmittedCourse,
  lane: Lane,
  registryCodeSystems: readonly string[],
  textBytes = Number.POSITIVE_INFINITY,
): MappedCourse => {
  const { bundle, position } = submitted;
  // Even its chart number may be another one than was meant.
  if (submitted.isAmbiguous === true)
    return {
      position,
      ...formatReference(null, position),
      chart_number: null,
      stamp: null,
      kind: 'rejected',
      rejections: [NAME_TWICE],
    };
  const own = readBundleChart(bundle);
  const head = buildHead(submitted, own);
  const rejections = refuseChart(own);
  const sent: Sent = { submitted, own, head, lane, registryCodeSystems, textBytes };
  const mapped = withinBudget(
    MIN_STEPS,
    () => mapWithinBudget(sent, rejections),
    // Measured only if needed, because the real ones take fewer steps.
    () => MIN_STEPS + MAX_STEPS_PER_CHARACTER * estimateSize(bundle),
  );
  if (mapped !== null) return mapped.result;
  return { ...head, kind: 'rejected', rejections: [...rejections, TOO_COSTLY_TO_READ] };
};

const refuseChart = ({ kind }: BundleChart): Rejection[] => {
  if (kind === 'unusable') return [CHART_NUMBER_UNUSABLE];
  return kind === 'several' ? [SEVERAL_CHART_NUMBERS] : [];
};

type Head = Pick<MappedCourse, 'position' | 'reference' | 'chart_number' | 'stamp'>;

interface Sent {
  readonly submitted: SubmittedCourse;
  readonly own: BundleChart;
  readonly head: Head;
  readonly lane: Lane;
  readonly registryCodeSystems: readonly string[];
  readonly textBytes: number;
}

const buildHead = ({ position, bundle }: SubmittedCourse, chart: BundleChart): Head => {
  const chartNumber = chart.kind === 'chart number' ? chart.value : null;
  return {
    position,
    ...formatReference(chartNumber, position),
    chart_number: chartNumber,
    stamp: readStamp(bundle),
  };
};

/** @param rejections collects each reason when found, so that those before an early end are listed too */
const mapWithinBudget = (sent: Sent, rejections: Rejection[]): MappedCourse => {
  const { submitted, own, head } = sent;
  const { bundle } = submitted;
  const document = openDocument(bundle);
  const deletions = findDeletions(document, own);
  if (submitted.retractedByEntry || isRetraction(document, deletions, own)) {
    const chart = own.kind === 'absent' ? findDeletedChart(deletions) : own;
    if (chart.kind === 'chart number')
      return { ...buildHead(submitted, chart), kind: 'retraction' };
    const [rejection = NO_RECORD_TO_RETRACT] = refuseChart(chart);
    return { ...head, kind: 'rejected', rejections: [rejection] };
  }
  rejections.push(...checkSize(bundle, sent.textBytes));
  // A missing resource may be in the entries that were not kept.
  if (submitted.isCut === true) return { ...head, kind: 'rejected', rejections };
  const entries = asObjects(bundle['entry']).length;
  if (entries > MAX_ENTRIES) {
    rejections.push(rejectLongList('Bundle.entry', entries, MAX_ENTRIES));
    return { ...head, kind: 'rejected', rejections };
  }
  const mapped = withinListLimit(MAX_LIST, () =>
    mapDocument(document, deletions, sent, rejections),
  );
  const { tooLong } = mapped;
  if (tooLong === null) return mapped.result;
  const path = findListPath(tooLong, bundle, document.listAll());
  rejections.push(rejectLongList(path, tooLong.length, MAX_LIST));
  return { ...head, kind: 'rejected', rejections };
};

const mapDocument = (
  document: Document,
  deletions: readonly Deletion[],
  { submitted, own, head, lane, registryCodeSystems }: Sent,
  rejections: Rejection[],
): MappedCourse => {
  const people = findPeople(document);
  rejections.push(...checkRoles(people));
  const birthEncounter = findBirthEncounter(document, people);
  const place = readPlaceOfBirth(birthEncounter, document, people, lane);
  rejections.push(...checkPlace(place));
  const [mother] = people.mothers;
  if (rejections.length > 0 || mother === undefined || place.kind === 'rejected')
    return { ...head, kind: 'rejected', rejections };
  const day = findDocumentDay(head.stamp, people);
  const notes = collectWarnings();
  if (own.kind === 'chart number' && own.invisible !== undefined)
    notes.warn('chart_number', null, own.invisible, 'invisible-characters');
  if (isOtherForm(submitted.bundle))
    notes.warn('chart_number', null, null, own.kind === 'absent' ? 'not-understood' : 'other-form');
  if (head.stamp === null) warnOfStamp(submitted.bundle, notes);
  warnOfDeletions(deletions, notes);
  warnOfOmitted(document, people, lane, notes);
  for (const { child, isReplacementKnown } of people.replaced) {
    const id = isReplacementKnown ? 'person-replaced' : 'replacement-missing';
    notes.warn('Patient.link', child, null, id);
  }
  if (place.isLocationMissing || isNamedEncounterMissing(document))
    notes.warn('place_of_birth', null, null, 'reference-missing');
  for (const code of place.unrecognized) notes.warn('place_of_birth', null, code, UNKNOWN_PLACE);
  const attribution =
    lane === 'partner'
      ? readAttribution(document, birthEncounter, people, day, notes)
      : NO_ATTRIBUTION;
  const { bundle } = submitted;
  const content = {
    bundle,
    document,
    people,
    mother,
    birthEncounter,
    day,
    lane,
    registryCodeSystems,
  };
  const already: Partial<CourseOfCare> = {
    chart_number: head.chart_number,
    stamp: head.stamp,
    ig_version: readIgVersion(submitted.bundle),
    place_of_birth: place.place,
    attendant: attribution.attendant,
    certifier: attribution.certifier,
  };
  if (place.homePlan !== null) Object.assign(already, { planned_home_birth: place.homePlan });
  if (attribution.doulaPresent) Object.assign(already, { doula_present: true });
  const course = buildCourse(content, notes, already);
  return Object.assign(head, { kind: 'course' as const, course, providers: attribution.providers });
};

const findDeletions = ({ deletions }: Document, own: BundleChart): readonly Deletion[] =>
  deletions.map((entry) => readDeletion(entry, own.kind === 'chart number' ? own.value : null));

// DELETE Bundle?identifier=X supplies the chart number, if all deletions agree.
const findDeletedChart = (deletions: readonly Deletion[]): BundleChart => {
  const named = deletions.flatMap((one) => (one.kind === 'named record' ? [one.chartNumber] : []));
  const [only, ...others] = new Set(named);
  return readChartNumber(others.length > 0 ? null : only);
};

// spec "Record lifecycle": recognized before roles are counted, because it may omit the record.
const isRetraction = (
  document: Document,
  deletions: readonly Deletion[],
  own: BundleChart,
): boolean =>
  deletions.some(
    ({ kind }) =>
      kind === 'this record' || (kind === 'named record' && own.kind !== 'chart number'),
  ) || isEnteredInError(document);

// Only the document's own Composition matters: others are attached notes.
const isEnteredInError = (document: Document): boolean =>
  asText(document.ofType('Composition')[0]?.['status']) === 'entered-in-error';

const checkSize = (bundle: JsonObject, textBytes: number): readonly Rejection[] =>
  isTextPossiblyLongerThan(textBytes, MAX_COURSE_BYTES) && isLongerThan(bundle, MAX_COURSE_BYTES)
    ? [COURSE_TOO_LONG]
    : [];

const checkRoles = ({ mothers, children }: People): readonly Rejection[] => [
  ...(children.length > MAX_CHILDREN ? [TOO_MANY_CHILDREN] : []),
  ...(mothers.length === 0 ? [NO_MOTHER] : []),
  ...(mothers.length > 1 ? [SEVERAL_MOTHERS] : []),
  ...(children.length === 0 ? [NO_CHILD] : []),
];

const checkPlace = (place: PlaceReading): readonly Rejection[] =>
  place.kind === 'rejected' ? [place.rejection] : [];

const UNKNOWN_PLACE = 'place-of-birth-unknown';

/** The Bundle's stamp, when its contents were current, or the first birth date if there is none. */
const findDocumentDay = (stamp: string | null, { statedBirths }: People): ReferenceDay =>
  stamp?.slice(0, 'YYYY-MM-DD'.length) ??
  firstMatch(statedBirths, ({ date }) => (date.kind === 'value' ? date.value : null));

interface Content {
  readonly bundle: JsonObject;
  readonly document: Document;
  readonly people: People;
  readonly mother: JsonObject;
  readonly birthEncounter: JsonObject | null;
  readonly day: ReferenceDay;
  readonly lane: Lane;
  readonly registryCodeSystems: readonly string[];
}

// Fills one object, to avoid copying its many fields.
const buildCourse = (
  content: Content,
  notes: WarningCollector,
  already: Partial<CourseOfCare>,
): CourseOfCare => {
  const { bundle, document, people, mother: motherPatient, day, registryCodeSystems } = content;
  const mother = readMother(motherPatient, day, notes);
  const observed = readObservations(document, people, registryCodeSystems, notes);
  const report = readReport(bundle, document, people, observed.delivered, notes);
  const patients = people.statedBirths.map((birth, index) => {
    const patient = people.children[index] ?? {};
    const fetalDeath = readFetalDeath(patient, index, report, notes);
    return readChild(patient, birth, fetalDeath, index, day, notes);
  });
  for (const [index, child] of patients.entries()) {
    const name = findPlaceholderName(child, mother);
    if (name !== null) notes.warn(`children.${name}`, index, null, 'placeholder-name');
  }
  const answers = readTransferAnswers(document, people);
  const children = patients.map((child, index) =>
    Object.assign(
      child,
      { transfer_within_day: answers.children[index] ?? null },
      observed.children[index],
    ),
  );
  const plurality = readPlurality(
    people.children,
    children,
    observed.course.plurality ?? null,
    observed.delivered,
    notes,
  );
  const consent = readConsent(document, notes);
  warnOfHomePlans(already, observed.course, notes);
  const whole = completeMother(mother, children, { observed, people }, notes);
  const ordered = forgetContradictedOrders(people.children, children, plurality, notes);
  const course = Object.assign(
    emptyCourseOfCare(),
    { mother_transfer: answers.mother },
    observed.course,
    already,
    {
      mother: whole,
      children: ordered,
      plurality,
      transfers: readTransfers(document, people, ordered, notes),
      consent,
      warnings: notes.warnings,
      edit_flags: sortFlags([...observed.flags, ...listEditFlags(content, mother, plurality)]),
    },
  );
  // Last, because warnings about recorded values have priority if there are too many.
  for (const { id, path, child } of findMistyped(bundle, findChildOf(document, people)))
    notes.warn(path, child, null, id);
  warnOfAllUnread(content, observed, notes);
  return course;
};

/** Of values that are known. */
const listEditFlags = (
  { mother, people }: Pick<Content, 'mother' | 'people'>,
  { birth_date }: Mother,
  plurality: number | null,
): readonly FieldFlag[] => [
  ...(birth_date === null ? [] : readEditFlag(MOTHER_BORN_FLAG, null, [mother['_birthDate']])),
  ...(plurality === null
    ? []
    : readEditFlag(
        PLURALITY_FLAG,
        null,
        people.children.map((child) => child['_multipleBirthInteger']),
      )),
];

const warnOfHomePlans = (
  { planned_home_birth: byPlace }: Partial<CourseOfCare>,
  { planned_home_birth: answer }: Partial<CourseOfCare>,
  notes: WarningCollector,
): void => {
  if (byPlace !== undefined && answer !== undefined && byPlace !== answer)
    notes.warn('planned_home_birth', null, answer, 'planned-home-contradicted');
};

const findChildOf = (document: Document, people: People) =>
  cacheBy((resource: JsonObject): number | null => {
    const subject = people.subjects.get(resource) ?? findPersonObserved(resource, document, people);
    return subject.kind === 'child' ? subject.child : null;
  });

const warnOfAllUnread = (
  { document, people, mother, birthEncounter, lane }: Content,
  { resources, unreadCodes }: Observed,
  notes: WarningCollector,
): void => {
  warnOfUnread('Patient', [mother], null, notes);
  for (const [child, patient] of people.children.entries())
    warnOfUnread('Patient', [patient], child, notes);
  warnOfUnread('Observation', resources, null, notes);
  for (const code of unreadCodes) notes.warn('Observation.code', null, code, 'element-not-read');
  warnOfUnread('Encounter', birthEncounter === null ? [] : [birthEncounter], null, notes);
  warnOfUnread('Location', document.ofType('Location'), null, notes);
  warnOfUnread('Consent', document.ofType('Consent').slice(0, 1), null, notes);
  warnOfUnread('Composition', document.ofType('Composition').slice(0, 1), null, notes);
  if (lane === 'native') return;
  for (const type of ['Practitioner', 'PractitionerRole'] as const)
    warnOfUnread(type, document.ofType(type), null, notes);
};

const warnOfUnread = (
  type: ReadType,
  resources: readonly JsonObject[],
  child: number | null,
  notes: WarningCollector,
): void => {
  for (const path of findUnreadElements(type, resources))
    notes.warn(path, child, null, 'element-not-read');
};

const completeMother = (
  mother: Mother,
  children: readonly Child[],
  { observed, people }: { readonly observed: Observed; readonly people: People },
  notes: WarningCollector,
): Mother =>
  Object.assign(
    mother,
    observed.mother,
    observed.race === null ? {} : mergeOrigins(mother, observed.race, people.mothers),
    { age_at_delivery: readAgeAtDelivery(mother, children, people, notes) },
  );

/** Reported age if it does not follow from the two dates. */
const readAgeAtDelivery = (
  mother: Mother,
  children: readonly Child[],
  people: People,
  notes: WarningCollector,
): number | null => {
  const born = findFirstBirthDate(children);
  const age =
    born === null || !isDate(born) || mother.birth_date === null
      ? null
      : countCertainYears(mother.birth_date, born);
  if (age === null) return notes.unwrap('mother.age_at_delivery', null, findReportedAge(people));
  if (isPossibleAgeAtDelivery(age)) return age;
  const impossible = 'mother-age-impossible';
  notes.warn('mother.age_at_delivery', null, age, impossible);
  return null;
};

const findReportedAge = ({ children }: People): Reading<number> =>
  children.map(readReportedAge).find(({ kind }) => kind !== 'none') ?? ABSENT;

/** Tag of our exports, if the record was sent with another guide version. */
export const SENT_VERSION = 'urn:birth-registry:sent-version';

/**
 * The registry's own tag, else the first `|x.y.z` suffix of the Bundle's profiles.
 * @see spec "Versioning"
 */
const readIgVersion = (bundle: JsonObject): string | null => {
  const tags = asObjects(asObject(bundle['meta'])['tag']);
  const sent = tags.find(({ system }) => system === SENT_VERSION);
  if (sent !== undefined) return toVersion(asText(sent['code']) ?? '');
  return firstMatch(getProfiles(bundle), (profile) => {
    const bar = profile.indexOf('|');
    return toVersion(bar < 0 ? '' : profile.slice(bar + 1).trim());
  });
};

const toVersion = (text: string): string | null => (isVersion(text) ? text : null);

/** `meta.lastUpdated`, or `timestamp` if that is missing or invalid. */
export const readStamp = (bundle: JsonObject): string | null =>
  normalizeInstant(asObject(bundle['meta'])['lastUpdated']) ??
  normalizeInstant(bundle['timestamp']);

const warnOfStamp = (bundle: JsonObject, notes: WarningCollector): void => {
  const [sent] = [asObject(bundle['meta'])['lastUpdated'], bundle['timestamp']].filter(asText);
  if (sent !== undefined) notes.unwrap('stamp', null, leaveOut(sent, 'date-time-impossible'));
};
