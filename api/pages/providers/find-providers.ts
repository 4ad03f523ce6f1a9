import type { Request, Response } from 'express';
import type { CareerLine, ProviderListing } from '../../../projections/lists/providers.ts';
import { noteRecordsShown } from '../../access-log/access-notes.ts';
import type { App } from '../../ports/app-ports.ts';
import { getSeat } from '../../web/guards/seats.ts';
import { PageProblem, pageNotFound } from '../../web/page-problem.ts';
import { formatProviderName } from './provider-text.tsx';

export const PROVIDERS = '/registry/providers';

/** Also the minimum length of a list with a search box. */
export const PER_PAGE = 50;

export const buildProviderPath = (provider: ProviderListing): string =>
  `${PROVIDERS}/${provider.providerId}`;

/** @throws PageProblem 404 */
export const findProvider = (
  providers: readonly ProviderListing[],
  req: Request,
  name: string,
): ProviderListing => {
  const provider = providers.find(({ providerId }) => providerId === req.params[name]);
  if (provider === undefined) throw pageNotFound();
  return provider;
};

export const isUnmerged = ({ providerId, survivorId }: ProviderListing): boolean =>
  providerId === survivorId;

export const listMerged = (
  providers: readonly ProviderListing[],
  { providerId }: ProviderListing,
): readonly ProviderListing[] =>
  providers.filter((one) => !isUnmerged(one) && one.survivorId === providerId);

export const noteCareer = (app: App, res: Response, lines: readonly CareerLine[]): Promise<void> =>
  noteRecordsShown(app, res, {
    place: 'provider',
    recordIds: lines.map((line) => line.submissionUuid),
  });

/** Reason that two providers cannot be merged; `null` if they can. */
export const findMergeRefusal = (
  absorbed: ProviderListing,
  survivor: ProviderListing,
): string | null => {
  if (absorbed.providerId === survivor.providerId)
    return 'You can’t merge a provider into itself. Go back and choose another one.';
  if (absorbed.partnerId !== survivor.partnerId)
    return 'These providers come from two partners. Only identities from the same partner can be merged.';
  if (!isUnmerged(survivor))
    return `${formatProviderName(survivor)} was merged into another provider. Go back and choose that one.`;
  return null;
};

/** @throws PageProblem 404, or 409 if they cannot be merged */
export const findSides = async (app: App, req: Request, res: Response) => {
  const all = await app.reads.findProviders(getSeat(res).practiceId);
  const absorbed = findProvider(all, req, 'id');
  const survivor = findProvider(all, req, 'survivor');
  const reason =
    absorbed.mergedInto !== null && absorbed.mergedInto !== survivor.providerId
      ? `${formatProviderName(absorbed)} was merged into another provider in the meantime. Nothing was changed. Review both again.`
      : findMergeRefusal(absorbed, survivor);
  if (reason !== null) throw mergeNotPossible(reason);
  return { all, absorbed, survivor };
};

export const mergeNotPossible = (reason: string): PageProblem =>
  new PageProblem(409, 'These providers cannot be merged', reason);
