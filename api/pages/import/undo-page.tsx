import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import type { ImportEffect, UndoProgress } from '../../../projections/lists/practice-imports.ts';
import type { NamedRecord } from '../../../projections/lists/records.ts';
import { Confirm } from '../layout/confirm.tsx';
import { Notice } from '../layout/flash-messages.tsx';
import { Time } from '../layout/time.tsx';
import { RecordLinks } from '../parts/birth-form/confirm/confirmation-form.tsx';
import { IMPORT_PATH } from './file-form.tsx';

export interface UndoPageProps {
  readonly importId: string;
  readonly practice: string;
  readonly effect: ImportEffect;
  /** The first records that changed after the import. */
  readonly changed: readonly NamedRecord[];
}

export const describeVoided = (count: number): string =>
  `${countInWords(count, 'birth')} from this import will be voided.`;

export const describeAmended = (count: number): string =>
  `${countInWords(count, 'record')} that it amended will go back to ${count === 1 ? 'its previous version' : 'their previous versions'}.`;

export const describeChangedSince = (count: number): string =>
  `This import can’t be undone because ${countInWords(count, 'record')} ${count === 1 ? 'has' : 'have'} changed since. Undoing it would lose those changes.`;

export const UndoPage = ({ importId, practice, effect, changed }: UndoPageProps) =>
  effect.changed > 0 ? (
    <ChangedSince importId={importId} effect={effect} changed={changed} />
  ) : (
    <Confirm
      action={`${IMPORT_PATH}/${importId}/undo`}
      submit="Undo import"
      cancel={`${IMPORT_PATH}/${importId}/progress`}
      destructive
    >
      <p>You are about to undo everything this import did. For everyone at {practice}:</p>
      <ul class="usa-list">
        {effect.created > 0 && <li>{describeVoided(effect.created)}</li>}
        {effect.amended > 0 && <li>{describeAmended(effect.amended)}</li>}
        {effect.revived > 0 && (
          <li>
            {countInWords(effect.revived, 'voided record')} that it reactivated will be voided
            again.
          </li>
        )}
        <li>
          Births, statistics, and duplicates update right away. Everything stays in the history.
        </li>
        <li>You can import the same file again afterward, like a new one.</li>
      </ul>
      <p class="margin-top-2">
        You can’t reverse an undo. You can restore individual records later, or import the file
        again.
      </p>
    </Confirm>
  );

const ChangedSince = ({ importId, effect, changed }: Omit<UndoPageProps, 'practice'>) => (
  <>
    <Notice kind="warning">{describeChangedSince(effect.changed)}</Notice>
    <p>
      Void or restore individual records on their own pages instead.{' '}
      {effect.changed > changed.length &&
        `Showing the first ${numberInWords(changed.length)} of ${numberInWords(effect.changed)} changed records:`}
    </p>
    <RecordLinks records={changed} />
    <p>
      <a href={`${IMPORT_PATH}/${importId}/progress`}>Back to the import</a>
    </p>
  </>
);

/** "120 of 312 records done". */
export const formatUndone = ({ total, done }: UndoProgress): string =>
  `${numberInWords(done?.records ?? 0)} of ${countInWords(total, 'record')} done`;

export const UndoProgressPage = ({
  importId,
  undo,
}: {
  readonly importId: string;
  readonly undo: UndoProgress;
}) => (
  <div data-import-progress={`${IMPORT_PATH}/${importId}/undo/figures`}>
    <p id="import-progress-words" class="import-progress__words font-sans-md">
      {formatUndone(undo)}
    </p>
    <progress
      class="width-full maxw-tablet height-3 margin-bottom-205"
      max={undo.total}
      value={undo.done?.records ?? 0}
      aria-labelledby="import-progress-words"
    >
      {formatUndone(undo)}
    </progress>
    <p class="quiet">
      This page updates itself. You can leave it; the undo keeps running, and the import is listed
      under <a href={IMPORT_PATH}>Import</a>.
    </p>
    <p class="import-progress__trouble" role="status" />
  </div>
);

export const UndoneNotice = ({
  undo,
  by,
}: {
  readonly undo: UndoProgress;
  readonly by: string;
}) => {
  const { voided = 0, restored = 0, voidedAgain = 0, left = 0 } = undo.done ?? {};
  const parts = [
    [voided, 'voided'],
    [restored, 'restored'],
    [voidedAgain, 'voided again'],
  ] as const;
  const phrases = parts.flatMap(([count, words]) =>
    count === 0 ? [] : [`${numberInWords(count)} ${words}`],
  );
  return (
    <Notice kind="warning">
      This import was undone by {by}, <Time at={undo.begunAt} />
      {phrases.length > 0 && <>: {phrases.join(', ')}</>}.
      {left > 0 && (
        <>
          {' '}
          {countInWords(left, 'record')} changed during the undo and {left === 1 ? 'was' : 'were'}{' '}
          left as is.
        </>
      )}
    </Notice>
  );
};
