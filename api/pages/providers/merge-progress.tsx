import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import type { ShownProvider } from '../../../projections/lists/providers.ts';
import { Form } from '../layout/form.tsx';
import { listNames } from './provider-text.ts';

export interface MergeProgressProps {
  readonly absorbed: ShownProvider;
  readonly survivor: ShownProvider;
  /** Number of records to update; 0 if unknown. */
  readonly total: number;
  /** Number of records left; `null` before the merge begins. */
  readonly left: number | null;
}

/** Reload interval, in seconds. */
export const POLL_INTERVAL_SECONDS = 4;

export const describeWait = (goes: string, stays: string): string =>
  `${goes} is about to be merged into ${stays}.`;

/** Progress of a merge; the page refreshes until it is done. */
export const MergeProgress = ({ absorbed, survivor, total, left }: MergeProgressProps) => {
  const { goes, stays } = listNames(absorbed, survivor);
  return (
    <>
      {left === null ? (
        <p>
          {describeWait(goes, stays)} The merge waits until births that are being received are
          written.
        </p>
      ) : (
        <>
          <p>
            {goes} is merged into {stays}, and every count is right already. The records are being
            brought up to date: {countInWords(left, 'record')} left
            {total >= left && total > 0 && ` of ${numberInWords(total)}`}.
          </p>
          {total >= left && total > 0 && (
            <progress class="width-full maxw-tablet height-3" max={total} value={total - left} aria-label="Records done">
              {numberInWords(total - left)} of {numberInWords(total)}
            </progress>
          )}
        </>
      )}
      <p class="quiet">
        This page looks again every {POLL_INTERVAL_SECONDS} seconds. You may leave it: the merge
        goes on. If nothing moves for a minute, go on with it by the button; nothing is done twice.
      </p>
      <Form action={`/registry/providers/${absorbed.providerId}/merge/${survivor.providerId}`}>
        <button type="submit" class="usa-button usa-button--outline">
          Go on with the merge
        </button>
      </Form>
    </>
  );
};
