import type { DatedStatistics } from '../../statistics/practice-statistics.ts';
import { Section } from '../layout/section.tsx';
import { formatBenchmark, formatDeliveries, formatInterval, formatRate } from './format-figures.ts';
import { CountLink, RateBase } from './rate-base.tsx';
import type { Filter } from './statistics-filter.ts';

interface KeyFiguresProps {
  readonly of: DatedStatistics;
  readonly filter: Filter;
}

/** The three most important figures, next to the benchmark. */
export const KeyFigures = ({ of, filter }: KeyFiguresProps) => (
  <div class="cards">
    <Section id="births-figure" heading="Births" class="key-figure card">
      <p class="font-sans-xl text-bold line-height-sans-2">
        <CountLink count={of.births} of={{ figure: 'births' }} filter={filter} />
      </p>
      <p>
        {formatDeliveries(of)}
        {of.fetalDeaths > 0 && (
          <>
            ; fetal deaths among them:{' '}
            <CountLink count={of.fetalDeaths} of={{ figure: 'fetal-deaths' }} filter={filter} />
          </>
        )}
      </p>
    </Section>
    <KeyRate title="Cesarean" name="cesarean" of={of} filter={filter} />
    <KeyRate title="Preterm birth" name="preterm" of={of} filter={filter} />
  </div>
);

const KeyRate = ({
  title,
  name,
  of: { rates, benchmark, unknown },
  filter,
}: KeyFiguresProps & { readonly title: string; readonly name: string }) => {
  const own = rates[name];
  if (own === undefined) return null;
  const id = `${name}-figure`;
  return (
    <Section id={id} heading={title} class="key-figure card">
      <p class="font-sans-xl text-bold line-height-sans-2">{formatRate(own)}</p>
      <p>
        <RateBase rate={own} unknown={unknown[name] ?? 0} of={{ figure: name }} filter={filter} />
      </p>
      {own.value !== null && <p class="quiet">95% interval {formatInterval(own)}</p>}
      <p class="quiet">Other practices: {formatBenchmark(benchmark.rates[name])}</p>
    </Section>
  );
};
