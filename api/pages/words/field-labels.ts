import {
  type FieldGroup,
  type FieldPath,
  findField,
  findFieldAt,
} from '../../../domain/course/fields.ts';

/** Headings of the groups of fields, and of the practice's own. */
export const GROUP_LABELS: Readonly<Record<FieldGroup | 'custom', string>> = {
  document: 'Record',
  mother: 'Mother',
  children: 'Child',
  pregnancy: 'Pregnancy',
  'labor and birth': 'Labor and birth',
  'people and decisions': 'People and decisions',
  marks: 'Values that were left out',
  custom: 'Fields of your practice',
};

/** One of the children by its position: "Child", or "Child 2" where there are several. */
export const childLabel = (index: number, children: number): string =>
  children > 1 ? `Child ${index + 1}` : 'Child';

/** Where a value stands in a course of care: a field, and which child or transfer is meant. */
export interface ValuePlace {
  readonly field: FieldPath;
  /** Zero-based position of the child or transfer; null for other fields. */
  readonly index: number | null;
}

const LISTED = /^(children|transfers)\.(\d{1,3})\.(\w+)$/;

/** The place that a path with positions names, such as `children.0.sex`; null if it is none. */
export const placeAtPath = (path: string): ValuePlace | null => {
  const [, list, index, name] = LISTED.exec(path) ?? [];
  const field = list === undefined ? path : `${list}.${name}`;
  const found = findField(field);
  return found === undefined
    ? null
    : { field: found.path, index: index === undefined ? null : Number(index) };
};

/**
 * What a value is called where no heading of its group stands above it: "Mother: family name",
 * "Child 2: birth weight".
 * @param children how many children the course has
 */
export const fullLabel = ({ field, index }: ValuePlace, children: number): string => {
  const { label } = findFieldAt(field);
  if (field.startsWith('mother.')) return `Mother: ${loweredLabel(label)}`;
  if (field.startsWith('children.'))
    return `${childLabel(index ?? 0, children)}: ${loweredLabel(label)}`;
  return field.startsWith('transfers.')
    ? `Transfer ${(index ?? 0) + 1}: ${loweredLabel(label)}`
    : label;
};

/** A label inside a sentence; "ZIP code" and "Apgar at 1 minute" stay as they are. */
export const loweredLabel = (label: string): string =>
  /^(?:[A-Z]{2}|Apgar)/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
