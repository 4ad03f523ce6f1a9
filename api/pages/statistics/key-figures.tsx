import type { BenchmarkRate } from '../../../domain/statistics/benchmark.ts';
import type { PracticeStatistics } from '../../../domain/statistics/figures.ts';
import type { Rate } from '../../../domain/statistics/rate.ts';
import { countInWords } from '../words/measures-in-words.ts';
import {
  baseInWords,
  benchmarkInWords,
  deliveriesInWords,
  inFigures,
  rateInWords,
} from './figures-in-words.ts';

/** The three figures that matter first, with the benchmark beside them. */
export const KeyFigures = ({ of }: { readonly of: PracticeStatistics }) => (
  <div class="cards">
    <section class="key-figure card" aria-labelledby="births-figure">
      <h2 id="births-figure">Births</h2>
      <p class="key-figure__value">{inFigures(of.births)}</p>
      <p>
        {deliveriesInWords(of)}
        {of.fetalDeaths > 0 && `; ${countInWords(of.fetalDeaths, 'fetal death')} among them`}
      </p>
    </section>
    <KeyRate title="Cesarean" own={of.rates['cesarean']} others={of.benchmark.rates['cesarean']} />
    <KeyRate title="Preterm" own={of.rates['preterm']} others={of.benchmark.rates['preterm']} />
  </div>
);

const KeyRate = ({
  title,
  own,
  others,
}: {
  readonly title: string;
  readonly own: Rate | undefined;
  readonly others: BenchmarkRate | undefined;
}) => {
  if (own === undefined) return null;
  const id = `${title.toLowerCase()}-figure`;
  return (
    <section class="key-figure card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="key-figure__value">{rateInWords(own)}</p>
      <p>{baseInWords(own)}</p>
      <p class="quiet">Other practices: {benchmarkInWords(others)}</p>
    </section>
  );
};
