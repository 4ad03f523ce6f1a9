import type { Request } from 'express';
import { formText } from '../../web/form-body.ts';
import type { SaveTarget } from '../../write-path/save-course.ts';

/** Hidden field: version of the record that the person was shown, and wants to amend. */
export const AMENDED_VERSION = 'amend';

type NewOrAmended = Extract<SaveTarget, { readonly kind: 'new' | 'amend' }>;

/** What was answered so far to what a new birth is asked about. */
export interface Answered {
  readonly target: NewOrAmended;
  /** It may be saved beside a record that it looks like. */
  readonly overrule: boolean;
}

/** What is meant to become of a birth that is posted; a new record unless it says another thing. */
export const answeredIn = (req: Request): Answered => {
  const version = formText(req, AMENDED_VERSION);
  return {
    target: /^[1-9]\d{0,8}$/.test(version)
      ? { kind: 'amend', version: Number(version) }
      : { kind: 'new' },
    overrule: formText(req, 'save') === 'overrule' || formText(req, 'overrule') === 'yes',
  };
};

/** The hidden fields by which the same answers come back. */
export const carriedAnswers = ({
  target,
  overrule,
}: Answered): Readonly<Record<string, string>> => ({
  ...(target.kind === 'amend' ? { [AMENDED_VERSION]: String(target.version) } : {}),
  ...(overrule ? { overrule: 'yes' } : {}),
});
