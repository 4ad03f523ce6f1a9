import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { isUuid } from '../../domain/text-input.ts';
import { formText } from './form-body.ts';
import { unreadableForm } from './page-problem.ts';

/** Name of the hidden field that tells one showing of a form from the next. */
export const FORM_ID_FIELD = 'form_id';

/** A new id for a form whose answer shows a secret once. */
export const newFormId = (): string => randomUUID();

/** Which forms an account has sent. */
export interface FormMemory {
  /** False: it was taken before. */
  take(accountId: string, formId: string): Promise<boolean>;
  release(accountId: string, formId: string): Promise<void>;
}

/** What a form led to; `again`: it was sent before, and nothing was done. */
export type Once<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'again' };

/**
 * Does what a form asks for once, however often it is sent: a reload of an answer that shows a
 * secret must not make another. What fails may be sent again.
 */
export const onceWith =
  (memory: FormMemory) =>
  async <T>(req: Request, accountId: string, work: () => Promise<T>): Promise<Once<T>> => {
    const formId = formText(req, FORM_ID_FIELD);
    if (!isUuid(formId)) throw unreadableForm(400);
    if (!(await memory.take(accountId, formId))) return { kind: 'again' };
    try {
      return { kind: 'done', value: await work() };
    } catch (error) {
      await memory.release(accountId, formId);
      throw error;
    }
  };
