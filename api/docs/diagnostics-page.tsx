import { toOperationOutcome } from '../../domain/course/rejections.ts';
import { toOutcome } from '../http/operation-outcome.ts';
import { REQUEST_PROBLEMS } from '../http/problems.ts';
import type { RequestExample } from '../http/request-example.ts';
import { Section } from '../pages/layout/section.tsx';
import type { DiagnosticsEntry, RecordExample } from './diagnostics-entry.ts';
import { CodeBlock, type DocsAddresses, type DocsPage } from './docs-page.tsx';
import { INGESTION_DIAGNOSTICS } from './ingestion-diagnostics.ts';
import { RECORD_DIAGNOSTICS } from './record-diagnostics.ts';

interface CatalogPart {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly entries: readonly DiagnosticsEntry[];
}

/** A test checks the catalog against the code. */
export const DIAGNOSTICS_CATALOG: readonly CatalogPart[] = [
  {
    id: 'requests',
    title: 'Requests',
    about:
      'The request as a whole is answered with an error, and nothing of it is stored. Branch on the status code and the issue code; texts may get clearer over time. Bodies are shown short; whole ones stand under Records.',
    entries: Object.entries(REQUEST_PROBLEMS).map(([id, problem]) => ({
      kind: 'request',
      id,
      ...problem,
    })),
  },
  {
    id: 'records',
    title: 'Records',
    about:
      'The submission is completed, and its receipt lists the record in outcome.rejected with an OperationOutcome of one issue or several. Other records of the same Bundle are not affected.',
    entries: RECORD_DIAGNOSTICS,
  },
  {
    id: 'ingestions',
    title: 'Failed ingestions',
    about: 'The receipt has the status failed, and outcome.error says one of these sentences.',
    entries: INGESTION_DIAGNOSTICS,
  },
];

export const diagnosticsPage = ({ asset }: DocsAddresses): DocsPage => ({
  path: '/docs/diagnostics',
  title: 'Diagnostics',
  styles: [asset('docs.css')],
  scripts: [],
  content: (
    <>
      <p>
        Every error of the push lane: when it happens, what to do, and an example of each. The names
        and keys in the examples are made up.
      </p>
      {DIAGNOSTICS_CATALOG.map((part) => (
        <Part key={part.id} part={part} />
      ))}
    </>
  ),
});

const Part = ({ part }: { readonly part: CatalogPart }) => {
  const { id, title, about, entries } = part;
  return (
    <Section id={id} heading={title}>
      <p>{about}</p>
      <ul class="contents">
        {entries.map((entry) => (
          <li key={entry.id}>
            <a href={`#${entry.id}`}>{formatContentsLine(entry)}</a>
          </li>
        ))}
      </ul>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </Section>
  );
};

const Entry = ({ entry }: { readonly entry: DiagnosticsEntry }) => (
  <article class="entry" id={entry.id}>
    <h3>{getHeading(entry)}</h3>
    <ul class="marks">
      {listMarks(entry).map((mark) => (
        <li key={mark}>
          <code>{mark}</code>
        </li>
      ))}
    </ul>
    <p>{entry.happens}</p>
    <p>
      <strong>What to do:</strong> {entry.remedy}
    </p>
    <div class="examples">
      <Example title="Fails" look="wrong" snippets={buildExample(entry, 'failing')} />
      <Example title="Works" look="right" snippets={buildExample(entry, 'fixed')} />
    </div>
    <details>
      <summary>The answer that it gets</summary>
      <CodeBlock text={formatAnswer(entry)} />
    </details>
  </article>
);

const formatContentsLine = (entry: DiagnosticsEntry): string =>
  entry.kind === 'request' ? `${entry.status}: ${getHeading(entry)}` : getHeading(entry);

const getHeading = (entry: DiagnosticsEntry): string => {
  switch (entry.kind) {
    case 'record':
      return entry.rejection.diagnostics;
    case 'request':
      return entry.diagnostics;
    case 'ingestion':
      return entry.failure.error;
  }
};

const listMarks = (entry: DiagnosticsEntry): readonly string[] => {
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

interface Snippet {
  readonly text: string;
  readonly look: 'json' | 'request';
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

const Example = ({
  title,
  look,
  snippets,
}: {
  readonly title: string;
  readonly look: 'wrong' | 'right';
  readonly snippets: readonly Snippet[];
}) => (
  <div>
    <h4 class={look}>{title}</h4>
    {snippets.map(({ before, after, look: textLook, text }) => (
      <>
        {before !== undefined && <p class="note">{before}</p>}
        <CodeBlock text={text} class={textLook} />
        {after !== undefined && <p class="note">{after}</p>}
      </>
    ))}
  </div>
);

const buildExample = (entry: DiagnosticsEntry, which: 'failing' | 'fixed'): readonly Snippet[] => {
  switch (entry.kind) {
    case 'record':
      return buildBundles(entry[which]);
    case 'request':
      return [buildRequest(entry[which])];
    case 'ingestion':
      return [{ text: formatJson(entry[which]), look: 'json' }];
  }
};

const buildBundles = ({ priorBundles = [], bundle, whole }: RecordExample): readonly Snippet[] => [
  ...priorBundles.map((earlier) => ({
    text: formatJson(earlier),
    look: 'json' as const,
    before: 'Sent before, and accepted:',
  })),
  {
    text: formatJson(bundle),
    look: 'json',
    before: priorBundles.length > 0 ? 'Then:' : undefined,
    after: whole === undefined ? undefined : `… ${whole.note}`,
  },
];

const buildRequest = (request: RequestExample): Snippet => {
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
  'a store is away': 'While the database is away:',
  'the queue is full': 'While the queue is full:',
  'the practice has filled its share': 'While the practice has filled its share of the queue:',
  'other long bodies are read': 'While many other long bodies are read:',
  'another sender submitted it': 'When another sender of the practice submitted it:',
  'others wait for a slow body': 'When it arrives slowly, and others wait for its memory:',
  'reading takes too long': 'When reading the body takes too long:',
  'a fault': 'When the registry has a fault:',
  'the connection breaks': 'When the connection breaks before the end:',
};

const formatAnswer = (entry: DiagnosticsEntry): string => {
  switch (entry.kind) {
    case 'record':
      return formatJson(toOperationOutcome([entry.rejection]));
    case 'ingestion':
      return formatJson(entry.failing);
    case 'request': {
      const { code, diagnostics, expression } = entry;
      if (code === null) return formatJson({ message: diagnostics });
      const where = expression.length > 0 ? { expression } : {};
      return formatJson(toOutcome({ severity: 'error', code, diagnostics, ...where }));
    }
  }
};

const formatJson = (value: unknown): string => JSON.stringify(value, null, 2);
