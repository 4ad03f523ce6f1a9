import type { Request, Response } from 'express';
import { Fragment } from 'preact';
import { isKnown, type StoredEvent } from '../../../domain/event-log.ts';
import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import type { ProviderDetails } from '../../../domain/provider/details.ts';
import type { MergesEvent, ProviderEvent } from '../../../domain/provider/events.ts';
import { mergesStream, providerStream } from '../../../domain/stream-names.ts';
import type { CareerLine, ProviderListing } from '../../../projections/lists/providers.ts';
import type { App } from '../../ports/app-ports.ts';
import { getSeat } from '../../web/guards/seats.ts';
import { readPageNumber } from '../../web/page-number.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { DataTable } from '../layout/data-table.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { Facts } from '../layout/facts.tsx';
import { useFrame } from '../layout/frame-context.ts';
import { Pagination } from '../layout/pagination.tsx';
import { RecordLink } from '../layout/record-link.tsx';
import { type Reply, redirect } from '../layout/routes.tsx';
import { Section } from '../layout/section.tsx';
import { Time } from '../layout/time.tsx';
import { formatDate, formatMonth } from '../text/format-dates.ts';
import {
  buildProviderPath,
  findProvider,
  isUnmerged,
  listMerged,
  noteCareer,
  PER_PAGE,
} from './find-providers.ts';
import {
  formatCareer,
  formatDay,
  formatIdentities,
  formatProviderName,
  ROLE_TEXT,
} from './provider-text.tsx';

export const showProvider = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const { practiceId, role } = getSeat(res);
  const all = await app.reads.findProviders(practiceId);
  const provider = findProvider(all, req, 'id');
  if (!isUnmerged(provider)) {
    const survivor = all.find(({ providerId }) => providerId === provider.survivorId);
    if (survivor === undefined) throw pageNotFound();
    const absorbed = `${formatProviderName(provider)} (${provider.identity})`;
    const name = formatProviderName(survivor);
    const text = `${absorbed} was merged into ${name}. This is ${name}’s page.`;
    return redirect(buildProviderPath(survivor), { id: 'merged-into', text }, 'info');
  }
  const { providerId, partnerId } = provider;
  const alsoKnownAs = listMerged(all, provider);
  const [parts, records, history] = await Promise.all([
    app.reads.countParts(practiceId, [providerId]),
    app.reads.countCareer(practiceId, providerId),
    findProviderHistory(app, { practiceId, partnerId, providerId }),
  ]);
  const pages = Math.max(1, Math.ceil(records / PER_PAGE));
  const current = Math.min(readPageNumber(req), pages);
  const part = { most: PER_PAGE, skip: (current - 1) * PER_PAGE };
  const career = await app.reads.findCareerLines(practiceId, providerId, part);
  await noteCareer(app, res, career);
  const counts = parts.get(providerId);
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
      <>
        <Facts
          ruled
          of={[
            ['Role', ROLE_TEXT[provider.role]],
            ['Credentials', provider.credentials ?? '–'],
            ['NPI', provider.npi ?? '–'],
            ['Source', `${provider.partnerName ?? 'A partner'} as ${provider.identity}`],
            alsoKnownAs.length > 0 && ['Also known as', formatIdentities(alsoKnownAs)],
            ['First named', <Time key="first" at={provider.identifiedAt} />],
            ['Births attended', numberInWords(counts?.attendant ?? 0)],
            ['Births certified', numberInWords(counts?.certifier ?? 0)],
          ]}
        />
        <Section id="career-log" heading="Career log">
          {records === 0 ? (
            <EmptyState>
              No births yet. A birth appears here when the partner names this provider as its
              attendant or certifier.
            </EmptyState>
          ) : (
            <p class="quiet">
              {countInWords(records, 'record')}, by date received, without voided records. A part
              that later went to another provider is marked as replaced and isn’t counted above.
            </p>
          )}
          <Months provider={provider} alsoKnownAs={alsoKnownAs} career={career} />
          <Pagination
            page={current}
            pages={pages}
            of="the career log"
            href={(to) => `${buildProviderPath(provider)}?page=${to}`}
          />
        </Section>
        <Section id="provider-history" heading="History">
          <ol class="summary-list usa-list--unstyled">
            {history.map((change, index) => (
              <li key={`${change.at.toISOString()} ${index}`}>
                <Time at={change.at} />
                <span>
                  {change.kind === 'merge'
                    ? formatMerge(change, alsoKnownAs)
                    : formatDetail(change, findEarlier(history, index))}
                </span>
              </li>
            ))}
          </ol>
        </Section>
      </>
    ),
  };
};

