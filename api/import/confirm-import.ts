import { nanoid } from 'nanoid';
import type { Confirmation, StagedImport } from '../../domain/csv/staged-import.ts';
import type { Registry } from '../registry/registry.ts';
import { announceIngestion } from '../write-path/announce-ingestion.ts';

/**
 * Confirms a staged import: from now on its ingestion goes on by itself. Again and again it is one
 * ingestion, because import and ingestion share their id.
 * @param mayRepeat the member knows that the file was imported before
 */
export const confirmImport = async (
  registry: Registry,
  practiceId: string,
  memberId: string,
  importId: string,
  mayRepeat: boolean,
): Promise<Exclude<Confirmation, { kind: 'confirmed' }> | { readonly kind: 'confirmed' }> => {
  const { stagedImports, afterStep } = registry;
  const confirmation = await stagedImports.confirm(practiceId, memberId, importId, mayRepeat);
  if (confirmation.kind !== 'confirmed') return confirmation;
  afterStep('import-confirmed');
  const isQueued = await finishConfirmation(registry, confirmation.staged);
  return { kind: isQueued ? 'confirmed' : 'gone' };
};

/**
 * Carries a confirmation through to the log. Safe to repeat, also by another process.
 * @returns false: the import is gone, and nothing was announced
 */
export const finishConfirmation = async (
  registry: Registry,
  { importId, practiceId, memberId, attempt, courses, fileHash, emptyRows }: StagedImport,
): Promise<boolean> => {
  const { stagedImports, afterStep } = registry;
  // Announced without its courses, the ingestion could only fail.
  if (!(await stagedImports.queue(importId))) return false;
  afterStep('row-queued');
  await announceIngestion(
    registry,
    {
      ingestionId: importId,
      practiceId,
      attempt,
      courses,
      keyId: null,
      keyKind: null,
      correlationId: nanoid(),
      imported: { memberId, fileHash, emptyRows },
    },
    { kind: 'member', id: memberId },
  );
  afterStep('event-queued');
  await stagedImports.noteAnnounced(importId);
  return true;
};
