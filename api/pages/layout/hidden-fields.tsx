import type { Request } from 'express';
import { listFormNames, readFormTexts } from '../../web/form-body.ts';
import { CSRF_FIELD } from '../../web/session/csrf.ts';
import { FORM_ID_FIELD, newFormId } from '../../web/single-use-form.ts';

export interface HiddenField {
  readonly name: string;
  readonly value: string;
}

/** Omits those that every form has, and `except`. */
export const readHiddenFields = (
  req: Request,
  except: readonly string[] = [],
): readonly HiddenField[] =>
  listFormNames(req)
    .filter((name) => ![CSRF_FIELD, ...except].includes(name))
    .flatMap((name) => readFormTexts(req, name).map((value) => ({ name, value })));

export const HiddenFieldList = ({ fields }: { readonly fields: readonly HiddenField[] }) => (
  <>
    {fields.map(({ name, value }) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);

/** Hidden fields by name, including blank ones. */
export const HiddenFields = ({ values }: { readonly values: Readonly<Record<string, string>> }) => (
  <HiddenFieldList fields={Object.entries(values).map(([name, value]) => ({ name, value }))} />
);

/** Makes a form whose answer shows a secret work only once. */
export const FormIdField = () => <input type="hidden" name={FORM_ID_FIELD} value={newFormId()} />;
