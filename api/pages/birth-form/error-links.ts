import type { FieldError } from '../frame/field-errors.ts';
import { childLabel } from '../words/field-labels.ts';
import type { FormLook } from './form-look.ts';
import { indexesOf } from './form-values.ts';

/** The first error of each field, with the child that it is about where there are several. */
export const errorLinks = ({ errors, values }: FormLook): readonly FieldError[] => {
  const children = indexesOf('children', values);
  const links = new Map<string, FieldError>();
  for (const { path, message } of errors) {
    if (links.has(path)) continue;
    const [, index] = /^children\.(\d+)\./.exec(path) ?? [];
    const place = children.indexOf(Number(index));
    const isOneOfSeveral = index !== undefined && children.length > 1;
    const whose = isOneOfSeveral ? `${childLabel(place, children.length)}: ` : '';
    links.set(path, { field: path, message: `${whose}${message}` });
  }
  return [...links.values()];
};
