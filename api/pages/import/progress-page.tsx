import { numberInWords } from '../../../domain/format-measures.ts';
import type { ImportProgress } from '../../../domain/submission/import-result.ts';
import { IMPORT_PATH } from './file-form.tsx';
import { progressInWords } from './import-words.ts';

/** How often the page looks again without script, seconds. */
export const LOOKS_AGAIN_SECONDS = 3;

/** How far an import is that goes on; the page looks again by itself until it has ended. */
export const ProgressPage = ({ progress }: { readonly progress: ImportProgress }) => {
  const { importId, processed, total } = progress;
  return (
    <div data-import-progress={`${IMPORT_PATH}/${importId}/progress/figures`}>
      <p id="import-progress-words" class="import-progress__words lead">
        {progressInWords(processed, total)}
      </p>
      <progress
        class="progress margin-bottom-205"
        max={total}
        value={processed}
        aria-labelledby="import-progress-words"
      >
        {numberInWords(processed)} of {numberInWords(total)}
      </progress>
      <p class="quiet">
        This page goes on by itself. You may leave it: the import goes on, and you find it again
        under <a href={IMPORT_PATH}>Import</a>.
      </p>
      <p class="import-progress__trouble" role="status" />
    </div>
  );
};
