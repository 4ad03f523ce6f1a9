import {
  findBindableItem,
  fitsItem,
  getItemType,
  listItemChoices,
} from '../custom-field/bindable-items.ts';
import type {
  CustomFieldEvent,
  CustomFieldSettings,
  CustomFieldType,
} from '../custom-field/events.ts';
import type { CustomField } from '../custom-field/state.ts';
import { accept, type Decision, type Refusal, refuse } from '../decision.ts';
import {
  hasMisleadingCharacters,
  hasUnusableCharacters,
  removeStrayInvisible,
} from '../text-input.ts';
import type { Practice } from './state.ts';

const MAX_FIELDS = 100;
const MAX_LABEL_LENGTH = 100;
const MAX_CHOICES = 50;
const MAX_CHOICE_LENGTH = 100;
const LAST_PLACE = 9_999;

export interface DefineCustomField {
  readonly fieldId: string;
  readonly type: CustomFieldType;
  readonly label: string;
  /** Answers of a choice; empty for other types. */
  readonly choices: readonly string[];
  /** `null` for the end. */
  readonly order: number | null;
}

/** A null value leaves the setting unchanged. Choices can only be added, because records use them. */
export interface ChangeCustomField {
  readonly fieldId: string;
  readonly label: string | null;
  readonly addedChoices: readonly string[] | null;
  readonly order: number | null;
}

type KnownPractice = Extract<Practice, { status: 'known' }>;

const listLiveFields = ({ customFields }: KnownPractice) =>
  customFields.filter(({ isRetired }) => !isRetired);

/** Labels of live fields are unique, ignoring case. Repeating a field id changes nothing. */
export const defineCustomField = (
  command: DefineCustomField,
  practice: Practice,
): Decision<CustomFieldEvent> => {
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  const { fieldId, type, order } = command;
  if (practice.customFields.some((field) => field.fieldId === fieldId)) return accept();
  if (listLiveFields(practice).length >= MAX_FIELDS) return TOO_MANY_FIELDS;
  const label = tidyText(command.label);
  const choices = command.choices.map(tidyText);
  const refusal =
    checkTyped(command.label, command.choices) ??
    checkLabel(label, fieldId, practice) ??
    (type === 'choice' ? checkChoices(choices) : checkNoChoice(choices)) ??
    checkOrder(order);
  if (refusal !== null) return refusal;
  const { practiceId } = practice;
  const last = practice.customFields.at(-1)?.order ?? 0;
  return accept({
    type: 'CustomFieldDefined',
    data: {
      practiceId,
      fieldId,
      label,
      type,
      choices,
      order: order ?? Math.min(last + 1, LAST_PLACE),
    },
  });
};

export interface DefineCertificateField {
  readonly fieldId: string;
  /** Id of `BINDABLE_ITEMS`. */
  readonly item: string;
  /** Empty for the words of the certificate. */
  readonly label: string;
}

/** Defines a field with the type and the answers of an item, and binds it. */
export const defineCertificateField = (
  { fieldId, item, label }: DefineCertificateField,
  practice: Practice,
): Decision<CustomFieldEvent> => {
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  const found = findBindableItem(item);
  if (found === null) return NO_SUCH_ITEM;
  const defined = defineCustomField(
    {
      fieldId,
      type: getItemType(found),
      label: tidyText(label) === '' ? found.label : label,
      choices: listItemChoices(found),
      order: null,
    },
    practice,
  );
  if (defined.kind === 'refused' || defined.events.length === 0) return defined;
  return (
    checkItemFree(item, fieldId, practice) ??
    accept(...defined.events, buildBound(practice, fieldId, item))
  );
};

/** @param item id of `BINDABLE_ITEMS`, or `null` to unbind the field */
export const bindCustomField = (
  fieldId: string,
  item: string | null,
  practice: Practice,
): Decision<CustomFieldEvent> => {
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  const field = practice.customFields.find((one) => one.fieldId === fieldId);
  if (field === undefined) return NO_FIELD;
  if (field.isRetired) return FIELD_IS_RETIRED;
  if (field.item === item) return accept();
  if (item === null) return accept(buildBound(practice, fieldId, null));
  const found = findBindableItem(item);
  if (found === null) return NO_SUCH_ITEM;
  if (!fitsItem(field, found)) return UNLIKE_ITEM;
  return checkItemFree(item, fieldId, practice) ?? accept(buildBound(practice, fieldId, item));
};

const buildBound = (
  { practiceId }: KnownPractice,
  fieldId: string,
  item: string | null,
): CustomFieldEvent<'CustomFieldBound'> => ({
  type: 'CustomFieldBound',
  data: { practiceId, fieldId, item },
});

const checkItemFree = (
  item: string | null,
  fieldId: string,
  practice: KnownPractice,
): Refusal | null =>
  item !== null &&
  listLiveFields(practice).some((field) => field.fieldId !== fieldId && field.item === item)
    ? refuse({ code: 'certificate-item-taken' })
    : null;

