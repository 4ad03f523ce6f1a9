import type { Request, Response, Router } from 'express';
import { listSearchableWords, parseSearchWords } from '../../../domain/course/search-words.ts';
import { countInWords } from '../../../domain/format-measures.ts';
import type { CareerLine, ProviderListing } from '../../../projections/lists/providers.ts';
import { noteRecordsShown } from '../../access-log/access-notes.ts';
import { CommandRefused } from '../../commands/command-refused.ts';
import type { App } from '../../ports/app-ports.ts';
import { TIMED_OUT, withTimeout } from '../../process/with-timeout.ts';
import { readFormText, readQueryText } from '../../web/form-body.ts';
import { getSeat, requireRole } from '../../web/guards/seats.ts';
import { readPageNumber, slicePage } from '../../web/page-number.ts';
import { PageProblem, pageNotFound } from '../../web/page-problem.ts';
import { createSearchSealer, readTypedSearch } from '../../web/sealed-search.ts';
import { nullIfLeaseUnavailable } from '../../writes/null-if-lease-unavailable.ts';
import { createPageCommands } from '../layout/page-commands.ts';
import { createRouter, page, post, type Reply, redirect } from '../layout/routes.tsx';
import { listCandidates, MergeChoice } from './merge-choice.tsx';
import { MergePreview } from './merge-preview.tsx';
import { MergeProgress, POLL_INTERVAL_SECONDS } from './merge-progress.tsx';
import { findProviderHistory } from './provider-history.ts';
import { buildProvidersPath, ProviderList, SEARCHED_FROM } from './provider-list.tsx';
import { ProviderPage } from './provider-page.tsx';
import { formatProviderName, listNames, listPresentParts } from './provider-text.ts';

export const describeMerge = (absorbed: string, survivor: string): string =>
  `${absorbed} was merged into ${survivor}. This is ${survivor}’s page.`;

export const describeMerged = (repointed: number, survivor: string): string =>
  `${countInWords(repointed, 'record')} now ${repointed === 1 ? 'names' : 'name'} ${survivor}.`;

/** Refuses to merge a provider that has been merged since. */
export const describeEarlierMerge = (name: string): string =>
  `${name} was merged into another provider in the meantime. Nothing was changed. Review both again.`;

export const describeMergedSurvivor = (name: string): string =>
  `${name} was merged into another provider. Go back and choose that one.`;

export const TWO_PARTNERS_MESSAGE =
  'These providers come from two partners. Only identities from the same partner can be merged.';

export const SAME_PROVIDER_MESSAGE =
  'You can’t merge a provider into itself. Go back and choose another one.';

const PROVIDERS = '/registry/providers';
const MERGE = `${PROVIDERS}/:id/merge/:survivor`;
const READERS = requireRole('Admin', 'Provider', 'Viewer');
const ADMIN = requireRole('Admin');
const PER_PAGE = SEARCHED_FROM;
const EXAMPLES = 5;
/** A merge of a few hundred records finishes within this time; a longer one shows its progress. */
const PATIENCE_MS = 5_000;

export const providersRouter = (app: App): Router =>
  createRouter(
    page(PROVIDERS, READERS, (req, res) => showList(app, req, res)),
    post(PROVIDERS, READERS, (req, res) => {
      const search = readTypedSearch(readFormText(req, 'q'));
      const sealed = createSearchSealer(app).seal(req, res, search);
      return redirect(buildProvidersPath(sealed, 1));
    }),
    page(`${PROVIDERS}/:id`, READERS, (req, res) => showProvider(app, req, res)),
    page(`${PROVIDERS}/:id/merge`, ADMIN, (req, res) => showChoice(app, req, res)),
    page(MERGE, ADMIN, (req, res) => showPreview(app, req, res)),
    post(MERGE, ADMIN, (req, res) => merge(app, req, res)),
    page(`${MERGE}/progress`, ADMIN, (req, res) => showProgress(app, req, res)),
  );

const buildProviderPath = (provider: ProviderListing): string =>
  `${PROVIDERS}/${provider.providerId}`;

/** @throws PageProblem 404 */
const findProvider = (
  providers: readonly ProviderListing[],
  req: Request,
  name: string,
): ProviderListing => {
  const provider = providers.find(({ providerId }) => providerId === req.params[name]);
  if (provider === undefined) throw pageNotFound();
  return provider;
};

const isUnmerged = ({ providerId, survivorId }: ProviderListing): boolean =>
  providerId === survivorId;

const listMerged = (providers: readonly ProviderListing[], survivor: ProviderListing) =>
  groupMerged(providers).get(survivor.providerId) ?? [];

/** Providers that were merged, by their survivor. */
const groupMerged = (
  providers: readonly ProviderListing[],
): ReadonlyMap<string, readonly ProviderListing[]> => {
  const merged = new Map<string, ProviderListing[]>();
  for (const one of providers) {
    if (isUnmerged(one)) continue;
    const others = merged.get(one.survivorId);
    if (others === undefined) merged.set(one.survivorId, [one]);
    else others.push(one);
  }
  return merged;
};

