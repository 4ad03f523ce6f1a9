import { COUNTS, MIN_CELL_SIZE, RATES } from '../../domain/statistics/definitions.ts';
import { MIN_CASES_TO_COMPARE } from '../../domain/statistics/notable.ts';
import { type DocsAddresses, type DocsPage, ScrolledTable } from './docs-page.tsx';

export const statisticsPage = ({ asset }: DocsAddresses): DocsPage => ({
  path: '/docs/statistics',
  title: 'What the statistics count',
  styles: [asset('docs.css')],
  scripts: [],
  content: (
    <>
      <p>
        A practice sees its figures on its statistics page; an operator by{' '}
        <code>birth-registry statistics</code>. Both are made by the definitions on this page.
        Unknown values are excluded. Voided records are in no figure, from the moment they are
        voided; possible duplicates count until one of them is voided.
      </p>
      <h2>Counts</h2>
      <dl>
        {Object.entries(COUNTS).map(([name, means]) => (
          <>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{means}</dd>
          </>
        ))}
      </dl>
      <h2>Rates</h2>
      <ScrolledTable label="Rates" columns={['Name', 'Counts', 'Among']}>
        {RATES.map(({ name, title, counts, among }) => (
          <tr key={name}>
            <td>
              {title}
              <br />
              <code>{name}</code>
            </td>
            <td>{counts}</td>
            <td>{among}</td>
          </tr>
        ))}
      </ScrolledTable>
      <p>
        Each rate comes with its numerator, its denominator and the 95% interval of Wilson (1927).
      </p>
      <h2>Highlights</h2>
      <p>
        The page names a rate as higher or lower than elsewhere, or than in the time before, if at
        least {MIN_CASES_TO_COMPARE} cases are known, if its interval does not reach the rate that
        it is compared with, and if it differs from that rate by at least 10% of it. The time before
        is the year before, for a month the twelve months before it, and for all years the twelve
        months before the last twelve whole ones. Because all rates are looked at together, the
        intervals for this are wider than the 95% intervals (Bonferroni): where nothing really
        differs, there is at most one chance in 20 that any rate is named. The other practices count
        as exactly what is shown of them, give or take half a percent.
      </p>
      <h2>Over time</h2>
      <p>
        Charts go by month up to 24 months, then by quarter up to 24 quarters, then by year; rates
        by a longer unit where most months have fewer than {MIN_CELL_SIZE} births. A point is drawn
        if at least {MIN_CELL_SIZE} values are known. Births of years that are not plausible (in the
        future, or a few on the far side of a gap of years) are counted, but in no chart; the page
        says how many and leads to them.
      </p>
    </>
  ),
});
