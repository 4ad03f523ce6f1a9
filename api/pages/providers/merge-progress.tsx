import type { Request, Response } from 'express';
import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import type { App } from '../../ports/app-ports.ts';
import { readQueryText } from '../../web/form-body.ts';
import { getSeat } from '../../web/guards/seats.ts';
import { Form } from '../layout/form.tsx';
import { type Reply, redirect } from '../layout/routes.tsx';
import { buildProviderPath, findSides, isUnmerged } from './find-providers.ts';
import { listNames } from './provider-text.tsx';

const POLL_INTERVAL_SECONDS = 4;

/** Progress of a merge; the page refreshes until it is done. */
export const showProgress = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const { practiceId } = getSeat(res);
  const { absorbed, survivor } = await findSides(app, req, res);
  const { absorbedName, survivorName } = listNames(absorbed, survivor);
  // `null` before the merge begins
  const left = isUnmerged(absorbed)
    ? null
    : await app.reads.countLeftToRepoint(practiceId, survivor.providerId);
  if (left === 0)
    return redirect(
      buildProviderPath(survivor),
      `${absorbedName} was merged into ${survivorName}.`,
    );
  const total = Number(readQueryText(req, 'of'));
  const isTotalKnown = left !== null && Number.isInteger(total) && total >= left && total > 0;
  // Refreshes without script, too.
  res.set('Refresh', String(POLL_INTERVAL_SECONDS));
  return {
    title: `Merging ${absorbedName}`,
    tabTitle: 'Merging a provider',
    children: (
      <>
        {left === null ? (
          <p data-message="merge-waits">
            {absorbedName} is about to be merged into {survivorName}. The merge starts once incoming
            births have been saved.
          </p>
        ) : (
          <p>
            {absorbedName} was merged into {survivorName}, and all counts are correct. Records are
            still being updated: {countInWords(left, 'record')} left
            {isTotalKnown && ` of ${numberInWords(total)}`}.
          </p>
        )}
        {isTotalKnown && (
          <progress
            class="width-full maxw-tablet height-3"
            max={total}
            value={total - left}
            aria-label="Records updated"
          >
            {numberInWords(total - left)} of {numberInWords(total)}
          </progress>
        )}
        <p class="quiet">
          This page refreshes every {POLL_INTERVAL_SECONDS} seconds. You can leave it; the merge
          keeps running. If nothing changes for a minute, select Resume merge. Nothing is done
          twice.
        </p>
        <Form action={`${buildProviderPath(absorbed)}/merge/${survivor.providerId}`}>
          <button type="submit" class="usa-button usa-button--outline">
            Resume merge
          </button>
        </Form>
      </>
    ),
  };
};
