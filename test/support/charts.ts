import { createOffsetAt } from '../../api/practice-time/practice-clock.ts';
import type { OffsetAt } from '../../domain/course/local-times.ts';
import { mapChart } from '../../domain/mapping/us-core/map-chart.ts';
import {
  type Prefill,
  pickChart,
  type ReadChart,
  type SavedChart,
} from '../../domain/mapping/us-core/prefill.ts';
import type { PulledChart } from '../../domain/mapping/us-core/pulled-chart.ts';
import {
  condition,
  encounter,
  observation,
  quantity,
} from '../../scripts/ehr-simulator/resources.ts';
import { CHART_LISTS, nameReadLists } from './chart-lists.ts';

/** The day on which the charts of these tests are read. */
export const TODAY = '2026-05-15';
/** The day of birth in them. */
export const BORN = '2026-05-12';
export const ISSUER = 'https://ehr.example/fhir';

/** A mother's chart with nothing in it but what is given. */
export const motherChart = (changes: Partial<PulledChart> = {}): PulledChart => ({
  fhirBaseUrl: ISSUER,
  patientId: 'm',
  encounterId: null,
  unread: [],
  others: 0,
  needsPatientBanner: true,
  patient: { resourceType: 'Patient', id: 'm', gender: 'female', birthDate: '1994-06-17' },
  observations: [],
  conditions: [],
  encounters: [],
  ...changes,
});

/** A newborn's chart with nothing in it but what is given. */
export const newbornChart = (changes: Partial<PulledChart> = {}): PulledChart =>
  motherChart({
    patientId: 'c',
    patient: { resourceType: 'Patient', id: 'c', birthDate: BORN },
    ...changes,
  });

/** Maps a chart on that day. */
export const mapped = (chart: PulledChart): ReadChart => mappedBy(chart, null);

/** Maps it by the clock of a practice's zone. */
export const mappedIn = (timeZone: string, chart: PulledChart): ReadChart =>
  mappedBy(chart, createOffsetAt(timeZone));

const mappedBy = (chart: PulledChart, offsetAt: OffsetAt | null): ReadChart => {
  let read: SavedChart | null = null;
  const lists = nameReadLists(chart, () => {
    read = mapChart(chart, { today: TODAY, offsetAt }, new Map());
  });
  for (const list of lists)
    if (!CHART_LISTS.includes(list)) throw new Error(`${list} is not in the template of charts.`);
  if (read === null) throw new Error('The chart is too large.');
  return pickChart(read, '');
};

/** The values that are offered for a field, the best first. */
export const offered = ({ values }: Prefill, path: string): readonly unknown[] =>
  (values[path] ?? []).map(({ value }) => value);

/** Weeks and days of gestation that are offered for a child. */
export const gestation = (prefill: Prefill, child = 0): readonly unknown[] => {
  const days = offered(prefill, `children.${child}.gestational_age_days`);
  return offered(prefill, `children.${child}.gestational_age_weeks`).map(
    (weeks, place) => `${weeks}w${days[place]}d`,
  );
};

/** A birth weight in the chart of the newborn. */
export const birthWeight = (value: Readonly<Record<string, unknown>>) =>
  observation(
    {
      id: 'bw',
      patient: 'c',
      code: ['8339-4', 'Birth weight'] as const,
      at: `${BORN}T09:30:00-05:00`,
    },
    value,
  );

/** An Apgar score at five minutes, noted at a time of the day of birth. */
export const apgar5 = (
  id: string,
  score: number,
  at: string,
  more: Readonly<Record<string, unknown>> = {},
  patient = 'c',
) =>
  observation(
    { id, patient, code: ['9274-2', '5 minute Apgar'], at: `${BORN}T${at}:00-05:00` },
    { ...quantity(score, '{score}'), ...more },
  );

/** What a newborn's chart with these Observations offers. */
export const fromNewbornChart = (observations: readonly unknown[]) =>
  mapped(newbornChart({ observations })).asNewborn;

/** What a mother's chart with these Observations and Conditions offers. */
export const fromMotherChart = (
  observations: readonly unknown[],
  conditions: readonly unknown[] = [],
) => mapped(motherChart({ observations, conditions })).asMother;

/** A gestational age. */
export const gestationalAge = (
  code: string,
  value: Readonly<Record<string, unknown>>,
  at: string | undefined,
  patient = 'c',
) =>
  observation(
    {
      id: `ga-${code}`,
      patient,
      code: [code, 'Gestational age'] as const,
      ...(at === undefined ? {} : { at }),
    },
    value,
  );

/** A due date. */
export const dueDate = (date: string, patient = 'm') =>
  observation(
    { id: 'edd', patient, code: ['11778-8', 'Due date'], at: '2025-11-01' },
    { valueDateTime: date },
  );

/** An Apgar score in the mother's chart: it says when the birth was. */
export const apgarOfMother = apgar5('a', 9, '09:16', {}, 'm');

/** The delivery was one of twins. */
export const twins = condition({
  id: 't',
  patient: 'm',
  code: 'Z37.2',
  text: 'Twins',
  onset: BORN,
});

/** A stay in hospital. */
export const stay = (id: string, start: string, more: Readonly<Record<string, unknown>> = {}) =>
  encounter(
    { id, patient: 'm', kind: 'IMP', start, end: '2026-05-14' },
    {
      location: [{ location: { display: `Place of ${id}` } }],
      participant: [
        { type: [{ coding: [{ code: 'ATND' }] }], individual: { display: 'Tove Halvorsen' } },
        { type: [{ coding: [{ code: 'CON' }] }], individual: { display: 'Someone else' } },
      ],
      ...more,
    },
  );
