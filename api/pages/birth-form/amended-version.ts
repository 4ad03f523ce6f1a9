import type { SaveTarget } from '../../write-path/save-course.ts';

/** Hidden field: version of the record that the person was shown, and wants to amend. */
export const AMENDED_VERSION = 'amend';

type NewOrAmended = Extract<SaveTarget, { readonly kind: 'new' | 'amend' }>;

/** What a posted form is meant to become. @param version the hidden field's text; else it is new */
export const targetOf = (version: string): NewOrAmended =>
  /^[1-9]\d{0,8}$/.test(version) ? { kind: 'amend', version: Number(version) } : { kind: 'new' };

/** The hidden field by which the same target comes back. */
export const carriedTarget = (target: NewOrAmended): Readonly<Record<string, string>> =>
  target.kind === 'amend' ? { [AMENDED_VERSION]: String(target.version) } : {};
