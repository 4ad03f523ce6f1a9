import type { TestVisitor } from '../harness/pages.ts';

/** A form of a page as a browser would send it. */
interface SentForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The form of a birth. */
const BIRTH_FORM = 'id="birth-form"';

/** What a browser would send of a form. @param mark text that no other form of the page has */
export const formOn = (html: string, mark = BIRTH_FORM): SentForm => {
  const forms = [...html.matchAll(FORMS)].map(([form]) => form);
  const [form, ...others] = forms.filter((one) => one.includes(mark));
  if (form === undefined || others.length > 0) throw new Error(`Not one form has ${mark}`);
  return readForm(form);
};

/** What a browser would send of each form of a page. */
export const formsOn = (html: string): readonly SentForm[] =>
  [...html.matchAll(FORMS)].map(([form]) => readForm(form));

const FORMS = /<form[\s\S]*?<\/form>/g;

const readForm = (form: string): SentForm => {
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const name = attribute(tag, 'name');
    const isChoice = /type="(?:checkbox|radio)"/.test(tag);
    if (name !== null && (!isChoice || /\schecked/.test(tag)))
      fields[name] = attribute(tag, 'value') ?? '';
  }
  for (const [, tag = '', options = ''] of form.matchAll(/(<select[^>]*>)([\s\S]*?)<\/select>/g)) {
    const chosen = [...options.matchAll(/<option[^>]*>/g)].find(([one]) => /\sselected/.test(one));
    fields[attribute(tag, 'name') ?? ''] =
      chosen === undefined ? '' : (attribute(chosen[0], 'value') ?? '');
  }
  for (const [, tag = '', text = ''] of form.matchAll(/(<textarea[^>]*>)([\s\S]*?)<\/textarea>/g))
    fields[attribute(tag, 'name') ?? ''] = unescaped(text);
  return { action: attribute(/<form[^>]*>/.exec(form)?.[0] ?? '', 'action') ?? '', fields };
};

/** Opens a page and sends a form of it, as a browser without script would. @returns the answer */
export const submit = async (
  visitor: TestVisitor,
  path: string,
  typed: Readonly<Record<string, string>>,
  mark?: string,
): Promise<Response> => {
  const { action, fields } = formOn(await (await visitor.send(path)).text(), mark);
  return visitor.send(action, { ...fields, ...typed });
};

const attribute = (tag: string, name: string): string | null => {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? [];
  return value === undefined ? null : unescaped(value);
};

const unescaped = (text: string): string =>
  text
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&');