const showList = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const { practiceId } = getSeat(res);
  const words = createSearchSealer(app);
  const inAddress = readTypedSearch(readQueryText(req, 'q'));
  if (inAddress !== '') {
    return redirect(buildProvidersPath(words.seal(req, res, inAddress), 1));
  }
  const search = await words.read(req, res);
  const all = await app.reads.findProviders(practiceId);
  const merged = groupMerged(all);
  const survivors = all.filter(isUnmerged).map((provider) => ({
    provider,
    alsoKnownAs: merged.get(provider.providerId) ?? [],
  }));
  const prefixes = parseSearchWords(search.text);
  const matching = survivors.filter(({ provider, alsoKnownAs }) =>
    isMatch([provider, ...alsoKnownAs], prefixes),
  );
  const { rows: pageRows, ...place } = slicePage(matching, readPageNumber(req), PER_PAGE);
  const counts = await app.reads.countParts(
    practiceId,
    pageRows.map(({ provider }) => provider.providerId),
  );
  return {
    title: 'Providers',
    children: (
      <ProviderList
        providers={pageRows.map((one) => ({
          ...one,
          counts: counts.get(one.provider.providerId) ?? { attendant: 0, certifier: 0 },
        }))}
        total={survivors.length}
        matching={matching.length}
        search={search}
        {...place}
      />
    ),
  };
};

/** Each search word must begin a word of the name, id, NPI, or credentials of any identity. */
const isMatch = (identities: readonly ProviderListing[], prefixes: readonly string[]): boolean => {
  const words = identities.flatMap(({ name, identity, npi, credentials }) =>
    listSearchableWords([name, identity, npi, credentials].join(' ')),
  );
  return prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)));
};

const showProvider = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const { practiceId, role } = getSeat(res);
  const all = await app.reads.findProviders(practiceId);
  const provider = findProvider(all, req, 'id');
  if (!isUnmerged(provider)) {
    const survivor = all.find(({ providerId }) => providerId === provider.survivorId);
    if (survivor === undefined) throw pageNotFound();
    const absorbed = `${formatProviderName(provider)} (${provider.identity})`;
    const message = describeMerge(absorbed, formatProviderName(survivor));
    return redirect(buildProviderPath(survivor), message, 'info');
  }
  const { providerId, partnerId } = provider;
  const [counts, records, history] = await Promise.all([
    app.reads.countParts(practiceId, [providerId]),
    app.reads.countCareer(practiceId, providerId),
    findProviderHistory(app, { practiceId, partnerId, providerId }),
  ]);
  const pages = Math.max(1, Math.ceil(records / PER_PAGE));
  const current = Math.min(readPageNumber(req), pages);
  const part = { most: PER_PAGE, skip: (current - 1) * PER_PAGE };
  const career = await app.reads.findCareerLines(practiceId, providerId, part);
  await noteCareer(app, res, career);
  return {
    title: formatProviderName(provider),
    tabTitle: 'Provider',
    action:
      role === 'Admin' ? (
        <a class="usa-button usa-button--outline" href={`${buildProviderPath(provider)}/merge`}>
          Merge into…
        </a>
      ) : undefined,
    children: (
      <ProviderPage
        provider={provider}
        records={records}
        history={history}
        page={current}
        pages={pages}
        career={career}
        alsoKnownAs={listMerged(all, provider)}
        counts={counts.get(providerId) ?? { attendant: 0, certifier: 0 }}
      />
    ),
  };
};

const noteCareer = (app: App, res: Response, lines: readonly CareerLine[]): Promise<void> =>
  noteRecordsShown(app, res, {
    place: 'provider',
    recordIds: lines.map((line) => line.submissionUuid),
  });

const showChoice = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const all = await app.reads.findProviders(getSeat(res).practiceId);
  const absorbed = findProvider(all, req, 'id');
  if (!isUnmerged(absorbed)) {
    return redirect(buildProviderPath(absorbed));
  }
  const candidates = all.filter(
    (one) => isUnmerged(one) && findMergeRefusal(absorbed, one) === null,
  );
  return {
    title: `Merge ${formatProviderName(absorbed)}`,
    tabTitle: 'Merge a provider',
    children: (
      <MergeChoice
        absorbed={absorbed}
        candidates={slicePage(listCandidates(absorbed, candidates), readPageNumber(req), PER_PAGE)}
      />
    ),
  };
};

/** Reason that two providers cannot be merged; `null` if they can. */
const findMergeRefusal = (absorbed: ProviderListing, survivor: ProviderListing): string | null => {
  if (absorbed.providerId === survivor.providerId) return SAME_PROVIDER_MESSAGE;
  if (absorbed.partnerId !== survivor.partnerId) return TWO_PARTNERS_MESSAGE;
  if (!isUnmerged(survivor)) return describeMergedSurvivor(formatProviderName(survivor));
  return null;
};

