import type { Request } from 'express';
import { CSRF_FIELD } from '../../web/csrf.ts';
import { formNames, formTexts } from '../../web/form-body.ts';
import { SEAT_FIELD } from '../../web/form-seat.ts';

/** A field of a form that was sent. */
export interface KeptField {
  readonly name: string;
  readonly value: string;
}

/** What a form was sent with, besides what every form has. @param except names of fields that are left out */
export const keptFieldsOf = (req: Request, except: readonly string[] = []): readonly KeptField[] =>
  formNames(req)
    .filter((name) => ![CSRF_FIELD, SEAT_FIELD, ...except].includes(name))
    .flatMap((name) => formTexts(req, name).map((value) => ({ name, value })));

/** The same fields in another form, hidden. */
export const KeptFields = ({ fields }: { readonly fields: readonly KeptField[] }) => (
  <>
    {fields.map(({ name, value }) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);
