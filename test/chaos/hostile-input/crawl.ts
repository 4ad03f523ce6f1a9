import { readCsrfToken } from '../../../scripts/demo/http-session.ts';
import type { MountedRoute } from '../../support/mounted-routes.ts';
import type { Field, FoundForm, Session } from './request.ts';

/** Rows of a list lead to pages of the same route: a few of them tell what the others would. */
const MAX_PAGES_OF_A_ROUTE = 2;
const ENDS_THE_SESSION = /^\/sign-out/;
const ADDRESS = /\b(?:href|action)="(\/[^"#?]*)/g;

/** Reads the pages of a session as a crawler does, beginning with every route that needs no id. */
export const crawl = async (
  url: string,
  cookie: string,
  routes: readonly MountedRoute[],
): Promise<{ readonly session: Session; readonly addresses: readonly string[] }> => {
  const pages = routes.filter(({ method }) => method === 'GET').map(({ path }) => patternOf(path));
  const pagesLeft = new Map(pages.map(({ source }) => [source, MAX_PAGES_OF_A_ROUTE]));
  const addresses = new Set(
    routes.filter(({ path }) => !/[:*]/.test(path)).map(({ path }) => path),
  );
  const found: FoundForm[] = [];
  let csrfToken = '';
  for (const address of addresses) {
    const page = pages.find((pattern) => pattern.test(address))?.source ?? '';
    const left = pagesLeft.get(page) ?? 0;
    if (left === 0 || ENDS_THE_SESSION.test(address)) continue;
    pagesLeft.set(page, left - 1);
    const answer = await fetch(`${url}${address}`, { headers: { cookie }, redirect: 'manual' });
    const html = await answer.text();
    if (answer.status !== 200 || !/^text\/html/.test(answer.headers.get('content-type') ?? ''))
      continue;
    csrfToken ||= readCsrfToken(html);
    found.push(...findForms(html, address));
    for (const [, linked = ''] of html.matchAll(ADDRESS)) addresses.add(linked);
  }
  const forms = distinct(found.filter(({ action }) => !ENDS_THE_SESSION.test(action)));
  if (forms.length === 0 || csrfToken === '') throw new Error('The sign-in failed.');
  return { session: { cookie, csrfToken, forms }, addresses: [...addresses] };
};

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/:\w+|\*\w+|\{.*\}/g, '[^/]+')}$`);

const readAttribute = (tag: string, name: string): string | null =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? null;

/** The forms of a page. This reads only our own pages. */
const findForms = (html: string, address: string): readonly FoundForm[] =>
  [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => {
    const tag = form.slice(0, form.indexOf('>') + 1);
    const fields = [...form.matchAll(/<(?:input|select|textarea|button)\b[^>]*>/g)].flatMap(
      ([field]): Field[] => {
        const name = readAttribute(field, 'name');
        return name === null || name === '_csrf'
          ? []
          : [[name, readAttribute(field, 'value') ?? '']];
      },
    );
    return {
      method: readAttribute(tag, 'method') === 'post' ? 'POST' : 'GET',
      action: readAttribute(tag, 'action') ?? address,
      fields,
    };
  });

const distinct = (forms: readonly FoundForm[]): readonly FoundForm[] => [
  ...new Map(
    forms.map((form) => [
      `${form.method} ${form.action.replaceAll(/[0-9a-zA-Z_-]{16,}/g, ':id')} ${form.fields.map(([name]) => name).join()}`,
      form,
    ]),
  ).values(),
];
