import { toOperationOutcome } from '../../domain/rejections.ts';
import { outcomeOf } from '../http/operation-outcome.ts';
import { type CataloguePart, DIAGNOSTICS_CATALOGUE } from './diagnostics-catalogue.ts';
import type { DiagnosticsEntry, RecordExample, RequestExample } from './diagnostics-entry.ts';
import type { DocsAddresses, DocsPage } from './docs-page.ts';
import { type Html, html } from './html.ts';

/** Every code and text that the push lane emits, with examples. */
export const diagnosticsPage = ({ asset }: DocsAddresses): DocsPage => ({
  path: '/docs/diagnostics',
  title: 'Diagnostics',
  styles: [asset('docs.css')],
  scripts: [],
  content: html`<p>Every error of the push lane: when it happens, what to do, and an example of each. The
names and keys in the examples are made up.</p>
${DIAGNOSTICS_CATALOGUE.map(partOf)}`,
});

const partOf = ({ id, title, about, entries }: CataloguePart): Html =>
  html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p>${about}</p>
<ul class="contents">
${entries.map((entry) => html`<li><a href="#${entry.id}">${contentsLineOf(entry)}</a></li>\n`)}</ul>
${entries.map(entryOf)}</section>
`;

const entryOf = (entry: DiagnosticsEntry): Html => html`<article class="entry" id="${entry.id}">
<h3>${headingOf(entry)}</h3>
<ul class="marks">${marksOf(entry).map((mark) => html`<li><code>${mark}</code></li>`)}</ul>
<p>${entry.happens}</p>
<p><strong>What to do:</strong> ${entry.remedy}</p>
<div class="examples">
${exampleOf('Fails', 'wrong', textOf(entry, 'failing'))}
${exampleOf('Works', 'right', textOf(entry, 'fixed'))}
</div>
<details><summary>The answer that it gets</summary>
<pre tabindex="0">${answerOf(entry)}</pre>
</details>
</article>
`;

const contentsLineOf = (entry: DiagnosticsEntry): string =>
  entry.kind === 'request' ? `${entry.status}: ${headingOf(entry)}` : headingOf(entry);

const headingOf = (entry: DiagnosticsEntry): string => {
  switch (entry.kind) {
    case 'record':
      return entry.rejection.diagnostics;
    case 'request':
      return entry.diagnostics;
    case 'ingestion':
      return entry.failure.error;
  }
};

const marksOf = (entry: DiagnosticsEntry): readonly string[] => {
  switch (entry.kind) {
    case 'record':
      return [entry.rejection.code, ...(entry.rejection.expression ?? [])];
    case 'request':
      return [
        String(entry.status),
        ...(entry.code === null ? [] : [entry.code]),
        ...entry.expression,
      ];
    case 'ingestion':
      return ['failed', entry.failure.exception];
  }
};

interface Shown {
  readonly text: string;
  readonly look: 'json' | 'request';
  /** What to know before and after reading it. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

const exampleOf = (title: string, look: string, shown: readonly Shown[]): Html => html`<div>
<h4 class="${look}">${title}</h4>
${shown.map(
  (one) => html`${noteOf(one.before)}<pre class="${one.look}" tabindex="0">${one.text}</pre>
${noteOf(one.after)}`,
)}</div>`;

const noteOf = (note: string | undefined): Html =>
  note === undefined ? html`` : html`<p class="note">${note}</p>\n`;

const textOf = (entry: DiagnosticsEntry, which: 'failing' | 'fixed'): readonly Shown[] => {
  switch (entry.kind) {
    case 'record':
      return bundlesOf(entry[which]);
    case 'request':
      return [requestOf(entry[which])];
    case 'ingestion':
      return [{ text: json(entry[which]), look: 'json' }];
  }
};

const bundlesOf = ({ held = [], bundle, whole }: RecordExample): readonly Shown[] => [
  ...held.map((earlier) => ({
    text: json(earlier),
    look: 'json' as const,
    before: 'Sent before, and accepted:',
  })),
  {
    text: json(bundle),
    look: 'json',
    before: held.length > 0 ? 'Then:' : undefined,
    after: whole === undefined ? undefined : `… ${whole.note}`,
  },
];

const requestOf = (request: RequestExample): Shown => {
  const lines = [
    `${request.method} ${request.path}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const body = request.body === undefined ? '' : `\n\n${request.body}`;
  const { times, whole } = request;
  const circumstance = request.while === undefined ? undefined : CIRCUMSTANCES[request.while];
  return {
    text: `${lines.join('\n')}${body}`,
    look: 'request',
    before: times === undefined ? circumstance : `For the ${times}st time within a minute:`,
    after: typeof whole?.note === 'string' ? `… ${whole.note}` : undefined,
  };
};

const CIRCUMSTANCES: Readonly<Record<NonNullable<RequestExample['while']>, string>> = {
  starting: 'While the service starts:',
  'the connection is slow': 'Over a connection so slow that it takes more than two minutes:',
  'a header is endless': 'With an Idempotency-Key of 20,000 characters:',
  'a header expects something': 'With the header Expect: tea:',
  'a store is away': 'While the event log or the database is away:',
  'a fault': 'When the registry has a fault:',
  'the connection breaks': 'When the connection breaks before the end:',
};

const answerOf = (entry: DiagnosticsEntry): string => {
  switch (entry.kind) {
    case 'record':
      return json(toOperationOutcome([entry.rejection]));
    case 'ingestion':
      return json(entry.failing);
    case 'request': {
      const { code, diagnostics, expression } = entry;
      if (code === null) return json({ message: diagnostics });
      const where = expression.length > 0 ? { expression } : {};
      return json(outcomeOf({ severity: 'error', code, diagnostics, ...where }));
    }
  }
};

const json = (value: unknown): string => JSON.stringify(value, null, 2);
