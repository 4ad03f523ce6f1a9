import type { ComponentChildren } from 'preact';
import type { Field } from '../../../../../domain/course/fields.ts';
import { APGAR } from '../../../../../domain/course/possible-ranges.ts';
import { findBindableItem } from '../../../../../domain/custom-field/bindable-items.ts';
import type { CustomField } from '../../../../../domain/custom-field/state.ts';
import { formatDateExample } from '../../../../../domain/mapping/form/parse-dates.ts';
import { CheckboxField } from '../../../layout/checkbox-field.tsx';
import { buildFieldId } from '../../../layout/field-errors.ts';
import { FieldNotes } from '../../../layout/field-group.tsx';
import { RadioGroup } from '../../../layout/radio-group.tsx';
import { SelectField } from '../../../layout/select-field.tsx';
import { TextField, type TextFieldProps } from '../../../layout/text-field.tsx';
import { hasEcho } from './echoes.ts';
import { addCurrentChoices, GRANTED_OR_NOT, listChoices, YES_NO_UNKNOWN } from './form-layout.ts';
import { type FormViewModel, joinMessages, messageFor, splitList } from './form-values.ts';
import { buildWhichKey } from './times-shown-twice.ts';

export interface BirthFieldProps {
  readonly field: Field;
  readonly name: string;
  readonly look: FormViewModel;
}

export const BirthField = ({ field, name, look }: BirthFieldProps) => (
  <FieldFrame name={name} look={look} isEchoed={hasEcho(field)} room={getRoom(field)}>
    <Input field={field} name={name} look={look} />
  </FieldFrame>
);

/** Asks which of two moments is meant if the clocks were set back that night. */
const WhichMoment = ({ name, look }: Pick<BirthFieldProps, 'name' | 'look'>) => {
  const twice = look.ambiguousTimes[name];
  return twice === undefined ? null : (
    <div class="margin-bottom-205">
      <RadioGroup
        name={buildWhichKey(name)}
        label={`Which ${twice.clock}?`}
        hint={messageFor(look.errors, name) === undefined ? AMBIGUOUS_TIME_HINT : undefined}
        choices={twice.choices}
        value={twice.which}
      />
    </div>
  );
};

const AMBIGUOUS_TIME_HINT = 'The clocks were set back that night, so this time occurred twice.';

const FieldFrame = ({
  name,
  look,
  isEchoed,
  room = null,
  children,
}: {
  readonly name: string;
  readonly look: FormViewModel;
  readonly isEchoed: boolean;
  readonly room?: 'wide' | 'short' | null;
  readonly children: ComponentChildren;
}) => (
  <div class={room === null ? 'birth-field' : `birth-field birth-field--${room}`} data-field={name}>
    {children}
    <div>
      {isEchoed && (
        <p class="birth-field__echo quiet" aria-live="polite" data-echo>
          {look.echoes[name]}
        </p>
      )}
      <p class="birth-field__notice caution" aria-live="polite" data-notice>
        {joinMessages(look.notices, name)}
      </p>
      <WhichMoment name={name} look={look} />
      {look.beside?.(name)}
    </div>
  </div>
);

/** Shown in a select without a value. Typing a letter never selects it. */
const NOT_CHOSEN = '- Select -';

const getRoom = ({ type, range }: Field): 'wide' | 'short' | null => {
  if (type === 'codes') return 'wide';
  return range === APGAR ? 'short' : null;
};

const Input = ({ field, name, look }: BirthFieldProps) => {
  const { label } = field;
  const hint = buildHint(field, look);
  const value = look.ambiguousTimes[name]?.text ?? look.values[name] ?? '';
  const said = { name, label, hint, error: messageFor(look.errors, name) };
  switch (field.type) {
    case 'boolean':
      return field.path === 'consent.granted' ? (
        <RadioGroup {...said} choices={GRANTED_OR_NOT} value={value} inline />
      ) : (
        <RadioGroup {...said} choices={YES_NO_UNKNOWN} value={value} inline />
      );
    case 'choice':
    case 'code':
      return (
        <SelectField
          {...said}
          choices={listChoices(field, value)}
          value={value}
          empty={NOT_CHOSEN}
        />
      );
    case 'codes':
      return <Boxes {...said} field={field} current={splitList(value)} />;
    default:
      return (
        <TextField {...said} value={value} {...getInputMode(field)} width={getWidthClass(field)} />
      );
  }
};

/** Date examples follow the practice's date order. */
const buildHint = ({ type, hint }: Field, { dateOrder }: FormViewModel): string | undefined => {
  if (dateOrder !== 'day-first') return hint;
  if (type === 'partial_date') return `${formatDateExample(dateOrder)}, or just 5/2026`;
  return type === 'date' || type === 'date_time' ? formatDateExample(dateOrder) : hint;
};

const Boxes = ({
  field,
  current,
  ...said
}: {
  readonly field: Field;
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  readonly current: readonly string[];
}) => {
  const id = buildFieldId(said.name);
  return (
    <fieldset class="usa-fieldset choices choices--columns">
      <legend class="usa-legend">{said.label}</legend>
      <FieldNotes id={id} hint={said.hint} error={said.error} />
      {addCurrentChoices(field, current).map(({ value, text }, index) => (
        <CheckboxField
          key={value}
          name={said.name}
          label={`${field.answerPrefix ?? ''}${text}`}
          value={value}
          checked={current.includes(value)}
          suffix={index === 0 ? '' : `-${index}`}
        />
      ))}
    </fieldset>
  );
};

/** Weeks are excluded: they may include days. */
const isCount = ({ type, countUnit }: Field): boolean => type === 'integer' && countUnit !== 'week';

const getInputMode = (field: Field): Pick<TextFieldProps, 'inputMode' | 'type'> => {
  if (field.path === 'mother.phone') return { type: 'tel' };
  // Packs are typed with letters.
  return isCount(field) && field.packSize === undefined ? { inputMode: 'numeric' } : {};
};

const getWidthClass = (field: Field): NonNullable<TextFieldProps['width']> => {
  if (isCount(field)) return 'small';
  return field.type === 'text' || field.type === 'texts' ? 'large' : 'medium';
};

const buildCustomHint = (
  { type, item }: CustomField,
  { dateOrder }: FormViewModel,
): string | undefined => {
  const bound = findBindableItem(item);
  if (bound?.isOfChild) return 'Single births only: unknown for twins';
  if (bound?.form.kind === 'races') return 'One or more, such as White; Korean';
  return type === 'date' ? formatDateExample(dateOrder) : undefined;
};

export const CustomFieldInput = ({
  field,
  look,
}: {
  readonly field: CustomField;
  readonly look: FormViewModel;
}) => {
  const name = `custom.${field.fieldId}`;
  const value = look.values[name] ?? '';
  const hint = buildCustomHint(field, look);
  const said = { name, value, label: field.label, hint, error: messageFor(look.errors, name) };
  return (
    <FieldFrame name={name} look={look} isEchoed={false}>
      {field.type === 'choice' ? (
        <SelectField
          {...said}
          choices={field.choices.map((choice) => ({ value: choice, text: choice }))}
          empty={NOT_CHOSEN}
        />
      ) : (
        <TextField
          {...said}
          {...(field.type === 'number' ? { inputMode: 'decimal' as const } : {})}
          width={field.type === 'text' ? 'large' : 'medium'}
        />
      )}
    </FieldFrame>
  );
};
