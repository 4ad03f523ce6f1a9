import type { FieldPath } from '../../course/fields.ts';
import {
  BINDABLE_ITEMS,
  type BindableItem,
  type ItemColumn,
} from '../../custom-field/bindable-items.ts';
import { BLANK_COLUMNS } from './blank-columns.ts';
import type { IjeItem } from './columns.ts';
import { IJE_ITEMS } from './items.ts';

/** Column of the layout, and where its content is from. */
export interface AccountedColumn extends ItemColumn {
  readonly has:
    | 'a field of the record'
    | 'a custom field that is bound to it, else unknown'
    | 'a custom field that is bound to it, else blanks'
    | 'the same in every line'
    | 'blanks';
  readonly reads: readonly FieldPath[];
  /** Words of the certificate for a custom field. */
  readonly asks: string | null;
  /** Form of the content, or the reason for blanks. */
  readonly rule: string;
}

const BOUND_BY_COLUMN: ReadonlyMap<string, BindableItem> = new Map(
  BINDABLE_ITEMS.flatMap((item) => item.columns.map(({ name }) => [name, item] as const)),
);

const account = ({ name, begin, length, reads, rule }: IjeItem): AccountedColumn => {
  const place = { name, begin, length, reads, rule };
  const bound = BOUND_BY_COLUMN.get(name);
  if (bound === undefined) {
    const has = reads.length > 0 ? 'a field of the record' : 'the same in every line';
    return { ...place, has, asks: null };
  }
  const without = bound.unknown === ' ' ? 'blanks' : 'unknown';
  return {
    ...place,
    has: `a custom field that is bound to it, else ${without}`,
    asks: bound.label,
  };
};

/** Every column of the layout, in its order. */
export const ACCOUNTED_COLUMNS: readonly AccountedColumn[] = [
  ...IJE_ITEMS.map(account),
  ...BLANK_COLUMNS.map(
    ({ why, ...place }): AccountedColumn => ({
      ...place,
      has: 'blanks',
      reads: [],
      asks: null,
      rule: why,
    }),
  ),
].sort((one, other) => one.begin - other.begin);
