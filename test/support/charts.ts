import { mapChart } from '../../domain/us-core/map-chart.ts';
import type { Prefill, ReadChart } from '../../domain/us-core/prefill.ts';
import type { PulledChart } from '../../domain/us-core/pulled-chart.ts';

/** The day on which the charts of these tests are read. */
export const TODAY = '2026-05-15';
/** The day of birth in them. */
export const BORN = '2026-05-12';
export const ISSUER = 'https://ehr.example/fhir';

/** A mother's chart with nothing in it but what is given. */
export const motherChart = (changes: Partial<PulledChart> = {}): PulledChart => ({
  ...{ issuer: ISSUER, patientId: 'm', encounterId: null, unread: [], needsPatientBanner: true },
  patient: { resourceType: 'Patient', id: 'm', gender: 'female', birthDate: '1994-06-17' },
  ...{ observations: [], conditions: [], encounters: [] },
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
export const mapped = (chart: PulledChart): ReadChart => mapChart(chart, TODAY);

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
