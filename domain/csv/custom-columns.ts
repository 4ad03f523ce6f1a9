import type { CustomField } from '../custom-field/state.ts';
import { comparable } from './comparable-name.ts';

/** A column of a practice's own field, and every name in comparable form that means it. */
export interface CustomColumn {
  readonly name: string;
  readonly path: string;
  readonly names: readonly string[];
}

const PREFIX = 'custom';

/**
 * Columns of a practice's own fields, named by their labels; `custom <label>` where a label says
 * nothing without signs, or what another column says already. A retired field has no column.
 * @param taken names of other columns, in comparable form
 */
export const customColumns = (
  customFields: readonly CustomField[],
  taken: ReadonlySet<string>,
): readonly CustomColumn[] => {
  const given = new Set(taken);
  return customFields
    .filter(({ retired }) => !retired)
    .map(({ fieldId, label }): CustomColumn => {
      const byId = comparable(`${PREFIX} ${fieldId}`);
      const [name = byId] = [label, `${PREFIX} ${label}`].filter((one) => {
        const compared = comparable(one);
        return compared !== '' && compared !== PREFIX && !given.has(compared);
      });
      const names = new Set([comparable(name), comparable(`${PREFIX} ${name}`), byId]);
      for (const one of names) given.add(one);
      return { name, path: `${PREFIX}.${fieldId}`, names: [...names] };
    });
};
