import type { ComponentChildren } from 'preact';
import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import type {
  CareerLine,
  PartCounts,
  ProviderListing,
} from '../../../projections/lists/providers.ts';
import { DataTable } from '../layout/data-table.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { useFrame } from '../layout/frame-context.ts';
import { Pagination } from '../layout/pagination.tsx';
import { RecordLink } from '../layout/record-link.tsx';
import { Section } from '../layout/section.tsx';
import { Time } from '../layout/time.tsx';
import { formatDate, formatMonth } from '../text/format-dates.ts';
import type { ProviderChange } from './provider-history.ts';
import {
  formatCareer,
  formatDay,
  formatIdentities,
  formatProviderName,
  ROLE_TEXT,
} from './provider-text.ts';

export interface ProviderPageProps {
  readonly provider: ProviderListing;
  readonly alsoKnownAs: readonly ProviderListing[];
  readonly counts: PartCounts;
  /** Page of the career log, latest first. */
  readonly career: readonly CareerLine[];
  readonly records: number;
  readonly history: readonly ProviderChange[];
  readonly page: number;
  readonly pages: number;
}

export const ProviderPage = (props: ProviderPageProps) => (
  <>
    <Details {...props} />
    <CareerLog {...props} />
    <ProviderHistory {...props} />
  </>
);

const Details = ({ provider, alsoKnownAs, counts }: ProviderPageProps) => (
  <dl class="summary-list">
    <Fact name="Role">{ROLE_TEXT[provider.role]}</Fact>
    <Fact name="Credentials">{provider.credentials ?? '–'}</Fact>
    <Fact name="NPI">{provider.npi ?? '–'}</Fact>
    <Fact name="Source">
      {provider.partnerName ?? 'A partner'} as {provider.identity}
    </Fact>
    {alsoKnownAs.length > 0 && <Fact name="Also known as">{formatIdentities(alsoKnownAs)}</Fact>}
    <Fact name="First named">
      <Time at={provider.identifiedAt} />
    </Fact>
    <Fact name="Births attended">{numberInWords(counts.attendant)}</Fact>
    <Fact name="Births certified">{numberInWords(counts.certifier)}</Fact>
  </dl>
);

const Fact = ({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const CareerLog = (props: ProviderPageProps) => {
  const { provider, career, records, page, pages } = props;
  const { timeZone } = useFrame();
  const months = new Map<string, CareerLine[]>();
  for (const line of career) {
    const month = formatDay(line.at, timeZone).slice(0, 'YYYY-MM'.length);
    months.set(month, [...(months.get(month) ?? []), line]);
  }
  return (
    <Section id="career-log" heading="Career log">
      {records === 0 ? (
        <EmptyState>
          No births yet. A birth appears here when the partner names this provider as its attendant
          or certifier.
        </EmptyState>
      ) : (
        <p class="quiet">
          {countInWords(records, 'record')}, by date received, without voided records. A part that
          later went to another provider is marked as replaced and isn’t counted above.
        </p>
      )}
      {[...months].map(([month, lines]) => (
        <Month key={month} {...props} month={formatMonth(month)} career={lines} />
      ))}
      <Pagination
        page={page}
        pages={pages}
        of="the career log"
        href={(to) => `/registry/providers/${provider.providerId}?page=${to}`}
      />
    </Section>
  );
};

const Month = (props: ProviderPageProps & { readonly month: string }) => {
  const { provider, alsoKnownAs, month, career } = props;
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
  const namedOtherwise = career.some((line) => others(line).length > 0);
  return (
    <>
      <h3>{month}</h3>
      <DataTable
        caption={`Births received in ${month}`}
        captionHidden
        rows={career}
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
    </>
  );
};

const ProviderHistory = ({ history, alsoKnownAs }: ProviderPageProps) => (
  <Section id="provider-history" heading="History">
    <ol class="summary-list usa-list--unstyled">
      {history.map((change, index) => (
        <li key={`${change.at.toISOString()} ${index}`}>
          <Time at={change.at} />
          <span>
            {change.kind === 'merge' ? (
              <MergeText change={change} alsoKnownAs={alsoKnownAs} />
            ) : (
              formatDetail(change, findEarlier(history, index))
            )}
          </span>
        </li>
      ))}
    </ol>
  </Section>
);

export const describeMerger = (by: string): string => `was merged into this provider by ${by}.`;

type DetailsChange = Extract<ProviderChange, { kind: 'details' }>;

const findEarlier = (
  history: readonly ProviderChange[],
  index: number,
): DetailsChange | undefined =>
  history.slice(index + 1).find((change): change is DetailsChange => change.kind === 'details');

const MergeText = ({
  change,
  alsoKnownAs,
}: {
  readonly change: Extract<ProviderChange, { kind: 'merge' }>;
  readonly alsoKnownAs: readonly ProviderListing[];
}) => {
  const absorbed = alsoKnownAs.find(({ providerId }) => providerId === change.absorbedId);
  return (
    <>
      {absorbed === undefined
        ? 'Another identity'
        : `${formatProviderName(absorbed)} (${absorbed.identity})`}{' '}
      {describeMerger(change.by ?? 'support staff')}
    </>
  );
};

export const describeDetail = (what: string, before: string | null, now: string | null): string =>
  `${what}: from ${before ?? 'not recorded'} to ${now ?? 'not recorded'}.`;

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
  return changes.map(([what, now, before]) => describeDetail(what, before ?? null, now)).join(' ');
};