/** @throws PageProblem 404, or 409 if they cannot be merged */
const findSides = async (app: App, req: Request, res: Response) => {
  const all = await app.reads.findProviders(getSeat(res).practiceId);
  const absorbed = findProvider(all, req, 'id');
  const survivor = findProvider(all, req, 'survivor');
  const reason =
    absorbed.mergedInto !== null && absorbed.mergedInto !== survivor.providerId
      ? describeEarlierMerge(formatProviderName(absorbed))
      : findMergeRefusal(absorbed, survivor);
  if (reason !== null) throw mergeNotPossible(reason);
  return { all, absorbed, survivor };
};

const mergeNotPossible = (reason: string): PageProblem =>
  new PageProblem(409, 'These providers cannot be merged', reason);

const showPreview = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const { practiceId } = getSeat(res);
  const { all, absorbed, survivor } = await findSides(app, req, res);
  if (!isUnmerged(absorbed)) {
    return redirect(buildProviderPath(absorbed));
  }
  const [reach, lines] = await Promise.all([
    app.reads.findMergeImpact(practiceId, absorbed.providerId),
    app.reads.findCareerLines(practiceId, absorbed.providerId, { most: EXAMPLES, skip: 0 }),
  ]);
  // A merge only updates current parts.
  const examples = lines.filter((line) => listPresentParts(line.parts).length > 0);
  await noteCareer(app, res, examples);
  const { absorbedName, survivorName } = listNames(absorbed, survivor);
  const following = listMerged(all, absorbed);
  return {
    title: `Merge ${absorbedName} into ${survivorName}`,
    tabTitle: 'Merge a provider',
    children: (
      <MergePreview
        absorbed={absorbed}
        survivor={survivor}
        reach={reach}
        examples={examples}
        following={following}
      />
    ),
  };
};

const merge = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const { practiceId } = getSeat(res);
  const { absorbed, survivor } = await findSides(app, req, res);
  const { absorbedName, survivorName } = listNames(absorbed, survivor);
  const { records } = await app.reads.findMergeImpact(practiceId, absorbed.providerId);
  const { providers } = createPageCommands(app, res);
  const begin = () =>
    providers.merge({
      practiceId,
      absorbed: absorbed.providerId,
      survivor: survivor.providerId,
    });
  const merging = begin();
  const here = `${buildProviderPath(absorbed)}/merge/${survivor.providerId}`;
  const progress = `${here}/progress?of=${records}`;
  try {
    const repointed = await withTimeout(PATIENCE_MS, nullIfLeaseUnavailable(merging));
    if (repointed === TIMED_OUT) {
      completeMerge(merging, begin).catch(
        app.onFault(
          'A merge of providers stopped midway. Its page or the same command resumes it.',
        ),
      );
      return redirect(progress);
    }
    if (repointed === null) {
      // A merge that lost its lease midway resumes; it does not restart.
      const hasBegun = !isUnmerged((await findSides(app, req, res)).absorbed);
      return hasBegun
        ? redirect(progress, CUT_SHORT, 'warning')
        : redirect(here, NOT_BEGUN, 'warning');
    }
    const message = `${absorbedName} was merged into ${survivorName}. ${describeMerged(repointed, survivorName)}`;
    return redirect(buildProviderPath(survivor), message);
  } catch (error) {
    if (error instanceof CommandRefused)
      throw mergeNotPossible(
        'Someone else merged one of the two in the meantime. Review both again.',
      );
    throw error;
  }
};

/** At ten seconds of waiting for the lease per attempt, about five minutes. */
const MAX_TRIES = 30;

/** Keeps a merge running in the background, even if the lease was busy or lost. */
const completeMerge = async (
  merging: Promise<number>,
  again: () => Promise<number>,
): Promise<void> => {
  let current = merging;
  for (let tries = 1; tries < MAX_TRIES; tries += 1) {
    if ((await nullIfLeaseUnavailable(current)) !== null) return;
    current = again();
  }
  await current;
};

const NOT_BEGUN =
  'Your practice is saving many records right now, so the merge didn’t start. Try again in a moment.';
const CUT_SHORT =
  'Your practice is saving many records right now, so the merge stopped partway. Select Resume merge in a moment.';

const showProgress = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const { practiceId } = getSeat(res);
  const { absorbed, survivor } = await findSides(app, req, res);
  const { absorbedName, survivorName } = listNames(absorbed, survivor);
  const hasBegun = !isUnmerged(absorbed);
  const left = hasBegun
    ? await app.reads.countLeftToRepoint(practiceId, survivor.providerId)
    : null;
  if (left === 0) {
    return redirect(
      buildProviderPath(survivor),
      `${absorbedName} was merged into ${survivorName}.`,
    );
  }
  const before = Number(readQueryText(req, 'of'));
  const total = Number.isInteger(before) ? before : 0;
  // Refreshes without script, too.
  res.set('Refresh', String(POLL_INTERVAL_SECONDS));
  return {
    title: `Merging ${absorbedName}`,
    tabTitle: 'Merging a provider',
    children: <MergeProgress absorbed={absorbed} survivor={survivor} total={total} left={left} />,
  };
};
