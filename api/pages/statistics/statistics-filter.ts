import type { PlaceOfBirth } from '../../../domain/course/codes.ts';
import { PLACES_OF_BIRTH } from '../../../domain/course/codes.ts';
import type { ProviderRole } from '../../../domain/provider/details.ts';
import type { CellFilter } from '../../../domain/statistics/ports.ts';
import { formatMonth } from '../text/format-dates.ts';
import { formatAttendant } from './format-figures.ts';

const MONTHS_OF_YEAR = 12;

export const ATTENDANT_ROLES: readonly ProviderRole[] = [
  'midwife',
  'physician',
  'doula',
  'nurse',
  'assistant',
  'other',
];

export type Filter = {
  /** `YYYY`, `YYYY-MM`, or empty for all years. */
  readonly period: string;
  readonly place: string;
  readonly attendant: string;
};

export const formatPeriod = (period: string): string =>
  period === '' ? 'all years' : formatMonth(period);

/** Periods to choose from, newest first: each year, followed by its months. */
export const listPeriods = (
  years: readonly number[],
): readonly { readonly year: number; readonly periods: readonly string[] }[] =>
  years.map((year) => ({
    year,
    periods: [
      String(year),
      ...Array.from(
        { length: MONTHS_OF_YEAR },
        (_, index) => `${year}-${String(index + 1).padStart(2, '0')}`,
      ),
    ],
  }));

/** Parses the parameters, and ignores invalid ones. */
export const parseFilter = ({ period, place, attendant }: Filter): CellFilter => {
  const [, year, , month] = /^(\d{4})(-(0[1-9]|1[0-2]))?$/.exec(period) ?? [];
  return {
    year: year === undefined ? null : Number(year),
    month: month === undefined ? null : Number(month),
    place: PLACES_OF_BIRTH.find((known): known is PlaceOfBirth => known === place) ?? null,
    attendantRole: ATTENDANT_ROLES.find((known) => known === attendant) ?? null,
  };
};

export const toParameters = ({ year, month, place, attendantRole }: CellFilter): Filter => ({
  period:
    year === null
      ? ''
      : month === null
        ? String(year)
        : `${year}-${String(month).padStart(2, '0')}`,
  place: place ?? '',
  attendant: attendantRole ?? '',
});

/** "Births of 2026, place: Home". @param when period that replaces the filter's */
export const formatScope = (
  { period, place, attendant }: Filter,
  when: string | null = null,
): string =>
  [
    `Births of ${when ?? formatPeriod(period)}`,
    ...(place === '' ? [] : [`place: ${place}`]),
    ...(attendant === '' ? [] : [`attendant: ${formatAttendant(attendant)}`]),
  ].join(', ');

/** Address with all parameters, so that it can be shared. */
export const buildStatisticsPath = (
  path: string,
  parameters: Readonly<Record<string, string>>,
): string => {
  const query = new URLSearchParams(
    Object.entries(parameters).filter(([, value]) => value !== ''),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
};
