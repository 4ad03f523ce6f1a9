import { MAX_CHILDREN } from '../../course/limits.ts';
import { isDate, toDayNumber } from '../../fhir/dates.ts';
import type { JsonObject } from '../../fhir/json.ts';
import { estimateSize } from '../../fhir/json-size.ts';
import { isReplaced } from '../../fhir/replaced-patients.ts';
import { formatResourceName, isInactive } from '../../fhir/resources.ts';
import { spendBudget, withinBudget } from '../../fhir/steps.ts';
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
import { type ChartClock, convertTimes, isInUtc, type LocalTimes } from './chart-clock.ts';
import { listGaps } from './chart-gaps.ts';
import { collectObservations } from './collect-observations.ts';
import {
  dateConditions,
  hasMultipleGestation,
  type ReadCondition,
  readConditions,
  takeConditions,
  type UndatedCondition,
} from './conditions.ts';
import {
  addEncounterHints,
  dateEncounters,
  findBirthByEncounter,
  type ReadEncounter,
  readEncounters,
  type UndatedEncounter,
} from './encounters.ts';
import {
  dateObservations,
  type ReadObservation,
  readObservations,
  type UndatedObservation,
} from './observations.ts';
import {
  findUtcBirthTime,
  guessPerson,
  readMother,
  readNewborn,
  toLaunchedPerson,
} from './patients.ts';
import type { Prefill, ReadChart, SavedChart, UnreadPart } from './prefill.ts';
import {
  addDate,
  createPrefillBuilder,
  createWholeSource,
  type PrefillBuilder,
} from './prefill-builder.ts';
import { type PulledChart, selectOwnPatient, selectOwnResources } from './pulled-chart.ts';

interface UndatedChart {
  readonly chart: PulledChart;
  readonly patient: JsonObject;
  readonly observations: readonly UndatedObservation[];
  readonly conditions: readonly UndatedCondition[];
  readonly encounters: readonly UndatedEncounter[];
  readonly leftOut: number;
  readonly unread: readonly UnreadPart[];
  readonly inUtc: ReadonlySet<string>;
}

/** Relevant parts of a chart in local time, for mother or newborn. */
interface OwnChart {
  readonly patient: JsonObject;
  readonly patientId: string;
  readonly observations: readonly ReadObservation[];
  readonly conditions: readonly ReadCondition[];
  readonly encounters: readonly ReadEncounter[];
  readonly leftOut: number;
  readonly local: LocalTimes;
}

/**
 * Pure, and never throws, whatever the JSON; `null` if reading the chart costs more than its size
 * allows.
 * @param utc for time zones that do not change the result
 * @param zones a practice's day identifies a newborn, and separates this pregnancy from an earlier one
 * @see spec "Pull lane (EHR launch); no API key"
 */
export const mapChart = (
  chart: PulledChart,
  utc: ChartClock,
  zones: ReadonlyMap<string, ChartClock>,
  budget: ChartBudget = CHART_BUDGET,
): SavedChart | null => {
  const { perZone, perByte } = budget;
  const most = perZone * (1 + zones.size) + perByte * estimateSize(chart);
  const mapped = withinBudget(most, () => mapForZones(readUndated(chart), utc, zones));
  return mapped?.result ?? null;
};

interface ChartBudget {
  /** For the practices' own days. */
  readonly perZone: number;
  /** For each byte of the chart's JSON text. */
  readonly perByte: number;
}

// Our choice: many times what any chart needs.
const CHART_BUDGET: ChartBudget = { perZone: 200_000, perByte: 4 };

const mapForZones = (
  undated: UndatedChart,
  utc: ChartClock,
  zones: ReadonlyMap<string, ChartClock>,
): SavedChart => {
  // Most zones have the same day and offsets as another one.
  const known = new Map<string, ReadChart>();
  const mapWith = (clock: ChartClock): ReadChart => {
    spendBudget(undated.inUtc.size);
    const local = convertTimes(undated.inUtc, clock);
    const effect = [local.today, ...[...undated.inUtc].map(local.toLocal)].join();
    const read = known.get(effect) ?? mapInZone(undated, local);
    known.set(effect, read);
    return read;
  };
  const inUtc = mapWith(utc);
  const utcJson = JSON.stringify(inUtc);
  const isDifferent = new Map<ReadChart, boolean>();
  const inZones: Record<string, ReadChart> = {};
  for (const [timeZone, clock] of zones) {
    const read = mapWith(clock);
    const differs = isDifferent.get(read) ?? JSON.stringify(read) !== utcJson;
    isDifferent.set(read, differs);
    if (differs) inZones[timeZone] = read;
  }
  return { ...inUtc, inZones };
};

const readUndated = (chart: PulledChart): UndatedChart => {
  const patient = selectOwnPatient(chart);
  const observations = selectOwnResources(chart.observations, 'Observation', chart);
  const conditions = selectOwnResources(chart.conditions, 'Condition', chart);
  const encounters = selectOwnResources(chart.encounters, 'Encounter', chart);
  const read = readObservations(observations.own, chart.fhirBaseUrl);
  const standingConditions = readConditions(conditions.own);
  const standingEncounters = readEncounters(encounters.own, chart.encounterId);
  const birthTime = findUtcBirthTime(patient.own);
  const times = [
    ...read.undated.flatMap(({ whole }) => whole.times),
    ...standingConditions.undated.flatMap(({ onset, recorded }) => [...onset, ...recorded]),
    ...standingEncounters.undated.flatMap(({ began, ended }) => [...began, ...ended]),
    ...(birthTime === null ? [] : [birthTime]),
  ];
  return {
    chart,
    patient: patient.own,
    observations: read.undated,
    conditions: standingConditions.undated,
    encounters: standingEncounters.undated,
    leftOut: [
      chart.others,
      patient.others,
      observations.others,
      conditions.others,
      encounters.others,
      read.leftOut,
      standingConditions.leftOut,
      standingEncounters.leftOut,
    ].reduce((sum, count) => sum + count, 0),
    unread: [
      ...chart.unread,
      ...(isReplaced(patient.own) || isInactive(patient.own)
        ? [{ part: 'Patient', why: 'replaced' } as const]
        : []),
      ...(read.isComplete ? [] : [{ part: 'Observation', why: 'incomplete' } as const]),
      ...listGaps({
        Patient: { own: [patient.own], gaps: patient.gaps },
        Observation: observations,
        Condition: conditions,
        Encounter: encounters,
      }),
    ],
    inUtc: new Set(times.filter(isInUtc)),
  };
};

