import { nanoid } from 'nanoid';
import type { Confirmation } from '../../domain/submission/staged-import.ts';
import type { App } from '../ports/app-ports.ts';
import { answerConsent } from './update-staged.ts';

/**
 * Confirms a staged import: its courses are in the queue, and its ingestion goes on by itself. Again and
 * again it is one ingestion, because import and ingestion share their id.
 * @param mayRepeat the member knows that the file was imported before
 * @param consent whether it was granted for all rows of a file that does not say; null: not answered now
 */
export const confirmImport = async (
  registry: App,
  practiceId: string,
  memberId: string,
  importId: string,
  mayRepeat: boolean,
  consent: boolean | null = null,
): Promise<Confirmation> => {
  const { stagedImports, queued, afterStep } = registry;
  if (consent !== null) await answerConsent(registry, { practiceId, memberId, importId }, consent);
  const confirmation = await stagedImports.confirm(
    practiceId,
    memberId,
    importId,
    mayRepeat,
    nanoid(),
  );
  if (confirmation.kind === 'confirmed') {
    afterStep('row-queued');
    queued.signal();
  }
  return confirmation;
};
