import type { Child, CourseOfCare, Mother } from '../course-of-care/canonical-record.ts';
import { ownParts } from '../course-of-care/from-fhir/observed-values.ts';
import type { RaceAndEthnicity } from '../course-of-care/from-fhir/race-and-ethnicity.ts';
import { type JsonObject, objectsOf } from '../fhir/json.ts';
import { leftOut, type Reading } from '../fhir/readings.ts';
import type { Document } from '../fhir/references.ts';
import { isFinal, isVoid } from '../fhir/statuses.ts';
import type { Notes } from './notes.ts';
import {
  type AgentsField,
  type Coded,
  kindOf,
  type ObservationKind,
  type SubjectRule,
} from './observation-kinds.ts';
import { type People, personObserved, type Subject } from './people.ts';
import type { Delivered } from './plurality.ts';

/** What the Observations of a course of care say; children in the order of the Patients. */
export type Observed = {
  readonly mother: Partial<Mother>;
  readonly race: RaceAndEthnicity | null;
  readonly children: readonly Partial<Child>[];
  readonly course: Partial<CourseOfCare>;
  readonly delivered: Delivered;
};

// The reading that stands so far for one kind and child (null: no child's field).
type Standing = {
  readonly kind: ObservationKind;
  readonly child: number | null;
  readonly final: boolean;
  readonly reading: Reading<unknown>;
};

type AgentLists = Record<AgentsField, { readonly final: Set<string>; readonly rest: Set<string> }>;

// Our choice: more agents than there are.
const MAX_AGENTS = 10;

const NOT_ATTRIBUTABLE = 'subject-unknown';

/**
 * Reads all Observations in one pass. Of several of one kind and subject the last with a usable
 * value counts, among final, amended and corrected ones first; the agents of labor add up. The
 * components of a panel are read as Observations of its subject and status.
 */
export const observedIn = (
  document: Document,
  people: People,
  registryCodeSystems: readonly string[],
  notes: Notes,
): Observed => {
  const standing = new Map<ObservationKind, Map<number | null, Standing>>();
  const agents = noAgents();
  for (const observation of document.ofType('Observation')) {
    if (isVoid(observation)) continue;
    const said = statementsIn(observation, registryCodeSystems);
    if (said.length === 0) continue;
    const about = personObserved(observation, document, people);
    const final = isFinal(observation);
    for (const { kind, subject, holder } of said) {
      if (!isAllowed(subject, about)) continue;
      if (kind.scope === 'agents') {
        const agent = notes.take(kind.field, null, kind.read(holder));
        if (agent !== null) agents[kind.list][final ? 'final' : 'rest'].add(agent);
        continue;
      }
      const reading = kind.read(holder);
      if (kind.scope !== 'child') {
        stand(standing, { kind, child: null, final, reading });
        continue;
      }
      const child = childMeant(about, people);
      if (child !== null) stand(standing, { kind, child, final, reading });
      else if (reading.kind !== 'none') notes.warn(kind.field, null, null, NOT_ATTRIBUTABLE);
    }
  }
  return settle(standing, agents, people, notes);
};

/** One thing that an Observation says: itself, or one component of a panel. */
type Statement = Coded & { readonly holder: JsonObject };

// A component of the Observation's own kind, such as ounces beside pounds, is a part of its value.
const statementsIn = (
  observation: JsonObject,
  registryCodeSystems: readonly string[],
): readonly Statement[] => {
  const whole = kindOf(observation, registryCodeSystems);
  const components = objectsOf(observation['component']);
  if (components.length === 0) return whole === null ? [] : [{ ...whole, holder: observation }];
  const isOwn = (part: JsonObject) => kindOf(part, registryCodeSystems)?.kind === whole?.kind;
  // The answers of some kinds stand in components with codes of their own.
  const holder = whole?.kind.scope === 'race' ? observation : ownParts(observation, isOwn);
  const said: Statement[] = whole === null ? [] : [{ ...whole, holder }];
  for (const holder of components) {
    const part = kindOf(holder, registryCodeSystems);
    if (part !== null && part.kind !== whole?.kind) said.push({ ...part, holder });
  }
  return said;
};

const noAgents = (): AgentLists => ({
  induction_agents: { final: new Set(), rest: new Set() },
  augmentation_agents: { final: new Set(), rest: new Set() },
});

const isAllowed = (rule: SubjectRule, subject: Subject): boolean => {
  if (rule === 'a child') return subject.kind === 'child';
  return rule === 'any' || subject.kind === 'mother' || subject.kind === 'unresolved';
};

// A subject that is no child means the only child there is; null where there are several.
const childMeant = (subject: Subject, people: People): number | null => {
  if (subject.kind === 'child') return subject.child;
  return people.children.length === 1 ? 0 : null;
};

const stand = (
  standing: Map<ObservationKind, Map<number | null, Standing>>,
  next: Standing,
): void => {
  const ofKind = standing.get(next.kind) ?? new Map<number | null, Standing>();
  const held = ofKind.get(next.child);
  if (held === undefined || isBetter(next, held)) ofKind.set(next.child, next);
  standing.set(next.kind, ofKind);
};

const isBetter = (next: Standing, held: Standing): boolean => {
  if (next.reading.kind === 'none') return false;
  if (next.reading.kind === 'left-out') return held.reading.kind !== 'value';
  return held.reading.kind !== 'value' || next.final || !held.final;
};

const settle = (
  standing: ReadonlyMap<ObservationKind, ReadonlyMap<number | null, Standing>>,
  agents: AgentLists,
  people: People,
  notes: Notes,
): Observed => {
  const mother: Partial<Mother> = {};
  const children: Partial<Child>[] = people.children.map(() => ({}));
  const course: Partial<CourseOfCare> = agentsOf(agents, notes);
  const delivered: Delivered = { live_births: null, fetal_deaths: null };
  let race: RaceAndEthnicity | null = null;
  for (const ofKind of standing.values()) {
    for (const { kind, child, reading } of ofKind.values()) {
      const value = notes.take(kind.field, child, reading);
      if (value === null) continue;
      // The scope of a kind says of what its values are parts.
      if (kind.scope === 'child') Object.assign(children[child ?? 0] ?? {}, value);
      else if (kind.scope === 'mother') Object.assign(mother, value);
      else if (kind.scope === 'course') Object.assign(course, value);
      else if (kind.scope === 'delivery') Object.assign(delivered, value);
      else race = value as RaceAndEthnicity;
    }
  }
  return { mother, race, children, course, delivered };
};

const agentsOf = (agents: AgentLists, notes: Notes): Partial<CourseOfCare> => ({
  induction_agents: listOf('induction_agents', agents, notes),
  augmentation_agents: listOf('augmentation_agents', agents, notes),
});

const listOf = (field: AgentsField, agents: AgentLists, notes: Notes): readonly string[] => {
  const { final, rest } = agents[field];
  const list = [...(final.size > 0 ? final : rest)];
  if (list.length > MAX_AGENTS) notes.take(field, null, leftOut(list.length, 'too-many-values'));
  return list.slice(0, MAX_AGENTS);
};
