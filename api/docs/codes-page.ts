import { REGISTRY_CODES } from '../../domain/course-of-care/codes.ts';
import type { DocsAddresses, DocsPage } from './docs-page.ts';
import { type Html, html } from './html.ts';
import { REGISTRY_CODE_LIST, type RegistryCode, YES_AND_NO } from './registry-codes.ts';

/** The registry's own Observation codes, with the words that it recognises as their values. */
export const codesPage = (baseUrl: string, { asset }: DocsAddresses): DocsPage => ({
  path: '/docs/codes',
  title: 'Codes of the registry',
  styles: [asset('docs.css')],
  scripts: [],
  content: html`<p>BFDR Observations are read by their LOINC codes. For what no published code exists, send
an Observation whose <code>code.coding</code> has one of the codes below, under either of these
systems, which mean the same:</p>
<ul>
<li><code>${REGISTRY_CODES}</code></li>
<li><code>${baseUrl}/fhir/CodeSystem/registry</code></li>
</ul>
<h2>Observations</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Observations"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Means</th><th scope="col">Value</th></tr></thead>
<tbody>
${REGISTRY_CODE_LIST.map(rowOf)}</tbody>
</table></div>
<h2>How to write one</h2>
<p>A coded value goes into <code>valueCodeableConcept</code>; a list takes several Observations of the
same code.</p>
<pre tabindex="0">${JSON.stringify(EXAMPLE, null, 2)}</pre>
<h2 id="codes">Recognised codes</h2>
<p>Send them in <code>coding.code</code>; a <code>text</code> or <code>valueString</code> that is one of
them counts too. Any other code is stored as it was sent, and left out of statistics by value; in the
partner lane it is dropped.</p>
${REGISTRY_CODE_LIST.filter(isFirstOfItsTable).map(tableOf)}
<h2 id="yes-or-no">Yes or no</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Yes or no"><table>
<thead><tr><th scope="col">Written as</th><th scope="col">Yes</th><th scope="col">No</th></tr></thead>
<tbody>
${YES_AND_NO.map(
  ({ way, yes, no }) =>
    html`<tr><td>${way}</td><td><code>${yes}</code></td><td><code>${no}</code></td></tr>\n`,
)}</tbody>
</table></div>
<p>Upper and lower case do not matter.</p>
<h2 id="text">Text</h2>
<p>In <code>valueString</code>, or in the text, display or code of a
<code>valueCodeableConcept</code>.</p>`,
});

const VALUES: Readonly<Record<RegistryCode['value'], Html>> = {
  code: html`<a href="#codes">code</a>`,
  'yes or no': html`<a href="#yes-or-no">yes or no</a>`,
  text: html`<a href="#text">text</a>`,
};

const rowOf = ({ code, means, value }: RegistryCode): Html =>
  html`<tr><td><code>${code}</code></td><td>${means}</td><td>${VALUES[value]}</td></tr>\n`;

const isFirstOfItsTable = ({ recognised }: RegistryCode, index: number): boolean =>
  recognised !== null &&
  REGISTRY_CODE_LIST.findIndex((other) => other.recognised === recognised) === index;

const tableOf = ({ recognised }: RegistryCode): Html => {
  const codes = REGISTRY_CODE_LIST.filter((other) => other.recognised === recognised);
  return html`<table>
<caption>${codes.map(({ code }) => code).join(' and ')}</caption>
<thead><tr><th scope="col">Code</th><th scope="col">Means</th></tr></thead>
<tbody>
${[...(recognised ?? [])].map(
  ([code, means]) => html`<tr><td><code>${code}</code></td><td>${means}</td></tr>\n`,
)}</tbody>
</table>
`;
};

const EXAMPLE = {
  resourceType: 'Observation',
  status: 'final',
  code: { coding: [{ system: REGISTRY_CODES, code: 'birth_position' }] },
  valueCodeableConcept: { coding: [{ code: 'hands-and-knees' }] },
};