const mapInZone = (undated: UndatedChart, local: LocalTimes): ReadChart => {
  const { chart, patient, unread } = undated;
  const observations = dateObservations(undated.observations, local);
  const own: OwnChart = {
    patient,
    local,
    patientId: chart.patientId,
    observations: observations.read,
    conditions: dateConditions(undated.conditions, local),
    encounters: dateEncounters(undated.encounters, local),
    leftOut: undated.leftOut + observations.leftOut,
  };
  return {
    person: toLaunchedPerson(patient, local.today),
    launched: guessPerson(patient, local.today),
    asMother: mapAsMother(own),
    asNewborn: mapAsNewborn(own),
    unread,
    issuer: chart.fhirBaseUrl,
    needsPatientBanner: chart.needsPatientBanner,
  };
};

const mapAsMother = (chart: OwnChart): Prefill => {
  const { patient, patientId, observations, conditions, encounters } = chart;
  const { today } = chart.local;
  const findings = createPrefillBuilder();
  findings.countOmitted(chart.leftOut);
  readMother(patient, today, findings);
  const birth =
    findBirthByObservations(observations, today) ??
    findBirthByEncounter(encounters, today, toDayNumber(today));
  const times = buildTimeline(birth, findLastDay(observations, OF_PREGNANCY, today), today);
  const all = listChildrenInFocus(observations, patientId);
  const inFocus = all.slice(0, MAX_CHILDREN);
  if (all.length > MAX_CHILDREN) skipFurtherChildren(all.length, patient, findings);
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
  addEncounterHints(encounters, times, 'mother', findings);
  if (isSeveral) findings.ensureChildren(rows);
  return findings.result('mother');
};

const skipFurtherChildren = (count: number, patient: JsonObject, findings: PrefillBuilder): void =>
  findings.skip({
    what: 'Children in the chart',
    said: String(count),
    why: `A birth has at most ${MAX_CHILDREN} children here: the others are not filled in.`,
    from: addDate(createWholeSource(formatResourceName(patient)), null),
  });

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
  const { patient, patientId, observations, conditions, encounters, local } = chart;
  const findings = createPrefillBuilder();
  findings.countOmitted(chart.leftOut);
  readNewborn(patient, local, findings);
  const { values } = findings.result('newborn');
  const born = values['children.0.birth_date']?.[0]?.value;
  const birthTime = values['children.0.birth_time']?.[0]?.value;
  const birth = typeof born === 'string' && isDate(born) ? toExactDay(toDayNumber(born)) : null;
  const times = buildTimeline(birth, null, local.today);
  collectObservations(observations, {
    as: 'newborn',
    times,
    rows: 1,
    findings,
    rowOf: matchInNewbornChart(patientId),
    birthTime: typeof birthTime === 'string' ? birthTime : null,
  });
  takeConditions(conditions, times, findings);
  addEncounterHints(encounters, times, 'newborn', findings);
  return findings.result('newborn');
};

const CLUSTER_DAYS = 7;

/** First day with data about that child. */
const findBirthByObservations = (
  observations: readonly ReadObservation[],
  today: string,
): BirthWindow | null => {
  const days = listDays(
    observations.filter(({ kind, reading }) => kind.group === 'birth' && reading.kind === 'value'),
    today,
  );
  const latest = findLargest(days);
  if (latest === null) return null;
  const cluster = days.filter((day) => day >= latest - CLUSTER_DAYS);
  const birth = toExactDay(cluster.reduce((first, day) => Math.min(first, day), latest));
  // The mother is pregnant again, or has given birth to a child without data.
  const last = findLastDay(observations, EXPECTING, today);
  return last !== null && isPastPostpartum(last, birth) ? null : birth;
};

// A last period or a count of births can be recorded at any time.
const EXPECTING: ReadonlySet<string> = new Set(['due-date', 'gestation']);
const OF_PREGNANCY: ReadonlySet<string> = new Set(['pregnancy', ...EXPECTING]);

const findLastDay = (
  observations: readonly ReadObservation[],
  groups: ReadonlySet<string>,
  today: string,
): number | null =>
  findLargest(
    listDays(
      observations.filter(({ kind }) => groups.has(kind.group)),
      today,
    ),
  );

const listDays = (observations: readonly ReadObservation[], today: string): readonly number[] => {
  spendBudget(observations.length);
  return observations
    .map(({ moment }) => moment?.day ?? null)
    .filter((day) => day !== null)
    .filter((day) => isPlausibleBirthDay(day, today));
};

// Not Math.max with all days as arguments: a chart can have more than a call takes.
const findLargest = (days: readonly number[]): number | null =>
  days.reduce<number | null>((largest, day) => Math.max(largest ?? day, day), null);
