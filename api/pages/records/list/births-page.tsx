import { birthWeightInWords, countInWords } from '../../../../domain/format-measures.ts';
import type { BirthLine } from '../../../../projections/lists/records.ts';
import { DataTable } from '../../layout/data-table.tsx';
import { EmptyState } from '../../layout/empty-state.tsx';
import { NO_BIRTHS, NO_BIRTHS_TO_READ, NoRecordsYet } from '../../layout/no-records-yet.tsx';
import { Pagination } from '../../layout/pagination.tsx';
import { RecordLink } from '../../layout/record-link.tsx';
import { BornOn, FetalDeathTag } from '../../layout/record-rows.tsx';
import { Section } from '../../layout/section.tsx';
import { SelectField } from '../../layout/select-field.tsx';
import { formatMonth } from '../../text/format-dates.ts';
import { formatMother } from '../../text/record-titles.ts';

export const BIRTHS = '/registry/births';

export interface BirthsPageProps {
  readonly births: readonly BirthLine[];
  readonly found: number;
  /** True if counting stopped at a limit. */
  readonly isMore: boolean;
  /** First and last year of birth; `null` if no birth has a date. */
  readonly years: { readonly first: number; readonly last: number } | null;
  readonly year: number | null;
  readonly page: number;
  readonly pages: number;
  readonly href: (page: number) => string;
  readonly mayEnter: boolean;
}

export const describeNoBirth = (year: number | null): string => `No births in ${year}.`;

export const describeBirths = ({
  found,
  isMore,
  year,
}: Pick<BirthsPageProps, 'found' | 'isMore' | 'year'>): string =>
  `${isMore ? 'More than ' : ''}${countInWords(found, 'record')}${year === null ? '' : ` from ${year}`}, most recent births first`;

/** Latest month first, without voided records. */
export const BirthsPage = (props: BirthsPageProps) => {
  const { births, found, years, year, page, pages, href, mayEnter } = props;
  if (found === 0 && year === null)
    return (
      <NoRecordsYet mayEnter={mayEnter} invitation={NO_BIRTHS}>
        {NO_BIRTHS_TO_READ}
      </NoRecordsYet>
    );
  return (
    <>
      {years !== null && <YearForm years={years} year={year} />}
      {found === 0 ? (
        <EmptyState links={[{ href: BIRTHS, text: 'Show all births' }]}>
          {describeNoBirth(year)}
        </EmptyState>
      ) : (
        <p class="quiet" role="status">
          {describeBirths(props)}
        </p>
      )}
      {groupByMonth(births).map(({ key, heading, lines }) => (
        <Section id={`born-${key}`} heading={heading} key={key} class="births">
          <BirthTable caption={`Births, ${heading}`} births={lines} />
        </Section>
      ))}
      <Pagination page={page} pages={pages} of="Births" href={href} />
    </>
  );
};

/** Older years are left out: a mistyped date of birth would otherwise list thousands. */
const MAX_YEARS = 150;

const YearForm = ({
  years,
  year,
}: Pick<BirthsPageProps, 'year'> & { years: { first: number; last: number } }) => {
  const count = Math.min(MAX_YEARS, years.last - years.first + 1);
  const choices = Array.from({ length: count }, (_, index) => {
    const text = String(years.last - index);
    return { value: text, text };
  });
  return (
    <form method="get" action={BIRTHS} class="search cluster flex-align-end margin-bottom-205">
      <SelectField
        name="year"
        label="Year"
        choices={choices}
        value={year === null ? '' : String(year)}
        empty="All years"
      />
      <button type="submit" class="usa-button usa-button--outline">
        Show births
      </button>
    </form>
  );
};

const BirthTable = ({
  caption,
  births,
}: {
  readonly caption: string;
  readonly births: readonly BirthLine[];
}) => (
  <DataTable
    caption={caption}
    captionHidden
    rows={births}
    keyOf={({ submissionUuid }) => submissionUuid}
    columns={[
      {
        heading: 'Born',
        cell: (birth) => (
          <>
            <BornOn record={birth} />
            <FetalDeathTag record={birth} />
          </>
        ),
      },
      {
        heading: 'Mother',
        namesRow: true,
        cell: (birth) => <RecordLink id={birth.submissionUuid}>{formatMother(birth)}</RecordLink>,
      },
      {
        heading: 'Children',
        cell: ({ children, childNames }) =>
          childNames ?? countInWords(children, 'child', 'children'),
      },
      { heading: 'Place', cell: ({ place }) => place ?? 'Not recorded' },
      {
        heading: 'Birth weight',
        figures: true,
        cell: ({ weights }) =>
          weights.map((grams, index) => (
            <span key={index} class="display-block text-no-wrap">
              {grams === null ? '–' : birthWeightInWords(grams)}
            </span>
          )),
      },
      { heading: 'Chart number', cell: ({ chartNumber }) => chartNumber ?? 'None' },
    ]}
  />
);

const MONTH_LENGTH = 7;

/** Keeps their order; births with only a year have their own group. */
const groupByMonth = (births: readonly BirthLine[]) => {
  const groups = new Map<string, BirthLine[]>();
  for (const birth of births) {
    const key = birth.born?.slice(0, MONTH_LENGTH) ?? 'undated';
    groups.set(key, [...(groups.get(key) ?? []), birth]);
  }
  return [...groups].map(([key, lines]) => ({ key, heading: formatHeading(key), lines }));
};

const formatHeading = (key: string): string => {
  if (key === 'undated') return 'Without a birth date';
  return key.length === MONTH_LENGTH ? formatMonth(key) : `${key}, exact date unknown`;
};
