import type { Child, CourseOfCare, FieldFlag, Mother, WarningId } from '../../course/course.ts';
import { findEditFlag } from '../../course/edit-flags.ts';
import type { Origins } from '../../course/origins.ts';
import { looksLikeACode, readCodes } from '../../fhir/coded-values.ts';
import { asObjects, cacheBy, isObject, type JsonObject } from '../../fhir/json.ts';
import { isModified } from '../../fhir/modifiers.ts';
import { type Moment, readObservationMoment } from '../../fhir/moments.ts';
import { ABSENT, leaveOut, type Reading } from '../../fhir/readings.ts';
import type { Document } from '../../fhir/references.ts';
import { isFinal, isVoid } from '../../fhir/resources.ts';
import { listValueElements, readEditFlag } from '../from-fhir/edit-flags.ts';
import { ownParts } from '../from-fhir/observed-values.ts';
import { isWeekBefore, isWithinOneDay } from './births.ts';
import {
  type AgentsField,
  type Coded,
  findObservationKind,
  type ObservationKind,
  type SubjectRule,
  type TimeRule,
} from './observation-kinds.ts';
import { findPersonObserved, type People, type Subject } from './people.ts';
import type { Delivered } from './plurality.ts';
import { hasUnreadAnswer } from './race-observation.ts';
import { IGNORED_OBSERVATIONS } from './unread-elements.ts';
import type { WarningCollector } from './warning-collector.ts';

/** Children are in the order of the Patients. */
export type Observed = {
  readonly mother: Partial<Mother>;
  readonly race: Origins | null;
  readonly children: readonly Partial<Child>[];
  readonly course: Partial<CourseOfCare>;
  readonly flags: readonly FieldFlag[];
  readonly resources: readonly JsonObject[];
  /** Codes of Observations that are in no table; null for text that does not look like a code. */
  readonly unreadCodes: ReadonlySet<string | null>;
  readonly delivered: Delivered;
};

// Best reading so far for one kind and child; `child` is null if the field is not of a child.
type Candidate = {
  readonly kind: ObservationKind;
  readonly child: number | null;
  /** True if it has a subject that is not in the Bundle. */
  readonly isOfAbsent: boolean;
  readonly isGeneral: boolean;
  readonly final: boolean;
  /** Sortable time of a weight with a general code. */
  readonly takenAt: string | null;
  readonly reading: Reading<unknown>;
  readonly holder: JsonObject;
};

type AgentLists = Record<AgentsField, { readonly final: Set<string>; readonly rest: Set<string> }>;

// Our choice: more agents than exist.
const MAX_AGENTS = 10;

/**
 * A subject in the Bundle has priority, then a usable value, then a specific code, then a final, amended, or
 * corrected status, then the last one; of weights with a general code, the first. Components of a panel are
 * read as Observations with its subject and status.
 */
