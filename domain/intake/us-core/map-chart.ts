import { isDate, toDayNumber } from '../../fhir/dates.ts';
import type { JsonObject } from '../../fhir/json.ts';
import {
  type BirthWindow,
  buildTimeline,
  isPastPostpartum,
  isPlausibleBirthDay,
  listChildrenInFocus,
  matchInMotherChart,
  matchInNewbornChart,
  toExactDay,
} from './birth-window.ts';
import { type ChartClock, convertTimes } from './chart-clock.ts';
import { collectObservations } from './collect-observations.ts';
import { hasMultipleGestation, readConditions, takeConditions } from './conditions.ts';
import { addEncounterHints, findBirthByEncounter, readEncounters } from './encounters.ts';
import { type ReadObservation, readObservations } from './observations.ts';
import { isLikelySamePerson, readMother, readNewborn, toLaunchedPerson } from './patients.ts';
import type { Prefill, ReadChart } from './prefill.ts';
import { createPrefillBuilder, type PrefillBuilder } from './prefill-builder.ts';
import { type PulledChart, selectOwnPatient, selectOwnResources } from './pulled-chart.ts';

/** Relevant parts of a chart, for mother or newborn. */
interface OwnChart {
  readonly patient: JsonObject;
  readonly patientId: string;
  readonly launchedIn: string | null;
  readonly observations: readonly ReadObservation[];
  readonly conditions: readonly JsonObject[];
  readonly encounters: readonly JsonObject[];
  readonly leftOut: number;
  readonly clock: ChartClock;
}

/**
 * Maps a patient's US Core data from an EHR to candidates for a course of care: once as a mother's
 * chart, once as a newborn's. Pure, and never throws, whatever the JSON.
 * @param clock of the practice: its day identifies a newborn, and separates this pregnancy from an
 * earlier one
 * @see spec "Pull lane (EHR launch); no API key"
 */
export const mapChart = (chart: PulledChart, clock: ChartClock): ReadChart => {
  const { today } = clock;
  const timed = (resource: JsonObject): JsonObject => convertTimes(resource, clock);
  const { own: patient, others: ofPatient } = selectOwnPatient(chart);
  const observations = selectOwnResources(chart.observations, 'Observation', chart);
  const conditions = selectOwnResources(chart.conditions, 'Condition', chart);
  const encounters = selectOwnResources(chart.encounters, 'Encounter', chart);
  const read = readObservations(observations.own.map(timed), chart.issuer);
  const standingConditions = readConditions(conditions.own.map(timed));
  const standingEncounters = readEncounters(encounters.own.map(timed));
  const own: OwnChart = {
    patient,
    clock,
    patientId: chart.patientId,
    launchedIn: chart.encounterId,
    observations: read.read,
    conditions: standingConditions.standing,
    encounters: standingEncounters.standing,
    leftOut: [
      ofPatient,
      observations.others,
      conditions.others,
      encounters.others,
      read.leftOut,
      standingConditions.leftOut,
      standingEncounters.leftOut,
    ].reduce((sum, count) => sum + count, 0),
  };
  return {
    person: toLaunchedPerson(patient, today),
    launched: isLikelySamePerson(patient, today),
    asMother: mapAsMother(own),
    asNewborn: mapAsNewborn(own),
    unread: chart.unread,
    issuer: chart.issuer,
    needsPatientBanner: chart.needsPatientBanner,
  };
};

const mapAsMother = (chart: OwnChart): Prefill => {
  const { patient, patientId, observations, conditions, encounters, launchedIn } = chart;
  const { today } = chart.clock;
  const findings = createPrefillBuilder();
  findings.countOmitted(chart.leftOut);
  readMother(patient, today, findings);
  const birth =
    findBirthByObservations(observations, today) ??
    findBirthByEncounter(encounters, launchedIn, today, toDayNumber(today));
  const times = buildTimeline(birth, findLastDay(observations, OF_PREGNANCY, today), today);
  const inFocus = listChildrenInFocus(observations, patientId);
  const stated = findStatedPlurality(chart, times);
  const isSeveral =
    inFocus.length > 1 || (stated ?? 1) > 1 || hasMultipleGestation(conditions, times);
  const rows = Math.max(1, inFocus.length, isSeveral ? (stated ?? 1) : 1);
  collectObservations(observations, {
    as: 'mother',
    times,
    rows,
    birthTime: null,
    findings,
    rowOf: matchInMotherChart(inFocus, isSeveral, patientId),
  });
  takeConditions(conditions, times, findings);
  addEncounterHints(encounters, launchedIn, times, 'mother', findings);
  if (isSeveral) findings.ensureChildren(rows);
  return findings.result('mother');
};

