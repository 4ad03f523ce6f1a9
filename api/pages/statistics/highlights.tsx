import { RATES } from '../../../domain/statistics/definitions.ts';
import { type Finding, MIN_CASES_TO_COMPARE } from '../../../domain/statistics/notable.ts';
import type { DatedStatistics } from '../../statistics/practice-statistics.ts';
import { Section } from '../layout/section.tsx';
import { formatMonth } from '../text/format-dates.ts';
import { buildFigurePath } from './figure-query.ts';
import { formatInterval, formatPercent, formatWholePercent } from './format-figures.ts';
import type { Filter } from './statistics-filter.ts';

interface FormattedFinding {
  readonly name: string;
  readonly claim: string;
  readonly figures: string;
}

export const formatFindings = (
  statistics: DatedStatistics,
  filter: Filter,
): readonly FormattedFinding[] =>
  statistics.notable.findings.map((finding) => formatFinding(finding, statistics, filter));

const formatFinding = (
  { name, elsewhere, before }: Finding,
  { rates, lastMonthCompared }: DatedStatistics,
  filter: Filter,
): FormattedFinding => {
  const title = RATES.find((rate) => rate.name === name)?.title ?? name;
  const past = formatPast(filter);
  const recently =
    lastMonthCompared === null ? '' : ` in the 12 months to ${formatMonth(lastMonthCompared)}`;
  const beforeFigures =
    before === null
      ? ''
      : `${formatPercent(before.recent.value ?? 0)} compared with ${formatPercent(before.past.value ?? 0)}`;
  if (elsewhere === null)
    return {
      name,
      claim: `${title} is ${before?.direction}${recently} than in ${past}`,
      figures: `${beforeFigures}.`,
    };
  const own = rates[name];
  const also = before?.direction === elsewhere.direction ? 'It is also' : 'But it is';
  return {
    name,
    claim: `${title} is ${elsewhere.direction} than elsewhere`,
    figures: [
      `${formatPercent(own?.value ?? 0)} (95% interval ${own === undefined ? '' : formatInterval(own)}) compared with ${formatWholePercent(elsewhere.value)}.`,
      ...(before === null
        ? []
        : [` ${also} ${before.direction}${recently} than in ${past}: ${beforeFigures}.`]),
    ].join(''),
  };
};

/** Earlier period: "2025", or "the 12 months before". */
const formatPast = ({ period }: Filter): string =>
  /^\d{4}$/.test(period) ? String(Number(period) - 1) : 'the 12 months before';

export const describeNoHighlights = (
  { notable: { comparedElsewhere, comparedBefore } }: DatedStatistics,
  filter: Filter,
): string => {
  const past = `in ${formatPast(filter)}`;
  if (comparedElsewhere === 0 && comparedBefore === 0)
    return `There isn’t enough data to compare yet. A comparison needs ${MIN_CASES_TO_COMPARE} births with known values here, and as many in ${formatPast(filter)} or enough other practices.`;
  if (comparedElsewhere === 0)
    return `No rate is clearly higher or lower than ${past}. Other practices have too few births to compare.`;
  return `No rate is clearly higher or lower than elsewhere${comparedBefore === 0 ? '' : `, or than ${past}`}.`;
};

export const Highlights = ({
  statistics,
  filter,
}: {
  readonly statistics: DatedStatistics;
  readonly filter: Filter;
}) => {
  const findings = formatFindings(statistics, filter);
  return (
    <Section id="stands-out" heading="Highlights" class="stands-out notice">
      {findings.length === 0 ? (
        <p>{describeNoHighlights(statistics, filter)}</p>
      ) : (
        <ul>
          {findings.map(({ name, claim, figures }) => (
            <li key={name}>
              <a href={buildFigurePath({ figure: name, part: 'counted' }, filter)}>{claim}</a>:{' '}
              {figures}
            </li>
          ))}
        </ul>
      )}
      <details class="no-print">
        <summary>How we choose highlights</summary>
        <p>
          A rate is listed if it has at least {MIN_CASES_TO_COMPARE} known cases, if its interval
          doesn’t include the rate it is compared with, and if the two differ by at least 10% of
          that rate. Because many rates are compared at once, we use wider intervals than those
          shown: if nothing really differs, the chance that anything is listed is at most 1 in 20.
          High or low isn’t good or bad by itself.
        </p>
      </details>
    </Section>
  );
};
