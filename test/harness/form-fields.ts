import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** A file that was chosen in a form. */
export type ChosenFile = {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
};

const files = new WeakMap<Element, ChosenFile>();

const FIELDS = 'input, select, textarea, button';
const CHECKED_TYPES = /^(checkbox|radio)$/;

const typeOf = (field: Element): string =>
  (field.getAttribute('type') ?? (field.localName === 'button' ? 'submit' : 'text')).toLowerCase();

const isDisabled = (field: Element): boolean =>
  field.hasAttribute('disabled') ||
  (field.closest('fieldset[disabled]') !== null && field.closest('legend') === null);

const optionsOf = (select: Element): readonly Element[] => [...select.querySelectorAll('option')];

const valueOfOption = (option: Element): string =>
  option.getAttribute('value') ?? (option.textContent ?? '').trim();

const chosenOption = (select: Element): Element | undefined =>
  optionsOf(select).findLast((option) => option.hasAttribute('selected')) ??
  optionsOf(select).find((option) => !option.hasAttribute('disabled'));

/** What a field holds. */
export const readField = (field: Element): string => {
  if (field.localName === 'textarea') return field.textContent ?? '';
  if (field.localName !== 'select') return field.getAttribute('value') ?? '';
  const chosen = chosenOption(field);
  return chosen === undefined ? '' : valueOfOption(chosen);
};

/** Types into a field, in place of what it held. */
export const fillField = (field: Element, value: string): void => {
  if (isDisabled(field) || field.hasAttribute('readonly')) throw new Error('Nobody can type there');
  if (field.localName === 'textarea') field.textContent = value;
  else if (field.localName === 'input' && !CHECKED_TYPES.test(typeOf(field)))
    field.setAttribute('value', value);
  else throw new Error(`Nothing is typed into a ${field.localName} ${typeOf(field)}`);
};

/** Chooses an option by its value or its text. */
export const chooseOption = (
  select: Element,
  wanted: string | { readonly label: string },
): void => {
  const option = optionsOf(select).find((one) => {
    const text = (one.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
    return typeof wanted === 'string'
      ? valueOfOption(one) === wanted || text === wanted
      : text === wanted.label;
  });
  if (option === undefined) throw new Error('The list has no such option');
  for (const one of optionsOf(select)) one.removeAttribute('selected');
  option.setAttribute('selected', '');
};

/** Checks a box or a radio button, or clears a box. */
export const checkField = (field: Element, isChecked: boolean): void => {
  if (!CHECKED_TYPES.test(typeOf(field))) throw new Error('Nothing to check there');
  if (isDisabled(field)) throw new Error('Nobody can check it');
  if (typeOf(field) === 'radio')
    for (const one of fieldsOf(formOf(field)))
      if (typeOf(one) === 'radio' && one.getAttribute('name') === field.getAttribute('name'))
        one.removeAttribute('checked');
  field.toggleAttribute('checked', isChecked);
};

/** Chooses a file. */
export const chooseFile = (field: Element, chosen: ChosenFile | string): void => {
  const file =
    typeof chosen === 'string'
      ? {
          name: basename(chosen),
          mimeType: 'application/octet-stream',
          buffer: readFileSync(chosen),
        }
      : chosen;
  files.set(field, file);
};

/** The form that a field or a button belongs to. */
export const formOf = (field: Element): Element => {
  const id = field.getAttribute('form');
  const form = id === null ? field.closest('form') : field.ownerDocument.getElementById(id);
  if (form === null) throw new Error('It belongs to no form');
  return form;
};

const fieldsOf = (form: Element): readonly Element[] =>
  [...form.ownerDocument.querySelectorAll(FIELDS)].filter((field) => {
    const id = field.getAttribute('form');
    return id === null ? field.closest('form') === form : id === form.id;
  });

/** The button that Enter in a field presses. */
export const defaultButtonOf = (field: Element): Element | undefined =>
  fieldsOf(formOf(field)).find((one) => isSubmitButton(one) && !isDisabled(one));

/** Whether a click on it sends a form. */
export const isSubmitButton = (element: Element): boolean =>
  (element.localName === 'button' || element.localName === 'input') &&
  typeOf(element) === 'submit' &&
  (element.getAttribute('form') !== null || element.closest('form') !== null);

/** What a browser checks before it sends a form. @returns the first field that it would point to */
const findInvalid = (form: Element): Element | undefined =>
  form.hasAttribute('novalidate')
    ? undefined
    : fieldsOf(form).find((field) => {
        if (!field.hasAttribute('required') || isDisabled(field)) return false;
        if (!CHECKED_TYPES.test(typeOf(field))) return readField(field) === '' && !files.has(field);
        const name = field.getAttribute('name');
        return !fieldsOf(form).some(
          (one) => one.getAttribute('name') === name && one.hasAttribute('checked'),
        );
      });

/** A form as it is sent. */
export interface SentForm {
  readonly action: string;
  readonly method: 'GET' | 'POST';
  readonly body: URLSearchParams | FormData;
}

/** What a browser sends of a form. @throws Error for one that it would not send */
export const readForm = (form: Element, button: Element | null): SentForm => {
  const invalid = findInvalid(form);
  if (invalid !== undefined) throw new Error(`Still to fill in: ${invalid.getAttribute('name')}`);
  const attribute = (name: string) =>
    button?.getAttribute(`form${name}`) ?? form.getAttribute(name) ?? '';
  const isMultipart = attribute('enctype') === 'multipart/form-data';
  const body = isMultipart ? new FormData() : new URLSearchParams();
  for (const field of fieldsOf(form)) {
    const name = field.getAttribute('name') ?? '';
    const type = typeOf(field);
    if (name === '' || isDisabled(field)) continue;
    if (/^(submit|button|reset|image)$/.test(type) && field !== button) continue;
    if (CHECKED_TYPES.test(type)) {
      if (field.hasAttribute('checked')) body.append(name, field.getAttribute('value') ?? 'on');
    } else if (type === 'file') {
      const file = files.get(field);
      const content = new File(
        file === undefined ? [] : [new Uint8Array(file.buffer)],
        file?.name ?? '',
        {
          type: file?.mimeType ?? 'application/octet-stream',
        },
      );
      if (body instanceof FormData) body.append(name, content);
      else body.append(name, content.name);
    } else if (field.localName !== 'select' || chosenOption(field) !== undefined)
      body.append(name, readField(field).replaceAll(/\r\n|\r|\n/g, '\r\n'));
  }
  const method = attribute('method').toLowerCase() === 'post' ? 'POST' : 'GET';
  return { action: attribute('action'), method, body };
};
