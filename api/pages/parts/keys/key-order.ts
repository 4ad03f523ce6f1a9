import type { Request } from 'express';
import { parseKeyName } from '../../../../domain/api-key/decide.ts';
import { SCOPES, type Scope } from '../../../../domain/api-key/events.ts';
import { LIFETIME_DAYS, type LifetimeDays } from '../../../../domain/api-key/lifetime.ts';
import { readFormText, readFormTexts } from '../../../web/form-body.ts';
import { type FieldError, toFieldError } from '../../layout/field-errors.ts';
import { checkAddresses } from './key-addresses.tsx';

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

export const readTypedKey = (req: Request): TypedKey => {
  const ticked = readFormTexts(req, 'scopes');
  return {
    name: readFormText(req, 'name').trim(),
    scopes: SCOPES.filter((scope) => ticked.includes(scope)),
    addresses: readFormText(req, 'addresses'),
    lifetime: LIFETIME_DAYS.find((days) => String(days) === readFormText(req, 'lifetime')) ?? null,
  };
};

export const checkKey = ({ name, scopes, addresses }: TypedKey): readonly FieldError[] => {
  const parsedName = parseKeyName(name);
  return [
    ...(parsedName.kind === 'refused' ? [toFieldError('name', parsedName)] : []),
    ...(scopes.length === 0
      ? [
          {
            field: 'scopes',
            id: 'key-without-scope',
            message: 'Choose at least one permission.',
          },
        ]
      : []),
    ...checkAddresses(addresses),
  ];
};
