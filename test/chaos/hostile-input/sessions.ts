import { csrfTokenIn, sessionCookie } from '../../../scripts/demo/http-session.ts';
import type { FoundForm, Session } from './attempt.ts';

const MOST_PAGES = 60;

/** Pages where to begin, and forms that end what the others need. */
const BEGINNINGS: readonly string[] = [
  '/registry',
  '/registry/records',
  '/registry/records/new',
  '/registry/births',
  '/registry/duplicates',
  '/registry/statistics',
  '/registry/providers',
  '/registry/import',
  '/registry/integrations',
  '/registry/members',
  '/registry/custom-fields',
  '/registry/custom-fields/new',
  '/registry/members/invite',
  '/account/password',
  '/staff',
  '/staff/practices',
  '/staff/partners',
  '/registry/capture/prefill',
  '/registry/practice',
];
const NOT_TO_BE_SENT = /^\/sign-out/;

/** Signs in, and looks at the pages as a crawler would: what forms are there, what they lead to. */
export const openSession = async (
  url: string,
  email: string,
  password: string,
): Promise<Session> => {
  const cookie = await sessionCookie(url, email, password);
  const pages = await crawl(url, cookie);
  const html = [...pages.values()];
  const forms = html.flatMap(formsIn).filter(({ action }) => !NOT_TO_BE_SENT.test(action));
  const csrfToken = html.map(csrfTokenIn).find((token) => token !== '') ?? '';
  if (forms.length === 0 || csrfToken === '') throw new Error('The sign-in failed.');
  return { cookie, csrfToken, forms: distinct(forms), links: [...pages.keys()] };
};

const crawl = async (url: string, cookie: string): Promise<ReadonlyMap<string, string>> => {
  const pages = new Map<string, string>();
  const waiting = [...BEGINNINGS];
  const seen = new Set(waiting);
  for (const path of waiting) {
    if (pages.size >= MOST_PAGES) break;
    const answer = await fetch(`${url}${path}`, { headers: { cookie }, redirect: 'manual' });
    const html = await answer.text();
    if (answer.status !== 200 || !/^text\/html/.test(answer.headers.get('content-type') ?? ''))
      continue;
    pages.set(path, html);
    for (const [, link = ''] of html.matchAll(/(?:href|action)="(\/(?:registry|staff)[^"#?]*)"/g))
      if (!seen.has(link)) {
        seen.add(link);
        waiting.push(link);
      }
  }
  return pages;
};

const attribute = (tag: string, name: string): string | null =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? null;

/** The forms of a page. Its own pages are the only ones that this reads. */
const formsIn = (html: string): FoundForm[] =>
  [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => {
    const tag = form.slice(0, form.indexOf('>') + 1);
    const fields = [...form.matchAll(/<(?:input|select|textarea|button)\b[^>]*>/g)].flatMap(
      ([field]) => {
        const name = attribute(field, 'name');
        return name === null || name === '_csrf'
          ? []
          : [[name, attribute(field, 'value') ?? ''] as const];
      },
    );
    return {
      method: attribute(tag, 'method') === 'post' ? 'POST' : 'GET',
      action: attribute(tag, 'action') ?? '',
      isUpload: attribute(tag, 'enctype') === 'multipart/form-data',
      fields,
    };
  });

/** Rows of a list have a form each. One of them tells what the others would. */
const distinct = (forms: readonly FoundForm[]): readonly FoundForm[] => [
  ...new Map(
    forms.map((form) => [
      `${form.method} ${form.action.replaceAll(/[0-9a-zA-Z_-]{16,}/g, ':id')} ${form.fields.map(([name]) => name).join()}`,
      form,
    ]),
  ).values(),
];
