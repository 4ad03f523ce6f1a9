import type { Rate } from '../../../domain/statistics/figures.ts';
import { buildFigurePath, type NamedFigure } from './figure-query.ts';
import { formatCount } from './format-figures.ts';
import type { Filter } from './statistics-filter.ts';

/** "71 of 250 known, 12 unknown", each number with a link to its records. */
export const RateBase = ({
  rate: { numerator, denominator },
  unknown = 0,
  of,
  filter,
}: {
  readonly rate: Rate;
  readonly unknown?: number;
  readonly of: NamedFigure;
  readonly filter: Filter;
}) => {
  const renderLink = (count: number, part: string) => (
    <CountLink count={count} of={{ ...of, part }} filter={filter} />
  );
  return (
    <span class="rate__base beneath text-normal">
      {denominator === 0 ? (
        'none known'
      ) : (
        <>
          {renderLink(numerator, 'counted')} of {renderLink(denominator, 'known')} known
        </>
      )}
      {unknown > 0 && <>, {renderLink(unknown, 'unknown')} unknown</>}
    </span>
  );
};

/** Count with a link to its records; zero has no link. */
export const CountLink = ({
  count,
  of,
  filter,
}: {
  readonly count: number;
  readonly of: NamedFigure;
  readonly filter: Filter;
}) => (count === 0 ? <>0</> : <a href={buildFigurePath(of, filter)}>{formatCount(count)}</a>);