/** Number of children in the chart, needed before a value is assigned to one of them. */
const findStatedPlurality = (
  chart: OwnChart,
  times: ReturnType<typeof buildTimeline>,
): number | null => {
  const ahead: PrefillBuilder = createPrefillBuilder();
  collectObservations(
    chart.observations.filter(({ kind }) => OF_DELIVERY.has(kind.group)),
    { as: 'mother', times, rows: 0, birthTime: null, findings: ahead, rowOf: () => 'unclear' },
  );
  takeConditions(chart.conditions, times, ahead);
  const values = ahead.result('mother').values['plurality'] ?? [];
  return values.reduce<number | null>(
    (most, { value }) => Math.max(most ?? 0, Number(value)),
    null,
  );
};

const OF_DELIVERY: ReadonlySet<string> = new Set(['outcome', 'live-births', 'fetal-deaths']);

const mapAsNewborn = (chart: OwnChart): Prefill => {
  const { patient, patientId, observations, conditions, encounters, launchedIn, clock } = chart;
  const findings = createPrefillBuilder();
  findings.countOmitted(chart.leftOut);
  readNewborn(patient, clock, findings);
  const { values } = findings.result('newborn');
  const born = values['children.0.birth_date']?.[0]?.value;
  const birthTime = values['children.0.birth_time']?.[0]?.value;
  const birth = typeof born === 'string' && isDate(born) ? toExactDay(toDayNumber(born)) : null;
  const times = buildTimeline(birth, null, clock.today);
  collectObservations(observations, {
    as: 'newborn',
    times,
    rows: 1,
    findings,
    rowOf: matchInNewbornChart(patientId),
    birthTime: typeof birthTime === 'string' ? birthTime : null,
  });
  takeConditions(conditions, times, findings);
  addEncounterHints(encounters, launchedIn, times, 'newborn', findings);
  return findings.result('newborn');
};

const CLUSTER_DAYS = 7;

/** Finds the day of the latest birth in a mother's chart: the first day with data about that child. */
const findBirthByObservations = (
  observations: readonly ReadObservation[],
  today: string,
): BirthWindow | null => {
  const days = observations
    .filter(({ kind, reading }) => kind.group === 'birth' && reading.kind === 'value')
    .map(({ moment }) => moment?.day ?? null)
    .filter((day) => day !== null)
    .filter((day) => isPlausibleBirthDay(day, today));
  if (days.length === 0) return null;
  const latest = Math.max(...days);
  const birth = toExactDay(Math.min(...days.filter((day) => day >= latest - CLUSTER_DAYS)));
  // The mother is pregnant again, or has given birth to a child without data.
  const last = findLastDay(observations, EXPECTING, today);
  return last !== null && isPastPostpartum(last, birth) ? null : birth;
};

// A last period or a count of births can be recorded at any time.
const EXPECTING: ReadonlySet<string> = new Set(['due-date', 'gestation']);
const OF_PREGNANCY: ReadonlySet<string> = new Set(['pregnancy', ...EXPECTING]);

/** Returns the last day with an Observation in these groups. */
const findLastDay = (
  observations: readonly ReadObservation[],
  groups: ReadonlySet<string>,
  today: string,
): number | null => {
  const days = observations
    .filter(({ kind }) => groups.has(kind.group))
    .map(({ moment }) => moment?.day ?? null)
    .filter((day) => day !== null)
    .filter((day) => isPlausibleBirthDay(day, today));
  return days.length === 0 ? null : Math.max(...days);
};
