import type { Request } from 'express';
import { CSRF_FIELD } from '../../web/csrf.ts';
import { formNames, formTexts } from '../../web/form-body.ts';
import { SEAT_FIELD } from '../../web/form-seat.ts';

/** Field of a posted form. */
export interface KeptField {
  readonly name: string;
  readonly value: string;
}

/**
 * Fields of a posted form, without those that every form has.
 * @param except names of further fields to omit
 */
export const keptFieldsOf = (req: Request, except: readonly string[] = []): readonly KeptField[] =>
  formNames(req)
    .filter((name) => ![CSRF_FIELD, SEAT_FIELD, ...except].includes(name))
    .flatMap((name) => formTexts(req, name).map((value) => ({ name, value })));

/** Repeats fields as hidden fields of another form. */
export const KeptFields = ({ fields }: { readonly fields: readonly KeptField[] }) => (
  <>
    {fields.map(({ name, value }) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);
