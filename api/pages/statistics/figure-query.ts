import { RATES } from '../../../domain/statistics/definitions.ts';
import {
  type FigureQuery,
  type GroupName,
  RATE_PARTS,
} from '../../../domain/statistics/figure-query.ts';
import { UNKNOWN } from '../../../domain/statistics/figures.ts';
import { parsePeriod, type Span } from '../../../domain/statistics/over-time.ts';
import { formatMonth } from '../text/format-dates.ts';
import { formatSource } from '../text/source-text.ts';
import { uncapitalize } from '../text/text-case.ts';
import { formatAttendant, formatGroup } from './format-figures.ts';
import { buildStatisticsPath, type Filter, formatScope } from './statistics-filter.ts';

export interface NamedFigure {
  /** `deliveries`, `births`, `fetal-deaths`, or the name of a rate. */
  readonly figure: string;
  /** @see RATE_PARTS */
  readonly part?: string;
  /** `place:Home`; absent for all groups. */
  readonly group?: string;
  /** `2026-Q1`, `not`, `year-only`, or `outside-2024-01-2026-11`; absent for any date. */
  readonly dated?: string;
}

const COUNTED = {
  deliveries: { counts: 'coursesOfCare', words: 'Deliveries' },
  births: { counts: 'births', words: 'Births' },
  'fetal-deaths': { counts: 'fetalDeaths', words: 'Fetal deaths' },
} as const;

export const GROUPS: Readonly<Record<GroupName, (name: string) => string>> = {
  place: (name) => `place: ${formatGroup(name)}`,
  source: (name) => `source: ${name === UNKNOWN ? formatGroup(name) : formatSource(name)}`,
  sex: (name) => `sex: ${formatGroup(name)}`,
  plurality: (name) => `plurality: ${formatGroup(name)}`,
  attendantRole: (name) => `attendant: ${formatAttendant(name)}`,
};

const OUTSIDE = /^outside-(\d{4}-\d{2})-(\d{4}-\d{2})$/;

/** Parses a named figure; `null` if there is none of that name. */
export const parseFigure = (named: NamedFigure): FigureQuery | null => {
  const counts = parseCounts(named);
  const group = parseGroup(named.group ?? '');
  const dated = parseDate(named.dated ?? '');
  return counts === null || group === undefined || dated === null ? null : { counts, group, dated };
};

const parseCounts = ({ figure, part }: NamedFigure): FigureQuery['counts'] | null => {
  if (Object.hasOwn(COUNTED, figure)) return COUNTED[figure as keyof typeof COUNTED].counts;
  const rate = RATES.find(({ name }) => name === figure);
  const known = RATE_PARTS.find((one) => one === part);
  return rate === undefined || known === undefined ? null : { rate, part: known };
};

/** `undefined` if invalid. */
const parseGroup = (group: string): FigureQuery['group'] | undefined => {
  if (group === '') return null;
  const [by = '', name] = group.split(':');
  return name !== undefined && Object.hasOwn(GROUPS, by)
    ? { by: by as GroupName, name }
    : undefined;
};

const parseDate = (dated: string): FigureQuery['dated'] | null => {
  if (dated === '') return { kind: 'any' };
  if (dated === 'not') return { kind: 'undated' };
  if (dated === 'year-only') return { kind: 'year-only' };
  const [, from, to] = OUTSIDE.exec(dated) ?? [];
  if (from !== undefined && to !== undefined) return { kind: 'outside', span: { from, to } };
  const period = parsePeriod(dated);
  return period === null ? null : { kind: 'within', period };
};

/** @see NamedFigure */
export const formatOutside = ({ from, to }: Span): string => `outside-${from}-${to}`;

export const buildFigurePath = (
  { figure, part = '', group = '', dated = '' }: NamedFigure,
  filter: Filter,
  page = 1,
): string =>
  buildStatisticsPath('/registry/statistics/records', {
    figure,
    part,
    group,
    dated,
    // A chart's period replaces the filter's, because charts also show months before it.
    ...(parsePeriod(dated) === null ? filter : { ...filter, period: '' }),
    page: page === 1 ? '' : String(page),
  });

export const formatFigure = (named: NamedFigure, figure: FigureQuery): string => {
  const { counts } = figure;
  if (typeof counts === 'string') return COUNTED[named.figure as keyof typeof COUNTED].words;
  const { rate, part } = counts;
  switch (part) {
    case 'counted':
      return `${rate.title}: ${uncapitalize(rate.counts)}`;
    case 'known':
      return `${rate.title}: ${rate.among}`;
    case 'unknown':
      return `${rate.title}: unknown`;
  }
};

/** Filter, group, and dates of a figure in words. */
export const formatFigureScope = ({ group, dated }: FigureQuery, filter: Filter): string =>
  [
    formatScope(filter, dated.kind === 'within' ? formatPeriodName(dated.period.name) : null),
    ...(group === null ? [] : [GROUPS[group.by](group.name)]),
    ...formatDated(dated),
  ].join(', ');

const formatDated = (dated: FigureQuery['dated']): readonly string[] => {
  switch (dated.kind) {
    case 'any':
    case 'within':
      return [];
    case 'undated':
      return ['without a date'];
    case 'year-only':
      return ['known by year only'];
    case 'outside':
      return [`dated outside ${formatSpan(dated.span)}`];
  }
};

/** "January 2024 to November 2026". */
export const formatSpan = ({ from, to }: Span): string =>
  from === to ? formatMonth(from) : `${formatMonth(from)} to ${formatMonth(to)}`;

/** "May 2026", "quarter 2 of 2026", or "2026". */
export const formatPeriodName = (name: string): string => {
  const [year, quarter] = name.split('-Q');
  return quarter === undefined ? formatMonth(name) : `quarter ${quarter} of ${year}`;
};
