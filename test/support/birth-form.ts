import type { FieldError } from '../../api/pages/layout/field-errors.ts';
import { type AuditedChange, formatAuditEntry } from '../../api/pages/text/audit-text.ts';
import type { NamedPerson } from '../../projections/lists/people-names.ts';
import { choose } from '../harness/browser.ts';
import type { TestPage } from '../harness/test-page.ts';

/** Types values into the form of a birth, by the names of its fields. */
export const fillBirth = async (
  page: TestPage,
  values: Readonly<Record<string, string>>,
): Promise<void> => {
  for (const [name, value] of Object.entries(values))
    await page.locator(`[name="${name}"]`).fill(value);
};

/** What a posted correction says of its reason. */
export const REASON = { reason: 'Typing error' } as const;

/** Answers the questions about consent and the reason for a correction, unless they are answered. */
const answerQuestions = async (page: TestPage): Promise<void> => {
  for (const [name, value] of [
    ['consent.granted', 'no'],
    ['reason', REASON.reason],
  ] as const) {
    const unanswered = (await page.locator(`[name="${name}"]:checked`).count()) === 0;
    const answer = page.locator(`[name="${name}"][value="${value}"]`);
    if (unanswered && (await answer.count()) > 0) await choose(answer);
  }
};

/** Sends the form on to the page on which its answers are checked. */
export const checkAnswers = async (page: TestPage): Promise<void> => {
  await answerQuestions(page);
  await page.getByRole('button', { name: 'Check your answers' }).click();
};

/** Checks the answers of the form, then records the birth. */
export const recordBirth = async (page: TestPage): Promise<void> => {
  await checkAnswers(page);
  await page.getByRole('button', { name: 'Record birth' }).click();
};

/** The same for a correction. */
export const saveCorrection = async (page: TestPage): Promise<void> => {
  await checkAnswers(page);
  await page.getByRole('button', { name: 'Save correction' }).click();
};

/** What the summary of a refused form says, a line for each error. */
export const errorsOf = async (page: TestPage): Promise<readonly string[]> => {
  const items = page.locator('[data-error-summary] li');
  await items.first().waitFor();
  return items.allInnerTexts();
};

/** Ids of the errors in that summary. */
export const errorIdsOf = async (page: TestPage): Promise<readonly (string | null)[]> => {
  const errors = page.locator('[data-error-summary] [data-error]');
  await errors.first().waitFor();
  return Promise.all((await errors.all()).map((error) => error.getAttribute('data-error')));
};

/** What an audit trail says of a change of a practice, or of a member. */
export const changeOf = (
  type: AuditedChange['type'],
  value: string | null,
  member: NamedPerson | null = null,
): string => formatAuditEntry({ type, value, key: null, member });

/** What a page says of the only error of a form. */
export const messageOf = ([error, ...others]: readonly FieldError[]): string => {
  if (error === undefined || others.length > 0) throw new Error('Not one error');
  return error.message;
};
