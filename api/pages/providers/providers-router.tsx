import type { Request, Response, Router } from 'express';
import { listSearchableWords, parseSearchWords } from '../../../domain/course/search-words.ts';
import { numberInWords } from '../../../domain/format-measures.ts';
import type { ProviderListing } from '../../../projections/lists/providers.ts';
import type { App } from '../../ports/app-ports.ts';
import { readFormText, readQueryText } from '../../web/form-body.ts';
import { getSeat, requireAdmin, requireReader } from '../../web/guards/seats.ts';
import { readPageNumber, slicePage } from '../../web/page-number.ts';
import { createSearchSealer, readTypedSearch, SEARCH_PARAMETER } from '../../web/sealed-search.ts';
import { DataTable } from '../layout/data-table.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { Form } from '../layout/form.tsx';
import { Pagination } from '../layout/pagination.tsx';
import { createRouter, page, post, type Reply, redirect } from '../layout/routes.tsx';
import { SearchExpired } from '../layout/search-expired.tsx';
import { buildProviderPath, isUnmerged, PER_PAGE, PROVIDERS } from './find-providers.ts';
import { showChoice } from './merge-choice.tsx';
import { merge, showPreview } from './merge-preview.tsx';
import { showProgress } from './merge-progress.tsx';
import { showProvider } from './provider-page.tsx';
import { formatIdentities, formatProviderName, ProviderRole } from './provider-text.tsx';

const MERGE = `${PROVIDERS}/:id/merge/:survivor`;

export const providersRouter = (app: App): Router =>
  createRouter(
    page(PROVIDERS, requireReader, (req, res) => showList(app, req, res)),
    post(PROVIDERS, requireReader, (req, res) => {
      const search = readTypedSearch(readFormText(req, 'q'));
      const sealed = createSearchSealer(app).seal(req, res, search);
      return redirect(buildProvidersPath(sealed, 1));
    }),
    page(`${PROVIDERS}/:id`, requireReader, (req, res) => showProvider(app, req, res)),
    page(`${PROVIDERS}/:id/merge`, requireAdmin, (req, res) => showChoice(app, req, res)),
    page(MERGE, requireAdmin, (req, res) => showPreview(app, req, res)),
    post(MERGE, requireAdmin, (req, res) => merge(app, req, res)),
    page(`${MERGE}/progress`, requireAdmin, (req, res) => showProgress(app, req, res)),
  );

const showList = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const { practiceId } = getSeat(res);
  const words = createSearchSealer(app);
  const inAddress = readTypedSearch(readQueryText(req, 'q'));
  if (inAddress !== '') return redirect(buildProvidersPath(words.seal(req, res, inAddress), 1));
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
  const { rows, ...place } = slicePage(matching, readPageNumber(req), PER_PAGE);
  const counts = await app.reads.countParts(
    practiceId,
    rows.map(({ provider }) => provider.providerId),
  );
  const providers = rows.map((one) => ({
    ...one,
    counts: counts.get(one.provider.providerId) ?? { attendant: 0, certifier: 0 },
  }));
  const isSearched = survivors.length > PER_PAGE || search.text !== '';
  return {
    title: 'Providers',
    children:
      survivors.length === 0 ? (
        <EmptyState id="no-providers">
          No providers yet. They appear here when a partner EHR sends births with the name of the
          person who attended or certified them.
        </EmptyState>
      ) : (
        <>
          {search.isExpired && <SearchExpired />}
          {isSearched && <ProviderSearch query={search.text} />}
          {matching.length === 0 ? (
            <EmptyState id="no-matches" links={[{ href: PROVIDERS, text: 'Show all providers' }]}>
              No matches. Try fewer letters.
            </EmptyState>
          ) : (
            <DataTable
              caption="Providers named by partners, with their active records"
              captionHidden
              rows={providers}
              keyOf={({ provider }) => provider.providerId}
              columns={[
                {
                  heading: 'Provider',
                  namesRow: true,
                  cell: ({ provider, alsoKnownAs }) => (
                    <>
                      <a href={buildProviderPath(provider)}>{formatProviderName(provider)}</a>
                      {alsoKnownAs.length > 0 && (
                        <span class="beneath">also known as {formatIdentities(alsoKnownAs)}</span>
                      )}
                    </>
                  ),
                },
                {
                  heading: 'Role',
                  cell: ({ provider }) => <ProviderRole {...provider} />,
                },
                {
                  heading: 'Source',
                  cell: ({ provider: { partnerName, identity } }) => (
                    <>
                      {partnerName ?? 'A partner'} <span class="beneath">as {identity}</span>
                    </>
                  ),
                },
                {
                  heading: 'NPI',
                  cell: ({ provider }) => <span class="text-no-wrap">{provider.npi ?? '–'}</span>,
                },
                {
                  heading: 'Attended',
                  figures: true,
                  cell: ({ counts }) => numberInWords(counts.attendant),
                },
                {
                  heading: 'Certified',
                  figures: true,
                  cell: ({ counts }) => numberInWords(counts.certifier),
                },
              ]}
            />
          )}
          <Pagination
            {...place}
            of="providers"
            href={(to) => buildProvidersPath(search.sealed, to)}
          />
        </>
      ),
  };
};

/** @param sealed encrypted search text; empty if none */
const buildProvidersPath = (sealed: string, page: number): string => {
  const parameters = new URLSearchParams({
    ...(sealed === '' ? {} : { [SEARCH_PARAMETER]: sealed }),
    ...(page === 1 ? {} : { page: String(page) }),
  }).toString();
  return parameters === '' ? PROVIDERS : `${PROVIDERS}?${parameters}`;
};

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

/** Each search word must begin a word of the name, id, NPI, or credentials of any identity. */
const isMatch = (identities: readonly ProviderListing[], prefixes: readonly string[]): boolean => {
  const words = identities.flatMap(({ name, identity, npi, credentials }) =>
    listSearchableWords([name, identity, npi, credentials].join(' ')),
  );
  return prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)));
};

const ProviderSearch = ({ query }: { readonly query: string }) => (
  <Form
    action={PROVIDERS}
    class="search-line cluster cluster--close flex-align-end margin-bottom-3"
  >
    <label class="usa-label width-full" for="field-q">
      Name, identifier or NPI
    </label>
    <input class="usa-input field" id="field-q" name="q" type="search" value={query} />
    <button type="submit" class="usa-button usa-button--outline">
      Find providers
    </button>
  </Form>
);
