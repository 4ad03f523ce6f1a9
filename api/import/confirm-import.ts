import { nanoid } from 'nanoid';
import type { Confirmation } from '../../domain/submission/staged-import.ts';
import type { App } from '../ports/app-ports.ts';
import { answerConsent } from './revise-import.ts';

/**
 * Confirms a staged import: its courses are queued and processed like any others. Repeats are
 * harmless, because an import and its ingestion share an id.
 * @param mayRepeat true if the member knows that the file was imported before
 * @param consent answer for all rows of a file without a consent column; `null` to keep the earlier answer
 */
export const confirmImport = async (
  registry: App,
  practiceId: string,
  memberId: string,
  importId: string,
  mayRepeat: boolean,
  consent: boolean | null = null,
): Promise<Confirmation> => {
  const { stagedImports, queueEvents, afterStep } = registry;
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
    queueEvents.emit('queued');
  }
  return confirmation;
};
