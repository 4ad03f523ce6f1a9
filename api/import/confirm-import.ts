import type { Confirmation, StagedImport, StagedImports } from '../../domain/csv/staged-import.ts';
import type { AnnounceIngestion } from '../write-path/announce-ingestion.ts';
import type { AfterStep } from '../write-path/fault-hook.ts';

/**
 * Confirms a staged import: from now on its ingestion goes on by itself. Again and again it is one
 * ingestion, because import and ingestion share their id.
 * @param mayRepeat the member knows that the file was imported before
 */
export type ConfirmImport = (
  practiceId: string,
  memberId: string,
  importId: string,
  mayRepeat: boolean,
) => Promise<Exclude<Confirmation, { kind: 'confirmed' }> | { readonly kind: 'confirmed' }>;

/** What confirming works with. */
export interface ConfirmImportParts extends FinishConfirmationParts {
  readonly stagedImports: Pick<StagedImports, 'confirm' | 'queue' | 'noteAnnounced'>;
}

/** @see ConfirmImport */
export const confirmImportWith =
  (parts: ConfirmImportParts): ConfirmImport =>
  async (practiceId, memberId, importId, mayRepeat) => {
    const confirmation = await parts.stagedImports.confirm(
      practiceId,
      memberId,
      importId,
      mayRepeat,
    );
    if (confirmation.kind !== 'confirmed') return confirmation;
    parts.afterStep('import-confirmed');
    const isQueued = await finishConfirmationWith(parts)(confirmation.staged);
    return { kind: isQueued ? 'confirmed' : 'gone' };
  };

/** What carrying a confirmation through works with. */
export interface FinishConfirmationParts {
  readonly stagedImports: Pick<StagedImports, 'queue' | 'noteAnnounced'>;
  readonly announce: AnnounceIngestion;
  readonly newCorrelationId: () => string;
  readonly afterStep: AfterStep;
}

/**
 * Carries a confirmation through to the log. Safe to repeat, also by another process.
 * @returns false: the import is gone, and nothing was announced
 */
export type FinishConfirmation = (staged: StagedImport) => Promise<boolean>;

/** @see FinishConfirmation */
export const finishConfirmationWith =
  (parts: FinishConfirmationParts): FinishConfirmation =>
  async ({ importId, practiceId, memberId, attempt, courses, fileHash, emptyRows }) => {
    // Announced without its courses, the ingestion could only fail.
    if (!(await parts.stagedImports.queue(importId))) return false;
    parts.afterStep('row-queued');
    await parts.announce(
      {
        ingestionId: importId,
        practiceId,
        attempt,
        courses,
        keyId: null,
        keyKind: null,
        correlationId: parts.newCorrelationId(),
        imported: { memberId, fileHash, emptyRows },
      },
      { kind: 'member', id: memberId },
    );
    parts.afterStep('event-queued');
    await parts.stagedImports.noteAnnounced(importId);
    return true;
  };