export const readObservations = (
  document: Document,
  people: People,
  registryCodeSystems: readonly string[],
  notes: WarningCollector,
): Observed => {
  const standing = new Map<ObservationKind, Map<number | null, Candidate>>();
  const agents = createAgentLists();
  const warn = warnOnce(notes);
  const resources: JsonObject[] = [];
  const unreadCodes = new Set<string | null>();
  // All components of a panel have its time.
  const momentOf = cacheBy(readObservationMoment);
  for (const observation of document.ofType('Observation')) {
    if (isVoid(observation)) continue;
    const said = listStatements(observation, registryCodeSystems);
    if (said.length === 0) {
      addUnreadCode(observation, unreadCodes);
      continue;
    }
    if (said.some(({ coded }) => coded.isOfOtherSystem !== true)) resources.push(observation);
    const about = findPersonObserved(observation, document, people);
    const final = isFinal(observation);
    for (const { coded, holder, isModified } of said) {
      const { kind, subject, isGeneral = false, time } = coded;
      const isStrange = about.kind === 'other' || about.kind === 'absent';
      if (!isStrange && !isAllowed(subject, about)) continue;
      const reading = isModified ? ABSENT : readStatement(coded, holder);
      if (about.kind === 'other' || !isAllowed(subject, about)) {
        if (reading.kind !== 'none') warn(kind, null, 'subject-unrelated');
        continue;
      }
      if (kind.scope === 'race' && hasUnreadAnswer(holder)) warn(kind, null, 'not-understood');
      const child = kind.scope === 'child' ? resolveChild(about, people) : null;
      if (isModified) warn(kind, child, 'modifier-unknown');
      if (kind.scope === 'agents') {
        const agent = notes.unwrap(kind.field, null, reading as Reading<string>);
        if (agent !== null) agents[kind.list][final ? 'final' : 'rest'].add(agent);
        continue;
      }
      if (kind.scope === 'child' && child === null) {
        if (reading.kind !== 'none') notes.warn(kind.field, null, null, 'subject-unknown');
        continue;
      }
      const moment = time === undefined ? null : momentOf(observation);
      if (!isInTime(time, people.births[child ?? 0] ?? null, moment)) {
        if (reading.kind !== 'none') warn(kind, child, 'not-at-birth');
        continue;
      }
      const next: Candidate = {
        kind,
        child,
        isOfAbsent: about.kind === 'absent',
        isGeneral,
        final,
        takenAt: time === 'within a day of the birth' ? (moment?.order ?? null) : null,
        reading,
        holder,
      };
      const passedOver = keepBest(standing, next);
      if (passedOver?.isOfAbsent === true && passedOver.reading.kind !== 'none')
        warn(kind, child, 'subject-unrelated');
    }
  }
  for (const { resource, element } of document.leftOut) {
    if (element !== null || resource['resourceType'] !== 'Observation' || isVoid(resource))
      continue;
    const kind = findObservationKind(resource, registryCodeSystems)?.kind;
    if (kind === undefined) continue;
    const about = findPersonObserved(resource, document, people);
    warn(kind, kind.scope === 'child' ? resolveChild(about, people) : null, 'modifier-unknown');
  }
  return Object.assign(collect(standing, agents, people, notes), { resources, unreadCodes });
};

const addUnreadCode = (observation: JsonObject, unread: Set<string | null>): void => {
  const { code: concept } = observation;
  // Of another JSON type, which is said elsewhere.
  if (concept !== undefined && !isObject(concept)) return;
  const codes = readCodes(concept);
  if (codes.some((code) => code !== null && IGNORED_OBSERVATIONS.has(code))) return;
  const [code = null] = codes;
  unread.add(code !== null && looksLikeACode(code) ? code : null);
};

const readStatement = ({ kind, isOfOtherSystem }: Coded, holder: JsonObject): Reading<unknown> => {
  const reading = kind.read(holder);
  return isOfOtherSystem === true && reading.kind !== 'none'
    ? leaveOut(null, 'system-unknown')
    : reading;
};

type Warn = (kind: ObservationKind, child: number | null, id: WarningId) => void;

// A chart may contain many weights of one child, so one warning covers all.
const warnOnce = (notes: WarningCollector): Warn => {
  const warned = new Set<string>();
  return ({ field }, child, id) => {
    const warning = JSON.stringify([field, child, id]);
    if (!warned.has(warning)) notes.warn(field, child, null, id);
    warned.add(warning);
  };
};

const isInTime = (
  rule: TimeRule | undefined,
  birth: string | null,
  moment: Moment | null,
): boolean => {
  switch (rule) {
    case undefined:
      return true;
    case 'within a day of the birth':
      return isWithinOneDay(birth, moment);
    case 'not a week before the birth':
      return !isWeekBefore(birth, moment);
  }
};

type Statement = {
  readonly coded: Coded;
  readonly holder: JsonObject;
  readonly isModified: boolean;
};

// A component of the Observation's own kind, such as ounces in addition to pounds, is part of its
// value.
const listStatements = (
  observation: JsonObject,
  registryCodeSystems: readonly string[],
): readonly Statement[] => {
  const whole = findObservationKind(observation, registryCodeSystems);
  const components = asObjects(observation['component']);
  if (components.length === 0)
    return whole === null ? [] : [{ coded: whole, holder: observation, isModified: false }];
  const own = new Set<JsonObject>();
  const said: Statement[] = [];
  let isWholeModified = false;
  for (const holder of components) {
    const part = findObservationKind(holder, registryCodeSystems);
    const isPartModified = isModified(holder);
    if (part !== null && part.kind !== whole?.kind)
      said.push({ coded: part, holder, isModified: isPartModified });
    else {
      if (part !== null) own.add(holder);
      isWholeModified ||= isPartModified;
    }
  }
  if (whole !== null) {
    // Some kinds have their answers in components with their own codes.
    const holder =
      whole.kind.scope === 'race' ? observation : ownParts(observation, (part) => own.has(part));
    said.unshift({ coded: whole, holder, isModified: isWholeModified });
  }
  return said;
};

