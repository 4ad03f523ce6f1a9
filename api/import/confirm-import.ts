import { nanoid } from 'nanoid';
import type { QueueLimit } from '../../domain/submission/queue-share.ts';
import type { Confirmation } from '../../domain/submission/staged-import.ts';
import type { App } from '../ports/app-ports.ts';
import { answerConsent } from './revise-import.ts';

/**
 * Repeats are harmless, because an import and its ingestion share an id.
 * @param mayRepeat true if the member knows that the file was imported before
 * @param consent for a file without a consent column; `null` to keep the earlier answer
 * @param requirePermission called right before the write; if it throws, nothing is queued
 * @returns `no-room` if the queue, or the practice's share of it, is full
 */
export const confirmImport = async (
  app: App,
  practiceId: string,
  memberId: string,
  importId: string,
  mayRepeat: boolean,
  consent: boolean | null = null,
  requirePermission: () => Promise<void> = async () => undefined,
): Promise<Confirmation | { readonly kind: 'no-room'; readonly limit: QueueLimit }> => {
  const { stagedImports, wakeups, queueLoad, afterStep } = app;
  if (consent !== null) await answerConsent(app, { practiceId, memberId, importId }, consent);
  const found = await stagedImports.find(practiceId, memberId, importId);
  const courses = found === null || found.staged.isConfirmed ? null : found.staged.courses;
  const admission = courses === null ? null : await queueLoad.admit(practiceId, courses);
  if (admission?.kind === 'refused') return { kind: 'no-room', limit: admission.limit };
  await requirePermission();
  const confirmation = await stagedImports
    .confirm(practiceId, memberId, importId, mayRepeat, nanoid())
    .finally(admission?.end);
  if (confirmation.kind === 'confirmed') {
    afterStep('row-queued');
    wakeups.emit('queued');
  }
  return confirmation;
};
