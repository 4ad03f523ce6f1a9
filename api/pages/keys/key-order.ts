import type { Request } from 'express';
import { checkKeyName } from '../../../domain/api-key/decide.ts';
import { SCOPES, type Scope } from '../../../domain/api-key/events.ts';
import { LIFETIME_DAYS, type LifetimeDays } from '../../../domain/api-key/lifetime.ts';
import { formText, formTexts } from '../../web/form-body.ts';
import { errorAt, type FieldError } from '../frame/field-errors.ts';
import { addressErrors } from './key-addresses.tsx';

/** Form values for a new key. */
export interface TypedKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Addresses that the key works from; empty for any. */
  readonly addresses: string;
  /** Lifetime in days; `null` if the key does not expire. */
  readonly lifetime: LifetimeDays | null;
}

/** Default form; most keys need both scopes. */
export const NEW_KEY: TypedKey = { name: '', scopes: SCOPES, addresses: '', lifetime: null };

export const typedKey = (req: Request): TypedKey => {
  const ticked = formTexts(req, 'scopes');
  return {
    name: formText(req, 'name').trim(),
    scopes: SCOPES.filter((scope) => ticked.includes(scope)),
    addresses: formText(req, 'addresses'),
    lifetime: LIFETIME_DAYS.find((days) => String(days) === formText(req, 'lifetime')) ?? null,
  };
};

/** Errors in the form for a new key. */
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