export const changeCustomField = (
  command: ChangeCustomField,
  practice: Practice,
): Decision<CustomFieldEvent> => {
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  const field = practice.customFields.find(({ fieldId }) => fieldId === command.fieldId);
  if (field === undefined) return NO_FIELD;
  if (field.isRetired) return FIELD_IS_RETIRED;
  const next: CustomFieldSettings = {
    practiceId: practice.practiceId,
    fieldId: field.fieldId,
    label: command.label === null ? field.label : tidyText(command.label),
    choices: [...field.choices, ...(command.addedChoices ?? []).map(tidyText)],
    order: command.order ?? field.order,
  };
  const refusal =
    checkTyped(command.label ?? '', command.addedChoices ?? []) ??
    checkLabel(next.label, field.fieldId, practice) ??
    (field.type === 'choice' ? checkChoices(next.choices) : checkNoChoice(next.choices)) ??
    checkOrder(next.order) ??
    checkFit({ type: field.type, choices: next.choices }, field.item);
  if (refusal !== null) return refusal;
  return hasSameSettings(field, next)
    ? accept()
    : accept({ type: 'CustomFieldChanged', data: next });
};

export const retireCustomField = (
  fieldId: string,
  practice: Practice,
): Decision<CustomFieldEvent> => {
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  const field = practice.customFields.find((one) => one.fieldId === fieldId);
  if (field === undefined) return NO_FIELD;
  const { practiceId } = practice;
  return field.isRetired
    ? accept()
    : accept({ type: 'CustomFieldRetired', data: { practiceId, fieldId } });
};

/** Refused if a live field now has the same label or item. */
export const restoreCustomField = (
  fieldId: string,
  practice: Practice,
): Decision<CustomFieldEvent> => {
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  const field = practice.customFields.find((one) => one.fieldId === fieldId);
  if (field === undefined) return NO_FIELD;
  if (!field.isRetired) return accept();
  if (listLiveFields(practice).length >= MAX_FIELDS) return TOO_MANY_FIELDS;
  const { practiceId } = practice;
  return (
    checkLabel(field.label, fieldId, practice) ??
    checkItemFree(field.item, fieldId, practice) ??
    accept({ type: 'CustomFieldRestored', data: { practiceId, fieldId } })
  );
};

export const NO_LABEL = refuse({ code: 'field-without-label' });
const NO_FIELD = refuse({ code: 'no-field' });
const FIELD_IS_RETIRED = refuse({ code: 'field-is-retired' });
const NO_SUCH_ITEM = refuse({ code: 'no-such-certificate-item' });
const UNLIKE_ITEM = refuse({ code: 'field-unlike-certificate-item' });
const TOO_MANY_FIELDS = refuse({ code: 'too-many-fields', most: MAX_FIELDS });

/** Longer than any valid text, because normalizing a very long text is slow. */
const MAX_READ_LENGTH = 2_000;
const tidyText = (text: string): string =>
  removeStrayInvisible(text.trim().slice(0, MAX_READ_LENGTH).normalize('NFC'))
    .replace(/\s+/gu, ' ')
    .trim();
const foldText = (text: string): string => text.toLowerCase();

/** Checks only what was typed now: stored labels and choices stay. */
const checkTyped = (label: string, choices: readonly string[]): Refusal | null => {
  if (hasMisleadingCharacters(label)) return refuse({ code: 'label-not-shown' });
  return choices.some(hasMisleadingCharacters) ? refuse({ code: 'answer-not-shown' }) : null;
};

const checkLabel = (label: string, fieldId: string, practice: KnownPractice): Refusal | null => {
  if (label === '') return NO_LABEL;
  if (label.length > MAX_LABEL_LENGTH)
    return refuse({ code: 'label-too-long', most: MAX_LABEL_LENGTH });
  if (hasUnusableCharacters(label)) return refuse({ code: 'label-not-shown' });
  return listLiveFields(practice).some(
    (field) => field.fieldId !== fieldId && foldText(field.label) === foldText(label),
  )
    ? refuse({ code: 'label-taken' })
    : null;
};

const checkChoices = (choices: readonly string[]): Refusal | null => {
  if (choices.length < 2) return refuse({ code: 'too-few-answers' });
  if (choices.length > MAX_CHOICES) return refuse({ code: 'too-many-answers', most: MAX_CHOICES });
  if (choices.some((choice) => choice === '' || hasUnusableCharacters(choice)))
    return refuse({ code: 'answer-not-shown' });
  if (choices.some(({ length }) => length > MAX_CHOICE_LENGTH))
    return refuse({ code: 'answer-too-long', most: MAX_CHOICE_LENGTH });
  return new Set(choices.map(foldText)).size < choices.length
    ? refuse({ code: 'same-answers' })
    : null;
};

const checkNoChoice = (choices: readonly string[]): Refusal | null =>
  choices.length === 0 ? null : refuse({ code: 'answers-without-choice' });

const checkFit = (field: Parameters<typeof fitsItem>[0], item: string | null): Refusal | null => {
  const bound = findBindableItem(item);
  return bound === null || fitsItem(field, bound) ? null : UNLIKE_ITEM;
};

const checkOrder = (order: number | null): Refusal | null =>
  order === null || (Number.isInteger(order) && order >= 0 && order <= LAST_PLACE)
    ? null
    : refuse({ code: 'field-out-of-place', last: LAST_PLACE });

const hasSameSettings = (field: CustomField, next: CustomFieldSettings): boolean =>
  field.label === next.label &&
  field.order === next.order &&
  field.choices.length === next.choices.length;
