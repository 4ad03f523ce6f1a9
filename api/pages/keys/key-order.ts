import type { Request } from 'express';
import { checkKeyName } from '../../../domain/api-key/decide.ts';
import { SCOPES, type Scope } from '../../../domain/api-key/events.ts';
import { LIFETIME_DAYS, type LifetimeDays } from '../../../domain/api-key/lifetime.ts';
import { formText, formTexts } from '../../web/form-body.ts';
import { errorAt, type FieldError } from '../frame/field-errors.ts';
import { addressErrors } from './key-addresses.tsx';

/** What was typed for a new key. */
export interface TypedKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** From where it works; empty: from everywhere. */
  readonly addresses: string;
  /** Days after which it ends; null: it works until it is revoked. */
  readonly lifetime: LifetimeDays | null;
}

/** A form that nothing was typed into: a key usually does both. */
export const NEW_KEY: TypedKey = { name: '', scopes: SCOPES, addresses: '', lifetime: null };

/** Reads the fields of a form for a key. */
export const typedKey = (req: Request): TypedKey => {
  const ticked = formTexts(req, 'scopes');
  return {
    name: formText(req, 'name').trim(),
    scopes: SCOPES.filter((scope) => ticked.includes(scope)),
    addresses: formText(req, 'addresses'),
    lifetime: LIFETIME_DAYS.find((days) => String(days) === formText(req, 'lifetime')) ?? null,
  };
};

/** What keeps a key from being minted as it was typed. */
export const keyErrors = ({ name, scopes, addresses }: TypedKey): readonly FieldError[] => {
  const refusal = checkKeyName(name);
  return [
    ...(refusal === null ? [] : [errorAt('name', refusal)]),
    ...(scopes.length === 0
      ? [
          {
            field: 'scopes',
            id: 'key-without-scope',
            message: 'Say what the key may do: tick at least one.',
          },
        ]
      : []),
    ...addressErrors(addresses),
  ];
};
