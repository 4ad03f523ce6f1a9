import { readFileSync } from 'node:fs';
import {
  type Child,
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
} from '../../domain/course/course.ts';
import {
  findBindableItem,
  getItemType,
  listItemChoices,
} from '../../domain/custom-field/bindable-items.ts';
import type { CustomField } from '../../domain/custom-field/state.ts';
import type { FiledBirth } from '../../domain/export/ije/columns.ts';
import { fileRecord } from '../../domain/export/ije/state-file.ts';

/** One column of the published layout. */
export interface LayoutColumn {
  readonly name: string;
  readonly begin: number;
  readonly length: number;
  readonly meaning: string;
}

/** The published layout, by the names of its columns. */
export const LAYOUT: ReadonlyMap<string, LayoutColumn> = new Map(
  readFileSync(new URL('../fixtures/ije/natality-layout.csv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => {
      const [, begin, length, name = '', meaning = ''] = row.split(',');
      return [name, { name, begin: Number(begin), length: Number(length), meaning }];
    }),
);

/** What a column of a line holds, with its blanks. */
export const columnIn = (line: string, name: string): string => {
  const column = LAYOUT.get(name);
  if (column === undefined) throw new Error(`The layout has no ${name}.`);
  return line.slice(column.begin - 1, column.begin - 1 + column.length);
};

/** What a test says of a record; the rest is not known. */
export interface SaidBirth {
  readonly course?: Partial<CourseOfCare>;
  readonly mother?: Partial<CourseOfCare['mother']>;
  readonly address?: Partial<CourseOfCare['mother']['address']>;
  readonly child?: Partial<Child>;
  readonly providers?: FiledBirth['providers'];
  readonly offsetAt?: FiledBirth['offsetAt'];
  /** Values of custom fields, by the items that they are bound to. */
  readonly bound?: Readonly<Record<string, string | number>>;
}

/** A custom field that was made for an item. */
export const fieldOfItem = (id: string): CustomField => {
  const item = findBindableItem(id);
  if (item === null) throw new Error(`There is no item ${id}.`);
  return {
    fieldId: `of-${id}`,
    label: item.label,
    type: getItemType(item),
    choices: listItemChoices(item),
    order: 1,
    item: id,
    isRetired: false,
  };
};

/** The course of care that a test says something of. */
export const courseSaid = ({
  course,
  mother,
  address,
  child,
  bound = {},
}: SaidBirth): CourseOfCare => {
  const empty = emptyCourseOfCare();
  return {
    ...empty,
    custom: Object.fromEntries(
      Object.entries(bound).map(([id, value]) => [fieldOfItem(id).fieldId, value]),
    ),
    children: [{ ...emptyChild(), ...child }],
    ...course,
    mother: { ...empty.mother, ...mother, address: { ...empty.mother.address, ...address } },
  };
};

/** The lines of a record that a practice entered. */
export const linesOf = (
  course: CourseOfCare,
  {
    providers = [],
    offsetAt = null,
    bound = {},
  }: Pick<SaidBirth, 'providers' | 'offsetAt' | 'bound'> = {},
): readonly string[] => {
  const filed = fileRecord(
    { status: 'live', keyKind: 'native', course, providers },
    offsetAt,
    Object.keys(bound).map(fieldOfItem),
  );
  if (filed.kind !== 'filed') throw new Error('The record is left out.');
  return filed.lines;
};

/** The only line of a record. */
export const lineOf = (said: SaidBirth): string => {
  const [line = ''] = linesOf(courseSaid(said), said);
  return line;
};
