import type { ComponentChildren } from 'preact';
import { findChildIndex } from '../../../../../domain/course/course-paths.ts';
import type { FieldPath } from '../../../../../domain/course/fields.ts';
import type { CustomField } from '../../../../../domain/custom-field/state.ts';
import { ErrorSummary } from '../../../layout/error-summary.tsx';
import { buildFieldId, type FieldError } from '../../../layout/field-errors.ts';
import { Form } from '../../../layout/form.tsx';
import { HiddenFields } from '../../../layout/hidden-fields.tsx';
import { Section } from '../../../layout/section.tsx';
import { formatChildLabel } from '../../../text/field-labels.ts';
import { BirthField, CustomFieldInput } from './birth-field.tsx';
import {
  buildKey,
  type FormList,
  type FormPart,
  LAYOUT,
  listIndexes,
  MAX_LISTED,
  sortInPageOrder,
} from './form-layout.ts';
import { type FormViewModel, messageFor } from './form-values.ts';
import { carrySettings } from './text-settings.ts';
import { buildWhichKey } from './times-shown-twice.ts';

export interface BirthFormView {
  readonly action: string;
  /** Hidden fields: id of the form, and the version on which it is based. */
  readonly hidden: Readonly<Record<string, string>>;
  readonly look: FormViewModel;
  readonly customFields: readonly CustomField[];
  /** Fixed chart number of the record being corrected; `undefined` if it may be typed. */
  readonly chartNumber?: string | null;
  readonly submit: { readonly text: string; readonly value: 'check' | 'save' };
  /** Completes "Your role can no longer …". */
  readonly work: string;
  /** `null` if the form has no Cancel link. */
  readonly cancel: string | null;
  /** Content before the form, with the fields that it contains instead of the sections below. */
  readonly lead?: { readonly children: ComponentChildren; readonly paths: readonly FieldPath[] };
  readonly last?: ComponentChildren;
  /** Path to which the script posts the form, to check its fields and save the draft. */
  readonly check: string;
  readonly resume: string;
}

/** All fields in the chronological order of a birth. */
export const BirthForm = (view: BirthFormView) => {
  const { look, lead, submit } = view;
  const without = new Set<string>(lead?.paths ?? []);
  if (view.chartNumber !== undefined) without.add('chart_number');
  return (
    <>
      <ErrorSummary errors={buildErrorLinks(look, lead?.paths)} />
      <Form action={view.action} class="birth-form" id="birth-form">
        <DefaultButton {...submit} />
        <HiddenFields values={{ ...view.hidden, ...carrySettings(look.typedUnder) }} />
        {lead?.children}
        <FormSection id="record" heading="This birth">
          {view.chartNumber !== undefined && (
            <p>
              Chart number: <strong>{view.chartNumber ?? 'None'}</strong>
            </p>
          )}
          <Parts look={look} parts={LAYOUT.record} without={without} />
          <p class="margin-top-2 margin-bottom-0" data-without-script>
            <button
              type="submit"
              name="add"
              value="plurality"
              class="usa-button usa-button--outline"
            >
              Show a section for each child
            </button>
          </p>
        </FormSection>
        <FormSection id="mother" heading="Mother">
          <Parts look={look} parts={LAYOUT.mother} without={without} />
        </FormSection>
        <FormSection id="pregnancy" heading="Pregnancy">
          <Parts look={look} parts={LAYOUT.pregnancy} without={without} />
        </FormSection>
        <FormSection id="birth" heading="Labor and birth">
          <Parts look={look} parts={LAYOUT.birth} without={without} />
        </FormSection>
        <Children look={look} />
        <Transfers look={look} />
        <FormSection id="people" heading="People and decisions">
          <Parts look={look} parts={LAYOUT.consent} />
        </FormSection>
        <CustomFields {...view} />
        {view.last}
        <div class="buttons">
          <button type="submit" class="usa-button" name="save" value={submit.value}>
            {submit.text}
          </button>
          {view.cancel !== null && (
            <a class="usa-button usa-button--unstyled" href={view.cancel}>
              Cancel
            </a>
          )}
        </div>
        <div
          data-birth-form
          data-check={view.check}
          data-resume={view.resume}
          data-work={view.work}
          data-starts-at={lead === undefined ? 'first' : undefined}
          class="birth-form__saved quiet"
          role="status"
        />
      </Form>
    </>
  );
};

/** Without script, Enter presses a form's first button, which must never save a birth. */
const DefaultButton = ({ text, value }: BirthFormView['submit']) => (
  <button
    type="submit"
    {...(value === 'check' ? { name: 'save', value } : { name: 'back', value: 'yes' })}
    class="usa-sr-only"
    tabIndex={-1}
    aria-hidden="true"
  >
    {value === 'check' ? text : 'Save draft'}
  </button>
);

const FormSection = ({
  id,
  heading,
  children,
}: {
  readonly id: string;
  readonly heading: string;
  readonly children: ComponentChildren;
}) => (
  <Section id={`${id}-heading`} heading={heading} class="birth-form__section" data-part={id}>
    {children}
  </Section>
);

interface PartsView {
  readonly look: FormViewModel;
  readonly parts: readonly FormPart[];
  readonly index?: number;
  readonly without?: ReadonlySet<string>;
}

