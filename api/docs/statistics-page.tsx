import { COUNTS, RATES } from '../../domain/statistics/definitions.ts';
import { type DocsAddresses, type DocsPage, ScrolledTable } from './docs-page.tsx';

/** What each figure counts: the definitions that the figures themselves are made by. */
export const statisticsPage = ({ asset }: DocsAddresses): DocsPage => ({
  path: '/docs/statistics',
  title: 'What the statistics count',
  styles: [asset('docs.css')],
  scripts: [],
  content: (
    <>
      <p>
        A practice sees its figures on its statistics page; an operator by{' '}
        <code>operator statistics</code>. Both are made by the definitions on this page. A value
        that is not known is in no denominator. Voided records are in no figure, from the moment
        they are voided; suspected duplicates count until one of them is voided.
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
        Each rate comes with its numerator, its denominator and the 95 % interval of Wilson (1927).
      </p>
    </>
  ),
});
