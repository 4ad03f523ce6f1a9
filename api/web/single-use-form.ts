import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { isUuid } from '../../domain/text-input.ts';
import { readFormText } from './form-body.ts';
import { unreadableForm } from './page-problem.ts';

/** New each time the form is shown. */
export const FORM_ID_FIELD = 'form_id';

/** For a form whose answer shows a secret once. */
export const newFormId = (): string => randomUUID();

export interface UsedForms {
  /** False if the form was already sent. */
  take(accountId: string, formId: string): Promise<boolean>;
  release(accountId: string, formId: string): Promise<void>;
}

/** `repeated`: the form was sent before, and nothing is done. */
export type Once<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'repeated' };

/**
 * Reloading an answer that shows a secret must not create another secret. A failed form may be sent
 * again.
 */
export const createRunOnce =
  (memory: UsedForms) =>
  async <T>(req: Request, accountId: string, work: () => Promise<T>): Promise<Once<T>> => {
    const formId = readFormText(req, FORM_ID_FIELD);
    if (!isUuid(formId)) throw unreadableForm(400);
    if (!(await memory.take(accountId, formId))) return { kind: 'repeated' };
    try {
      return { kind: 'done', value: await work() };
    } catch (error) {
      await memory.release(accountId, formId);
      throw error;
    }
  };
