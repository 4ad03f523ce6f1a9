import type { Request } from 'express';
import { MAX_ADDRESSES, parseKeyName } from '../../../../domain/api-key/decide.ts';
import { SCOPES, type Scope } from '../../../../domain/api-key/events.ts';
import { LIFETIME_DAYS, type LifetimeDays } from '../../../../domain/api-key/lifetime.ts';
import { parseRanges } from '../../../access/address-ranges.ts';
import { readFormText, readFormTexts } from '../../../web/form-body.ts';
import { CheckboxField } from '../../layout/checkbox-field.tsx';
import { buildFieldId, type FieldError, toFieldError } from '../../layout/field-errors.ts';
import { FieldNotes, type FieldProps } from '../../layout/field-group.tsx';
import { useField } from '../../layout/form-context.ts';
import { TextArea } from '../../layout/text-area.tsx';
import { TextField } from '../../layout/text-field.tsx';
import { SCOPE_TEXT } from '../../text/scope-text.ts';

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

export const KeyFields = ({ scopes }: Pick<TypedKey, 'scopes'>) => {
  const id = buildFieldId('scopes');
  const { error } = useField<FieldProps>({ name: 'scopes', label: 'Permissions' });
  return (
    <>
      <TextField name="name" label="Name" hint="What will use it, such as the name of your EHR" />
      <fieldset
        class={`usa-fieldset choices${error === undefined ? '' : ' usa-form-group--error'}`}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      >
        <legend class="usa-legend">Permissions</legend>
        <FieldNotes id={id} hint={undefined} error={error} />
        {SCOPES.map((scope, index) => (
          <CheckboxField
            key={scope}
            name="scopes"
            label={SCOPE_TEXT[scope]}
            value={scope}
            suffix={index === 0 ? '' : `-${index}`}
            checked={scopes.includes(scope)}
          />
        ))}
      </fieldset>
      <AddressesField />
    </>
  );
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

/** Room for twenty IPv6 networks and their separators. */
const MAX_TYPED_LENGTH = 2_000;

export const AddressesField = () => (
  <TextArea
    name="addresses"
    label="Allowed IP addresses"
    optional
    hint={`One address or network per line, such as 203.0.113.7 or 203.0.113.0/24. Up to ${MAX_ADDRESSES}. Leave it empty to allow every address.`}
    rows={3}
    maxLength={MAX_TYPED_LENGTH}
  />
);

export const checkAddresses = (typed: string): readonly FieldError[] => {
  const read = parseRanges(typed.slice(0, MAX_TYPED_LENGTH));
  if (read.kind === 'unreadable')
    return [
      {
        field: 'addresses',
        id: 'no-address',
        message: `Entry ${read.at} is neither an address nor a network. Write it like 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32, or leave the field empty to allow every address.`,
      },
    ];
  return typed.length > MAX_TYPED_LENGTH || read.ranges.length > MAX_ADDRESSES
    ? [toFieldError('addresses', { code: 'too-many-addresses', most: MAX_ADDRESSES })]
    : [];
};

/** Addresses of a text that has no {@link checkAddresses}. */
export const parseAddresses = (typed: string): readonly string[] => {
  const read = parseRanges(typed);
  return read.kind === 'ranges' ? read.ranges : [];
};
