import {
  type FieldGroup,
  type FieldPath,
  findField,
  findFieldAt,
} from '../../../domain/course/fields.ts';
import { uncapitalize } from './text-case.ts';

export const GROUP_LABELS: Readonly<Record<FieldGroup | 'custom', string>> = {
  document: 'Record',
  mother: 'Mother',
  children: 'Child',
  pregnancy: 'Pregnancy',
  'labor and birth': 'Labor and birth',
  'people and decisions': 'People and decisions',
  marks: 'Values that were left out',
  custom: 'Custom fields',
};

/** "Child", or "Child 2" if there are several. */
export const formatChildLabel = (index: number, children: number): string =>
  children > 1 ? `Child ${index + 1}` : 'Child';

export interface ValuePlace {
  readonly field: FieldPath;
  /** Zero-based index of the child or transfer; `null` for other fields. */
  readonly index: number | null;
}

const LISTED = /^(children|transfers)\.(\d{1,3})\.(\w+)$/;

/** Parses a path with indexes, such as `children.0.sex`; `null` if invalid. */
export const parseValuePlace = (path: string): ValuePlace | null => {
  const [, list, index, name] = LISTED.exec(path) ?? [];
  const field = list === undefined ? path : `${list}.${name}`;
  const found = findField(field);
  return found === undefined
    ? null
    : { field: found.path, index: index === undefined ? null : Number(index) };
};

/** "Mother: family name", "Child 2: birth weight". */
export const buildFullLabel = ({ field, index }: ValuePlace, children: number): string => {
  const { label } = findFieldAt(field);
  if (field.startsWith('mother.')) return `Mother: ${lowercaseLabel(label)}`;
  if (field.startsWith('children.'))
    return `${formatChildLabel(index ?? 0, children)}: ${lowercaseLabel(label)}`;
  return field.startsWith('transfers.')
    ? `Transfer ${(index ?? 0) + 1}: ${lowercaseLabel(label)}`
    : label;
};

/** Item of the certificate: "Birth weight", or "Child 2: birth weight" if there are several children. */
export const formatItem = (words: string, child: number | null, children: number): string =>
  child === null || children <= 1
    ? words
    : `${formatChildLabel(child, children)}: ${lowercaseLabel(words)}`;

/** Label within a sentence; keeps "ZIP code" and "Apgar at 1 minute" unchanged. */
export const lowercaseLabel = (label: string): string =>
  /^(?:[A-Z]{2}|Apgar|Hispanic)/.test(label) ? label : uncapitalize(label);
