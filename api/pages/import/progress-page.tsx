import { numberInWords } from '../../../domain/format-measures.ts';
import type { ImportProgress } from '../../../domain/submission/import-result.ts';
import { IMPORT_PATH } from './file-form.tsx';
import { formatChecked, formatProgress } from './import-text.ts';

/** Reload interval without script, in seconds. */
export const POLL_INTERVAL_SECONDS = 3;

export const CHECKING_TITLE = 'Checking your file…';

export const CheckProgress = ({
  importId,
  done,
  total,
}: {
  readonly importId: string;
  readonly done: number;
  readonly total: number;
}) => (
  <div data-import-progress={`${IMPORT_PATH}/${importId}/check/figures`}>
    <ProgressBar done={done} total={total} words={formatChecked(done, total)} />
    <p class="quiet">
      Nothing is recorded until you confirm. This page updates itself, and you can leave it: you’ll
      find the check under <a href={IMPORT_PATH}>Import</a>.
    </p>
    <p class="import-progress__trouble" role="status" />
  </div>
);

const ProgressBar = ({
  done,
  total,
  words,
}: {
  readonly done: number;
  readonly total: number;
  readonly words: string;
}) => (
  <>
    <p id="import-progress-words" class="import-progress__words font-sans-md">
      {words}
    </p>
    <progress
      class="width-full maxw-tablet height-3 margin-bottom-205"
      max={Math.max(1, total)}
      value={done}
      aria-labelledby="import-progress-words"
    >
      {numberInWords(done)} of {numberInWords(total)}
    </progress>
  </>
);

export const ProgressPage = ({ progress }: { readonly progress: ImportProgress }) => {
  const { importId, processed, total } = progress;
  return (
    <div data-import-progress={`${IMPORT_PATH}/${importId}/progress/figures`}>
      <ProgressBar done={processed} total={total} words={formatProgress(processed, total)} />
      <p class="quiet">
        This page updates itself. You can leave it; the import keeps running and is listed under{' '}
        <a href={IMPORT_PATH}>Import</a>.
      </p>
      <p class="import-progress__trouble" role="status" />
    </div>
  );
};
