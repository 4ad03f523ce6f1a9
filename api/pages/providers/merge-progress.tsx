import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import type { ProviderListing } from '../../../projections/lists/providers.ts';
import { Form } from '../layout/form.tsx';
import { listNames } from './provider-text.ts';

export interface MergeProgressProps {
  readonly absorbed: ProviderListing;
  readonly survivor: ProviderListing;
  /** Number of records to update; 0 if unknown. */
  readonly total: number;
  /** Number of records left; `null` before the merge begins. */
  readonly left: number | null;
}

export const POLL_INTERVAL_SECONDS = 4;

export const describeWait = (absorbedName: string, survivorName: string): string =>
  `${absorbedName} is about to be merged into ${survivorName}.`;

/** Progress of a merge; the page refreshes until it is done. */
export const MergeProgress = ({ absorbed, survivor, total, left }: MergeProgressProps) => {
  const { absorbedName, survivorName } = listNames(absorbed, survivor);
  return (
    <>
      {left === null ? (
        <p>
          {describeWait(absorbedName, survivorName)} The merge starts once incoming births have been
          saved.
        </p>
      ) : (
        <>
          <p>
            {absorbedName} was merged into {survivorName}, and all counts are correct. Records are
            still being updated: {countInWords(left, 'record')} left
            {total >= left && total > 0 && ` of ${numberInWords(total)}`}.
          </p>
          {total >= left && total > 0 && (
            <progress
              class="width-full maxw-tablet height-3"
              max={total}
              value={total - left}
              aria-label="Records updated"
            >
              {numberInWords(total - left)} of {numberInWords(total)}
            </progress>
          )}
        </>
      )}
      <p class="quiet">
        This page refreshes every {POLL_INTERVAL_SECONDS} seconds. You can leave it; the merge keeps
        running. If nothing changes for a minute, select Resume merge. Nothing is done twice.
      </p>
      <Form action={`/registry/providers/${absorbed.providerId}/merge/${survivor.providerId}`}>
        <button type="submit" class="usa-button usa-button--outline">
          Resume merge
        </button>
      </Form>
    </>
  );
};
