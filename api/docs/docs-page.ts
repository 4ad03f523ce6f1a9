import { type Html, html } from './html.ts';

/** Where the pages and their files lie. */
export interface DocsAddresses {
  /** Path of the service within its origin: empty, or like `/registry`. */
  readonly root: string;
  readonly asset: (name: 'docs.css' | 'docs.js' | 'swagger-ui.css' | 'swagger-ui.js') => string;
}

/** One page below `/docs`. */
export interface DocsPage {
  readonly path: '/docs' | '/docs/diagnostics' | '/docs/codes' | '/docs/statistics';
  readonly title: string;
  readonly content: Html;
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}

const PLACES = [
  { path: '/docs', name: 'Endpoints' },
  { path: '/docs/diagnostics', name: 'Diagnostics' },
  { path: '/docs/codes', name: 'Codes' },
  { path: '/docs/statistics', name: 'Statistics' },
] as const;

/** The frame that all pages below `/docs` share. */
export const writePage = (page: DocsPage, { root }: DocsAddresses): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} – Birth registry</title>
<link rel="icon" href="data:,">
${page.styles.map((address) => html`<link rel="stylesheet" href="${address}">\n`)}${page.scripts.map(
  (address) => html`<script src="${address}" defer></script>\n`,
)}</head>
<body>
<header class="head"><div class="frame">
<strong>Birth registry for integrators</strong>
<nav aria-label="Documentation">
${PLACES.map(({ path, name }) =>
  path === page.path
    ? html`<a href="${root}${path}" aria-current="page">${name}</a>\n`
    : html`<a href="${root}${path}">${name}</a>\n`,
)}<a href="${root}/openapi.json">openapi.json</a>
</nav>
</div></header>
<main class="frame">
<h1>${page.title}</h1>
${page.content}
</main>
</body>
</html>
`.html;
