import { readYesNo } from '../../fhir/coded-answers.ts';
import { isAbsent, listExtensions } from '../../fhir/extensions.ts';
import type { JsonObject } from '../../fhir/json.ts';
import { ABSENT, leaveOut, present, type Reading } from '../../fhir/readings.ts';
import type { Document } from '../../fhir/references.ts';
import { getProfiles, parseProfileName } from '../../fhir/resources.ts';
import {
  collectStatedValues,
  getPrimitiveElement,
  statesNothing,
} from '../../fhir/stated-values.ts';
import { findSubject, type People } from './people.ts';
import type { Delivered } from './plurality.ts';
import { isDecedent, isFetus } from './roles.ts';
import type { WarningCollector } from './warning-collector.ts';

/** LOINC types of the guide's reports, by whether they report a fetal death. */
export const REPORT_TYPES: ReadonlyMap<string, boolean> = new Map([
  ['92010-8', true],
  ['69045-3', true],
  ['68998-4', false],
  ['92011-6', false],
]);

/** Concepts of SNOMED CT and ICD-10 that say it where the guide has a boolean: its first version, and others. */
export const FETAL_DEATH_CONCEPTS: ReadonlySet<string> = new Set(['276507005', '237364002', 'P95']);

const FETAL_DEATH_WORDS =
  /^(?:intra-?uterine |(?:ante|intra)partum )?(?:fo?etal (?:death|demise)|still[ -]?(?:birth|born)|iufd)(?: \((?:disorder|event|finding)\))?$/i;

const REPORT_WORDS = /\b(?:fo?etal death|stillbirth)\b/i;
const LIVE_BIRTH_WORDS = /\blive birth\b/i;

export interface Report {
  readonly child: number | null;
  /** True for a fetal death, false for a live birth; more than one if its parts contradict. */
  readonly says: readonly boolean[];
  /** Of all children of the delivery. */
  readonly saysOfAll: readonly boolean[];
}

/** True of the subject of the Composition, or of the only child, and of no sibling. */
export const readReport = (
  bundle: JsonObject,
  document: Document,
  people: People,
  delivered: Delivered,
  notes: WarningCollector,
): Report => {
  const [composition = {}] = document.ofType('Composition');
  const says = [
    ...readType(composition['type']),
    ...[bundle, composition].flatMap(getProfiles).map((profile) =>
      // That of a birth report is on many Bundles, whatever they report.
      parseProfileName(profile).includes(FETAL_DEATH_REPORT) ? true : undefined,
    ),
  ].filter((one) => one !== undefined);
  const subject = findSubject(composition, document, people);
  const isOnlyChild = people.children.length === 1;
  const child = subject.kind === 'child' ? subject.child : isOnlyChild ? 0 : null;
  if (child === null && says.includes(true))
    notes.warn('children.fetal_death', null, null, 'subject-unknown');
  // A document about siblings is a report of the live births among them.
  return {
    child,
    says: isOnlyChild ? says : says.filter((isFetalDeath) => isFetalDeath),
    saysOfAll: readOutcomes(delivered),
  };
};

const readType = (type: unknown): readonly (boolean | undefined)[] => {
  const { codings, conceptTexts } = collectStatedValues({ valueCodeableConcept: type });
  const known = codings.map(({ code }) => REPORT_TYPES.get(code ?? ''));
  if (known.some((one) => one !== undefined)) return known;
  const words = [...conceptTexts, ...codings.flatMap(({ display }) => display ?? [])];
  return words.map((text) =>
    REPORT_WORDS.test(text) && !LIVE_BIRTH_WORDS.test(text) ? true : undefined,
  );
};

const readOutcomes = ({ live_births, fetal_deaths }: Delivered): readonly boolean[] => {
  const [alive, dead] = [live_births ?? 0, fetal_deaths ?? 0];
  if (live_births === 0 && dead > 0) return [true];
  return fetal_deaths === 0 && alive > 0 ? [false] : [];
};

const FETAL_DEATH_REPORT = 'fetal-death-report';

/**
 * One statement is enough, because the birth would be registered as a live birth otherwise. Without any,
 * the profile of a live-born child means no.
 */
export const readFetalDeath = (
  patient: JsonObject,
  position: number,
  report: Report,
  notes: WarningCollector,
): Reading<boolean> => {
  const extensions = [patient['_deceasedBoolean'], patient['_deceasedDateTime'], patient]
    .flatMap((element) => listExtensions(element, FETAL_DEATH))
    .map(readStatement);
  const stated = extensions.flatMap((one) => (one.kind === 'value' ? [one.value] : []));
  const said = [...stated, ...(isFetus(patient) ? [true] : [])];
  const reported = [...(report.child === position ? report.says : []), ...report.saysOfAll];
  if (said.includes(true) || reported.includes(true)) {
    // Only the report says so, about the profile of a live-born child.
    const hasLiveProfile = said.length === 0 && !isDecedent(patient);
    const isDenied = [...said, ...reported].includes(false) || isSaidToLive(patient);
    if (isDenied || hasLiveProfile)
      notes.warn('children.fetal_death', position, null, 'fetal-death-contradicted');
    return present(true);
  }
  const [answer] = stated;
  if (answer !== undefined) return present(answer);
  const leftOut = extensions.find(({ kind }) => kind === 'left-out');
  if (leftOut !== undefined) return leftOut;
  // An extension without an answer says that it is not known.
  return extensions.length > 0 || isDecedent(patient) ? ABSENT : present(false);
};

const FETAL_DEATH = 'Extension-patient-fetal-death-vr';

const readStatement = (extension: JsonObject): Reading<boolean> => {
  const stated = collectStatedValues(extension);
  const isFetalDeath =
    stated.codings.some(({ code }) => FETAL_DEATH_CONCEPTS.has(code ?? '')) ||
    [...stated.conceptTexts, ...stated.texts].some((text) => FETAL_DEATH_WORDS.test(text));
  if (isFetalDeath) return present(true);
  return statesNothing(stated) && !isAbsent(extension)
    ? leaveOut(null, 'not-understood')
    : readYesNo(extension);
};

const isSaidToLive = (patient: JsonObject): boolean => {
  const deceased = readYesNo(getPrimitiveElement(patient, 'deceasedBoolean'));
  return deceased.kind === 'value' && !deceased.value;
};