const Parts = ({ look, parts, index, without }: PartsView) => (
  <>
    {parts.map(({ title, folds, fields }) => {
      const visibleFields = fields.filter(({ path }) => !without?.has(path));
      const keys = visibleFields.map((field) => buildKey(field, index ?? null));
      const grid = (
        <div class="birth-form__grid">
          {visibleFields.map((field, place) => {
            const name = keys[place] ?? field.path;
            return <BirthField key={name} field={field} name={name} look={look} />;
          })}
        </div>
      );
      if (title === null) return grid;
      if (!folds)
        return (
          <div key={title}>
            <h3 class="margin-top-205 margin-bottom-1 font-sans-xs">{title}</h3>
            {grid}
          </div>
        );
      return (
        <details key={title} class="birth-form__more" open={shouldOpen(keys, look)}>
          <summary>{title}</summary>
          {grid}
        </details>
      );
    })}
  </>
);

const shouldOpen = (keys: readonly string[], { values, errors, notices }: FormViewModel): boolean =>
  keys.some(
    (key) =>
      (values[key] ?? '').trim() !== '' || [...errors, ...notices].some(({ path }) => path === key),
  );

const Children = ({ look }: { readonly look: FormViewModel }) => {
  const indexes = listIndexes('children', look.values);
  const error = messageFor(look.errors, 'children');
  return (
    <FormSection id="children" heading="Children">
      <ListError list="children" error={error} />
      {indexes.map((index, place) => (
        <ListEntry
          key={index}
          id={`child-${index}`}
          label={formatChildLabel(place, indexes.length)}
          remove={indexes.length > 1 ? `children:${index}` : null}
        >
          <Parts look={look} parts={LAYOUT.child} index={index} />
        </ListEntry>
      ))}
      {indexes.length < MAX_LISTED.children && (
        <button type="submit" name="add" value="children" class="usa-button usa-button--outline">
          Add another child
        </button>
      )}
    </FormSection>
  );
};

const Transfers = ({ look }: { readonly look: FormViewModel }) => {
  const indexes = listIndexes('transfers', look.values);
  return (
    <FormSection id="transfers" heading="Transfers">
      <div class="margin-bottom-205">
        <Parts look={look} parts={LAYOUT['mother transfer']} />
      </div>
      <ListError list="transfers" error={messageFor(look.errors, 'transfers')} />
      {indexes.map((index, place) => (
        <ListEntry
          key={index}
          id={`transfer-${index}`}
          label={`Transfer ${place + 1}`}
          remove={`transfers:${index}`}
        >
          <Parts look={look} parts={LAYOUT.transfer} index={index} />
        </ListEntry>
      ))}
      {indexes.length < MAX_LISTED.transfers && (
        <button type="submit" name="add" value="transfers" class="usa-button usa-button--outline">
          Add a transfer
        </button>
      )}
    </FormSection>
  );
};

const ListEntry = ({
  id,
  label,
  remove,
  children,
}: {
  readonly id: string;
  readonly label: string;
  /** Value of the button that removes it; `null` if it must stay. */
  readonly remove: string | null;
  readonly children: ComponentChildren;
}) => (
  <fieldset
    id={id}
    class="birth-form__one card minw-0 margin-x-0 margin-bottom-205 padding-x-205 padding-top-1 padding-bottom-205"
    data-one
  >
    <legend class="padding-x-1 text-bold">{label}</legend>
    {children}
    {remove !== null && (
      <button type="submit" name="remove" value={remove} class="usa-button usa-button--outline">
        Remove {label.toLowerCase()}
      </button>
    )}
  </fieldset>
);

const ListError = ({
  list,
  error,
}: {
  readonly list: FormList;
  readonly error: string | undefined;
}) => (
  <div id={buildFieldId(list)} tabIndex={-1} class="birth-form__list-error">
    {error !== undefined && <p class="usa-error-message">{error}</p>}
  </div>
);

const CustomFields = ({ customFields, look }: BirthFormView) => {
  const live = customFields.filter(({ isRetired }) => !isRetired);
  return live.length === 0 ? null : (
    <FormSection id="custom" heading="Custom fields">
      <div class="birth-form__grid">
        {live.map((field) => (
          <CustomFieldInput key={field.fieldId} field={field} look={look} />
        ))}
      </div>
    </FormSection>
  );
};

/** First error of each field, with its child if there are several. */
const buildErrorLinks = (
  { errors, values, ambiguousTimes }: FormViewModel,
  first: readonly string[] = [],
): readonly FieldError[] => {
  const children = listIndexes('children', values);
  const links = new Map<string, FieldError>();
  for (const { path, id, message } of sortInPageOrder(errors, values, first)) {
    if (links.has(path)) continue;
    const index = findChildIndex(path);
    const place = children.indexOf(index ?? -1);
    const isOneOfSeveral = index !== null && children.length > 1;
    const whose = isOneOfSeveral ? `${formatChildLabel(place, children.length)}: ` : '';
    // The answer's own input is below the field.
    const isAmbiguous = id === 'time-twice' && ambiguousTimes[path] !== undefined;
    const field = isAmbiguous ? buildWhichKey(path) : path;
    links.set(path, { field, id, message: `${whose}${message}` });
  }
  return [...links.values()];
};
