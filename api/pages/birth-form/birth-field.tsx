import type { ComponentChildren } from 'preact';
import type { Field, FieldPath } from '../../../domain/course-of-care/canonical-record.ts';
import { CheckboxField } from '../frame/checkbox-field.tsx';
import { fieldId } from '../frame/field-errors.ts';
import { FieldNotes } from '../frame/field-group.tsx';
import { RadioGroup } from '../frame/radio-group.tsx';
import { SelectField } from '../frame/select-field.tsx';
import { TextField, type TextFieldProps } from '../frame/text-field.tsx';
import { FIELD_LABELS } from '../words/field-labels.ts';
import { isEchoed } from './echoes.ts';
import { choicesOf, GRANTED_OR_NOT, namesOf, YES_NO_UNKNOWN } from './field-choices.ts';
import { type FormLook, saidAbout } from './form-look.ts';
import { listed } from './form-values.ts';

/** A field of the form and what stands in it. */
export interface BirthFieldProps {
  readonly field: Field;
  /** Key of its value, and name of its input. */
  readonly name: string;
  readonly look: FormLook;
}

/** One value of the form: its input by its type, what it means in other words, and any doubt. */
export const BirthField = ({ field, name, look }: BirthFieldProps) => (
  <FieldFrame name={name} look={look} isEchoed={isEchoed(field)} room={roomOf(field)}>
    <Input field={field} name={name} look={look} />
  </FieldFrame>
);

/** A field with room for its echo and for what is hard to believe about it. */
export const FieldFrame = ({
  name,
  look,
  isEchoed: hasEcho,
  room = null,
  children,
}: {
  readonly name: string;
  readonly look: FormLook;
  readonly isEchoed: boolean;
  /** More or less of it than other fields take. */
  readonly room?: 'wide' | 'short' | null;
  readonly children: ComponentChildren;
}) => (
  <div class={room === null ? 'birth-field' : `birth-field birth-field--${room}`} data-field={name}>
    {children}
    <div>
      {hasEcho && (
        <p class="birth-field__echo" aria-live="polite" data-echo>
          {look.echoes[name]}
        </p>
      )}
      <p class="birth-field__notice" aria-live="polite" data-notice>
        {saidAbout(look.notices, name)}
      </p>
      {look.beside?.(name)}
    </div>
  </div>
);

const roomOf = ({ type, name }: Field): 'wide' | 'short' | null => {
  if (type === 'codes') return 'wide';
  return name.startsWith('apgar_') ? 'short' : null;
};

const Input = ({ field, name, look }: BirthFieldProps) => {
  const label = FIELD_LABELS[field.path];
  const value = look.values[name] ?? '';
  const said = { name, label, hint: HINTS[field.path], error: saidAbout(look.errors, name) };
  switch (field.type) {
    case 'boolean':
      return field.path === 'consent.granted' ? (
        <RadioGroup {...said} choices={GRANTED_OR_NOT} value={value === '' ? 'no' : value} inline />
      ) : (
        <RadioGroup {...said} choices={YES_NO_UNKNOWN} value={value} inline />
      );
    case 'choice':
    case 'code':
      return (
        <SelectField
          {...said}
          choices={choicesOf(field, value)}
          value={value}
          empty={field.path === 'place_of_birth' ? 'Choose one' : 'Not known'}
        />
      );
    case 'codes':
      return <Boxes {...said} field={field} held={listed(value)} />;
    default:
      return <TextField {...said} value={value} {...TYPING[field.path]} width={widthOf(field)} />;
  }
};

const Boxes = ({
  field,
  held,
  ...said
}: {
  readonly field: Field;
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  readonly held: readonly string[];
}) => {
  const id = fieldId(said.name);
  return (
    <fieldset class="usa-fieldset choices choices--columns">
      <legend class="usa-legend">{said.label}</legend>
      <FieldNotes id={id} hint={said.hint} error={said.error} />
      {namesOf(field, held).map((name, index) => (
        <CheckboxField
          key={name}
          name={said.name}
          label={name}
          value={name}
          checked={held.includes(name)}
          suffix={index === 0 ? '' : `-${index}`}
        />
      ))}
    </fieldset>
  );
};

const DATE_HINT = '5/12/2026, or May 12, 2026';

const HINTS: Readonly<Partial<Record<FieldPath, string>>> = {
  chart_number: 'Leave empty if there is none',
  'mother.birth_date': '8/30/1994, or Aug 30, 1994',
  'mother.height_cm': '5 ft 7 in, or 170 cm',
  'mother.prepregnancy_weight_kg': '143 lb, or 65 kg',
  'mother.delivery_weight_kg': '170 lb, or 77 kg',
  'children.birth_date': DATE_HINT,
  'children.birth_time': '14:05, or 2:05 pm',
  'children.birth_weight_grams': '3400 g, or 7 lb 8 oz',
  'children.gestational_age_weeks': '39w4d, or 39.5 weeks',
  last_menstrual_period: DATE_HINT,
  first_prenatal_visit: DATE_HINT,
  plurality: 'Also those not entered here',
  'consent.date_time': DATE_HINT,
};

type Typing = Pick<TextFieldProps, 'inputMode' | 'type'>;
const COUNT: Typing = { inputMode: 'numeric' };

const TYPING: Readonly<Partial<Record<FieldPath, Typing>>> = {
  'mother.phone': { type: 'tel' },
  prenatal_visits: COUNT,
  plurality: COUNT,
  cigarettes_before: COUNT,
  cigarettes_first_trimester: COUNT,
  cigarettes_second_trimester: COUNT,
  cigarettes_third_trimester: COUNT,
  previous_births_living: COUNT,
  previous_births_dead: COUNT,
  previous_cesareans: COUNT,
  other_outcomes: COUNT,
  'children.birth_order': COUNT,
  'children.apgar_one_minute': COUNT,
  'children.apgar_five_minute': COUNT,
  'children.apgar_ten_minute': COUNT,
};

const widthOf = ({ type, name }: Field): NonNullable<TextFieldProps['width']> => {
  if (type === 'integer' && name !== 'gestational_age_weeks') return 'small';
  return type === 'text' || type === 'texts' ? 'large' : 'medium';
};
