import type { Request } from 'express';
import { SCOPES, type Scope } from '../../../domain/api-key/events.ts';
import { formText, formTexts } from '../../web/form-body.ts';
import type { FieldError } from '../frame/field-errors.ts';

/** What was typed for a new key. */
export interface TypedKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** A form that nothing was typed into: a key usually does both. */
export const NEW_KEY: TypedKey = { name: '', scopes: SCOPES };

const LONGEST_NAME = 100;

/** Reads the fields of a form for a key. */
export const typedKey = (req: Request): TypedKey => {
  const ticked = formTexts(req, 'scopes');
  return {
    name: formText(req, 'name').trim(),
    scopes: SCOPES.filter((scope) => ticked.includes(scope)),
  };
};

/** What keeps a key from being minted as it was typed. */
export const keyErrors = ({ name, scopes }: TypedKey): readonly FieldError[] => [
  ...(name === ''
    ? [{ field: 'name', message: 'Give the key a name, so that you know it in the list.' }]
    : []),
  ...(name.length > LONGEST_NAME
    ? [{ field: 'name', message: `The name has more than ${LONGEST_NAME} characters. Shorten it.` }]
    : []),
  ...(/\p{Cc}/u.test(name)
    ? [{ field: 'name', message: 'The name has characters that cannot be shown. Type it again.' }]
    : []),
  ...(scopes.length === 0
    ? [{ field: 'scopes', message: 'Say what the key may do: tick at least one.' }]
    : []),
];
