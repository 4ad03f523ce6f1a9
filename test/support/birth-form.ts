import type { Page } from 'playwright-core';

/** Types values into the form of a birth, by the names of its fields. */
export const fillBirth = async (
  page: Page,
  values: Readonly<Record<string, string>>,
): Promise<void> => {
  for (const [name, value] of Object.entries(values))
    await page.locator(`[name="${name}"]`).fill(value);
};

/** What a posted correction says of its reason. */
export const REASON = { reason: 'Typing error' } as const;

/** Answers the questions about consent and the reason for a correction, unless they are answered. */
const answerQuestions = async (page: Page): Promise<void> => {
  for (const [name, value] of [
    ['consent.granted', 'no'],
    ['reason', REASON.reason],
  ] as const) {
    const unanswered = (await page.locator(`[name="${name}"]:checked`).count()) === 0;
    const answer = page.locator(`[name="${name}"][value="${value}"]`);
    if (unanswered && (await answer.count()) > 0) await answer.check({ force: true });
  }
};

/** Sends the form on to the page on which its answers are checked. */
export const checkAnswers = async (page: Page): Promise<void> => {
  await answerQuestions(page);
  await page.getByRole('button', { name: 'Check your answers' }).click();
};

/** Checks the answers of the form, then records the birth. */
export const recordBirth = async (page: Page): Promise<void> => {
  await checkAnswers(page);
  await page.getByRole('button', { name: 'Record birth' }).click();
};

/** The same for a correction. */
export const saveCorrection = async (page: Page): Promise<void> => {
  await checkAnswers(page);
  await page.getByRole('button', { name: 'Save correction' }).click();
};
