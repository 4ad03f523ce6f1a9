import type { Page } from 'playwright-core';
import { type AuditedChange, auditWords } from '../../api/pages/audit/audit-words.ts';
import type { FieldError } from '../../api/pages/frame/field-errors.ts';
import type { NamedPerson } from '../../projections/people-names.ts';

/** What the summary of a refused form says, a line for each error. */
export const errorsOf = async (page: Page): Promise<readonly string[]> => {
  const items = page.locator('[data-error-summary] li');
  await items.first().waitFor();
  return items.allInnerTexts();
};

/** What an audit trail says of a change of a practice, or of a member. */
export const changeOf = (
  type: AuditedChange['type'],
  value: string | null,
  member: NamedPerson | null = null,
): string => auditWords({ type, value, key: null, member });

/** What a page says of the only error of a form. */
export const messageOf = ([error, ...others]: readonly FieldError[]): string => {
  if (error === undefined || others.length > 0) throw new Error('Not one error');
  return error.message;
};