/** The career log, by month. */
const Months = ({
  provider,
  alsoKnownAs,
  career,
}: {
  readonly provider: ProviderListing;
  readonly alsoKnownAs: readonly ProviderListing[];
  readonly career: readonly CareerLine[];
}) => {
  const { timeZone } = useFrame();
  const findName = (id: string) => {
    const known = alsoKnownAs.find(({ providerId }) => providerId === id);
    return known === undefined
      ? 'another name'
      : `${formatProviderName(known)} (${known.identity})`;
  };
  const others = (line: CareerLine) => [
    ...new Set(
      line.parts.flatMap(({ namedId }) => (namedId === provider.providerId ? [] : namedId)),
    ),
  ];
  const months = new Map<string, CareerLine[]>();
  for (const line of career) {
    const month = formatDay(line.at, timeZone).slice(0, 'YYYY-MM'.length);
    months.set(month, [...(months.get(month) ?? []), line]);
  }
  return [...months].map(([key, lines]) => {
    const month = formatMonth(key);
    const namedOtherwise = lines.some((line) => others(line).length > 0);
    return (
      <Fragment key={key}>
        <h3>{month}</h3>
        <DataTable
          caption={`Births received in ${month}`}
          captionHidden
          rows={lines}
          keyOf={({ submissionUuid }) => submissionUuid}
          columns={[
            { heading: 'Day', cell: ({ at }) => formatDate(formatDay(at, timeZone)) },
            {
              heading: 'Chart number',
              namesRow: true,
              cell: ({ submissionUuid, chartNumber }) => (
                <RecordLink id={submissionUuid}>{chartNumber ?? 'None'}</RecordLink>
              ),
            },
            { heading: 'Part', cell: ({ parts: had }) => formatCareer(had, timeZone) },
            { heading: 'Place of birth', cell: ({ place }) => place ?? '–' },
            { heading: 'Born', cell: ({ born }) => (born === null ? '–' : formatDate(born)) },
            ...(namedOtherwise
              ? [
                  {
                    heading: 'Named as',
                    cell: (line: CareerLine) => others(line).map(findName).join(', ') || '–',
                  },
                ]
              : []),
          ]}
        />
      </Fragment>
    );
  });
};

type ProviderChange =
  | { readonly kind: 'details'; readonly at: Date; readonly details: ProviderDetails }
  | {
      readonly kind: 'merge';
      readonly at: Date;
      readonly absorbedId: string;
      /** Name of the member who merged; `null` for service staff. */
      readonly by: string | null;
    };

/** Latest first. */
const findProviderHistory = async (
  { log, identity, reads }: App,
  {
    practiceId,
    partnerId,
    providerId,
  }: Pick<ProviderListing, 'partnerId' | 'providerId'> & {
    readonly practiceId: string;
  },
): Promise<readonly ProviderChange[]> => {
  const [changes, merges] = await Promise.all([
    log.readStream(providerStream(providerId)),
    log.readStream(mergesStream(identity.mergesHash(practiceId, partnerId))),
  ]);
  const own = merges
    .filter(isKnown)
    .filter(({ event }) => (event as MergesEvent).data.survivor === providerId);
  const actors = own.map(({ metadata: { actor } }) => actor);
  const names = await reads.findActorNames(practiceId, actors);
  const toMerge = ({ event, metadata }: StoredEvent): ProviderChange => ({
    kind: 'merge',
    at: new Date(metadata.recordedAt),
    absorbedId: (event as MergesEvent).data.absorbed,
    by: names.get(`${metadata.actor.kind}:${metadata.actor.id}`)?.name ?? null,
  });
  return [...changes.filter(isKnown).map(toDetails), ...own.map(toMerge)].sort(
    (a, b) => b.at.getTime() - a.at.getTime(),
  );
};

const toDetails = ({ event, metadata }: StoredEvent): ProviderChange => ({
  kind: 'details',
  at: new Date(metadata.recordedAt),
  details: (event as ProviderEvent).data,
});

const formatMerge = (
  { absorbedId, by }: Extract<ProviderChange, { kind: 'merge' }>,
  alsoKnownAs: readonly ProviderListing[],
): string => {
  const absorbed = alsoKnownAs.find(({ providerId }) => providerId === absorbedId);
  const name =
    absorbed === undefined
      ? 'Another identity'
      : `${formatProviderName(absorbed)} (${absorbed.identity})`;
  return `${name} was merged into this provider by ${by ?? 'service staff'}.`;
};

type DetailsChange = Extract<ProviderChange, { kind: 'details' }>;

const findEarlier = (
  history: readonly ProviderChange[],
  index: number,
): DetailsChange | undefined =>
  history.slice(index + 1).find((change): change is DetailsChange => change.kind === 'details');

const formatDetail = ({ details }: DetailsChange, earlier: DetailsChange | undefined): string => {
  const values = [
    ['Name', details.name, earlier?.details.name],
    ['Credentials', details.credentials, earlier?.details.credentials],
    ['Role', ROLE_TEXT[details.role], earlier && ROLE_TEXT[earlier.details.role]],
    ['NPI', details.npi, earlier?.details.npi],
  ] as const;
  if (earlier === undefined)
    return `First named: ${values
      .filter(([, value]) => value !== null)
      .map(
        ([what, value]) => `${what.toLowerCase() === 'npi' ? what : what.toLowerCase()} ${value}`,
      )
      .join(', ')}.`;
  const changes = values.filter(([, now, before]) => now !== before);
  return changes
    .map(
      ([what, now, before]) =>
        `${what}: from ${before ?? 'not recorded'} to ${now ?? 'not recorded'}.`,
    )
    .join(' ');
};