const createAgentLists = (): AgentLists => ({
  induction_agents: { final: new Set(), rest: new Set() },
  augmentation_agents: { final: new Set(), rest: new Set() },
});

const isAllowed = (rule: SubjectRule, subject: Subject): boolean => {
  if (rule === 'a child') return subject.kind === 'child';
  return rule === 'any' || subject.kind !== 'child';
};

// If the subject is not a child, assumes the only child; null if there are several.
const resolveChild = (subject: Subject, people: People): number | null => {
  if (subject.kind === 'child') return subject.child;
  return people.children.length === 1 ? 0 : null;
};

const keepBest = (
  standing: Map<ObservationKind, Map<number | null, Candidate>>,
  next: Candidate,
): Candidate | null => {
  const ofKind = standing.get(next.kind) ?? new Map<number | null, Candidate>();
  standing.set(next.kind, ofKind);
  const current = ofKind.get(next.child);
  const isTaken = current === undefined || isBetter(next, current);
  if (isTaken) ofKind.set(next.child, next);
  return isTaken ? (current ?? null) : next;
};

const isBetter = (next: Candidate, current: Candidate): boolean => {
  if (next.isOfAbsent !== current.isOfAbsent) return current.isOfAbsent;
  if (next.reading.kind === 'none') return false;
  if (next.reading.kind === 'left-out') return current.reading.kind !== 'value';
  if (current.reading.kind !== 'value') return true;
  if (next.isGeneral !== current.isGeneral) return current.isGeneral;
  if (next.final !== current.final) return next.final;
  // The first weight of that day is the birth weight.
  return next.takenAt === null || current.takenAt === null || next.takenAt <= current.takenAt;
};

const collect = (
  standing: ReadonlyMap<ObservationKind, ReadonlyMap<number | null, Candidate>>,
  agents: AgentLists,
  people: People,
  notes: WarningCollector,
): Omit<Observed, 'resources' | 'unreadCodes'> => {
  const mother: Partial<Mother> = {};
  const children: Partial<Child>[] = people.children.map(() => ({}));
  const course: Partial<CourseOfCare> = listAgents(agents, notes);
  const delivered: Delivered = { live_births: null, fetal_deaths: null };
  const flags: FieldFlag[] = [];
  let race: Origins | null = null;
  for (const ofKind of standing.values()) {
    for (const { kind, child, reading, holder } of ofKind.values()) {
      const value = notes.unwrap(kind.field, child, reading);
      if (value === null) continue;
      const flag = findEditFlag(kind.field);
      if (flag !== undefined) flags.push(...readEditFlag(flag, child, listValueElements(holder)));
      // The scope of a kind determines the object that its values belong to.
      if (kind.scope === 'child') Object.assign(children[child ?? 0] ?? {}, value);
      else if (kind.scope === 'mother') Object.assign(mother, value);
      else if (kind.scope === 'course') Object.assign(course, value);
      else if (kind.scope === 'delivery') Object.assign(delivered, value);
      else race = value as Origins;
    }
  }
  return { mother, race, children, course, flags, delivered };
};

const listAgents = (agents: AgentLists, notes: WarningCollector): Partial<CourseOfCare> => ({
  induction_agents: listOf('induction_agents', agents, notes),
  augmentation_agents: listOf('augmentation_agents', agents, notes),
});

const listOf = (
  field: AgentsField,
  agents: AgentLists,
  notes: WarningCollector,
): readonly string[] => {
  const { final, rest } = agents[field];
  const list = [...(final.size > 0 ? final : rest)];
  if (list.length > MAX_AGENTS) notes.unwrap(field, null, leaveOut(list.length, 'too-many-values'));
  return list.slice(0, MAX_AGENTS);
};
