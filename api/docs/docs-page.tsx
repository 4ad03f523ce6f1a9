import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';

export interface DocsAddresses {
  /** Empty, or like `/registry`. */
  readonly root: string;
  readonly asset: (name: 'docs.css' | 'docs.js' | 'swagger-ui.css' | 'swagger-ui.js') => string;
}

export interface DocsPage {
  readonly path:
    | '/docs'
    | '/docs/diagnostics'
    | '/docs/codes'
    | '/docs/edits'
    | '/docs/statistics'
    | '/docs/exported-items';
  readonly title: string;
  readonly content: ComponentChildren;
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}

const PLACES = [
  { path: '/docs', name: 'Endpoints' },
  { path: '/docs/diagnostics', name: 'Diagnostics' },
  { path: '/docs/codes', name: 'Codes' },
  { path: '/docs/edits', name: 'Edits' },
  { path: '/docs/statistics', name: 'Statistics' },
  { path: '/docs/exported-items', name: 'Exported items' },
] as const;

export const writePage = (page: DocsPage, { root }: DocsAddresses): string =>
  `<!doctype html>${renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${page.title} – Birth registry`}</title>
        <link rel="icon" href="data:," />
        {page.styles.map((address) => (
          <link key={address} rel="stylesheet" href={address} />
        ))}
        {page.scripts.map((address) => (
          <script key={address} src={address} defer />
        ))}
      </head>
      <body>
        <header class="head">
          <div class="frame">
            <strong>Birth registry for integrators</strong>
            <nav aria-label="Documentation">
              {PLACES.map(({ path, name }) => (
                <a
                  key={path}
                  href={`${root}${path}`}
                  aria-current={path === page.path ? 'page' : undefined}
                >
                  {name}
                </a>
              ))}
              <a href={`${root}/openapi.json`}>openapi.json</a>
            </nav>
          </div>
        </header>
        <main class="frame">
          <h1>{page.title}</h1>
          {page.content}
        </main>
      </body>
    </html>,
  )}`;

export const CodeList = ({ codes }: { readonly codes: readonly string[] }) => (
  <>
    {codes.map((code, at) => (
      <>
        {at === 0 ? '' : ', '}
        <code>{code}</code>
      </>
    ))}
  </>
);

/** A table that scrolls sideways if too wide. */
export const ScrolledTable = ({
  label,
  class: className,
  columns,
  children,
}: {
  readonly label: string;
  readonly class?: string;
  readonly columns: readonly string[];
  readonly children: ComponentChildren;
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
  <section class="scroll" tabIndex={0} aria-label={label}>
    <table class={className}>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
);

export const CodeBlock = ({
  text,
  class: className,
}: {
  readonly text: string;
  readonly class?: string;
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
  <pre class={className} tabIndex={0}>
    {text}
  </pre>
);
