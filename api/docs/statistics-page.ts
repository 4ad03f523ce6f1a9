import { COUNTS, RATES, type RateDefinition } from '../../domain/statistics/definitions.ts';
import type { DocsAddresses, DocsPage } from './docs-page.ts';
import { type Html, html } from './html.ts';

/** What each figure counts: the definitions that the figures themselves are made by. */
export const statisticsPage = ({ asset }: DocsAddresses): DocsPage => ({
  path: '/docs/statistics',
  title: 'What the statistics count',
  styles: [asset('docs.css')],
  scripts: [],
  content: html`<p>A practice sees its figures on its statistics page; an operator by
<code>operator statistics</code>. Both are made by the definitions on this page. A value that is not
known is in no denominator. Voided records are in no figure, from the moment they are voided; suspected
duplicates count until one of them is voided.</p>
<h2>Counts</h2>
<dl>
${Object.entries(COUNTS).map(
  ([name, means]) => html`<dt><code>${name}</code></dt><dd>${means}</dd>\n`,
)}</dl>
<h2>Rates</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Rates"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Counts</th><th scope="col">Among</th></tr></thead>
<tbody>
${RATES.map(rowOf)}</tbody>
</table></div>
<p>Each rate comes with its numerator, its denominator and the 95 % interval of Wilson (1927).</p>`,
});

const rowOf = ({ name, title, counts, among }: RateDefinition): Html =>
  html`<tr><td>${title}<br><code>${name}</code></td><td>${counts}</td><td>${among}</td></tr>\n`;
