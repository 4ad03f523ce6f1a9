import type { Rate } from '../../../domain/statistics/figures.ts';
import { buildFigurePath, type NamedFigure } from './figure-query.ts';
import { formatCount } from './format-figures.ts';
import type { Filter } from './statistics-filter.ts';

/** "71 of 250 known, 12 unknown", each number with a link to its records. */
export const RateBase = ({
  rate: { numerator, denominator },
  unknown = 0,
  of,
  asked,
}: {
  readonly rate: Rate;
  readonly unknown?: number;
  readonly of: NamedFigure;
  readonly asked: Filter;
}) => {
  const linkOf = (count: number, part: string) => (
    <CountLink count={count} of={{ ...of, part }} asked={asked} />
  );
  return (
    <span class="rate__base beneath text-normal">
      {denominator === 0 ? (
        'none known'
      ) : (
        <>
          {linkOf(numerator, 'counted')} of {linkOf(denominator, 'known')} known
        </>
      )}
      {unknown > 0 && <>, {linkOf(unknown, 'unknown')} unknown</>}
    </span>
  );
};

/** Count with a link to its records; zero has no link. */
export const CountLink = ({
  count,
  of,
  asked,
}: {
  readonly count: number;
  readonly of: NamedFigure;
  readonly asked: Filter;
}) => (count === 0 ? <>0</> : <a href={buildFigurePath(of, asked)}>{formatCount(count)}</a>);
