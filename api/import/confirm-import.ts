import { nanoid } from 'nanoid';
import type { Confirmation } from '../../domain/csv/staged-import.ts';
import type { Registry } from '../registry/registry.ts';

/**
 * Confirms a staged import: its courses are in the queue, and its ingestion goes on by itself. Again and
 * again it is one ingestion, because import and ingestion share their id.
 * @param mayRepeat the member knows that the file was imported before
 */
export const confirmImport = async (
  { stagedImports, queued, afterStep }: Registry,
  practiceId: string,
  memberId: string,
  importId: string,
  mayRepeat: boolean,
): Promise<Confirmation> => {
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
