import { numberInWords } from '../../../domain/format-measures.ts';
import type { ImportProgress } from '../../../domain/submission/import-result.ts';
import { IMPORT_PATH } from './file-form.tsx';
import { formatProgress } from './import-text.ts';

/** Reload interval without script, in seconds. */
export const POLL_INTERVAL_SECONDS = 3;

/** Progress of a running import; the page refreshes until it ends. */
export const ProgressPage = ({ progress }: { readonly progress: ImportProgress }) => {
  const { importId, processed, total } = progress;
  return (
    <div data-import-progress={`${IMPORT_PATH}/${importId}/progress/figures`}>
      <p id="import-progress-words" class="import-progress__words font-sans-md">
        {formatProgress(processed, total)}
      </p>
      <progress
        class="width-full maxw-tablet height-3 margin-bottom-205"
        max={total}
        value={processed}
        aria-labelledby="import-progress-words"
      >
        {numberInWords(processed)} of {numberInWords(total)}
      </progress>
      <p class="quiet">
        This page updates itself. You can leave it; the import keeps running and is listed under{' '}
        <a href={IMPORT_PATH}>Import</a>.
      </p>
      <p class="import-progress__trouble" role="status" />
    </div>
  );
};
