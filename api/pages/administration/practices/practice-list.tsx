import type { ListedPractice } from '../../../../projections/lists/organizations.ts';
import { DataTable } from '../../layout/data-table.tsx';
import { EmptyState } from '../../layout/empty-state.tsx';
import { Pagination } from '../../layout/pagination.tsx';
import { Tag } from '../../layout/tag.tsx';

export const NO_PRACTICE_FOUND = 'No practice has this in its name.';

export interface PracticeListProps {
  readonly practices: readonly ListedPractice[];
  readonly text: string;
  readonly page: number;
  readonly pages: number;
}

export const PracticeList = ({ practices, text, page, pages }: PracticeListProps) => (
  <>
    <form
      method="get"
      action="/staff/practices"
      class="search-line cluster cluster--close flex-align-end margin-bottom-3"
    >
      <label class="usa-label width-full" for="field-q">
        Name
      </label>
      <input class="usa-input field" id="field-q" name="q" type="search" value={text} />
      <button type="submit" class="usa-button usa-button--outline">
        Find practices
      </button>
    </form>
    {practices.length === 0 ? (
      <NoPractice text={text} />
    ) : (
      <DataTable
        caption="Practices"
        captionHidden
        rows={practices}
        keyOf={({ practiceId }) => practiceId}
        columns={[
          {
            heading: 'Practice',
            namesRow: true,
            cell: ({ practiceId, name }) => <a href={`/staff/practices/${practiceId}`}>{name}</a>,
          },
          { heading: 'Kind', cell: ({ sandbox }) => (sandbox ? <Tag kind="sandbox" /> : 'Real') },
          { heading: 'Beta', cell: ({ beta }) => (beta ? 'In the beta' : 'Outside') },
          { heading: 'Members', figures: true, cell: ({ members }) => members },
          { heading: 'Active keys', figures: true, cell: ({ liveKeys }) => liveKeys },
        ]}
      />
    )}
    <Pagination
      page={page}
      pages={pages}
      of="practices"
      href={(to) => buildPracticesPath(text, to)}
    />
  </>
);

/** @param text search text; '' for all */
export const buildPracticesPath = (text: string, page: number): string => {
  const query = new URLSearchParams({
    ...(text === '' ? {} : { q: text }),
    ...(page === 1 ? {} : { page: String(page) }),
  }).toString();
  return query === '' ? '/staff/practices' : `/staff/practices?${query}`;
};

const NoPractice = ({ text }: { readonly text: string }) =>
  text === '' ? (
    <EmptyState links={[{ href: '/staff/practices/new', text: 'Set up a practice' }]}>
      No practices yet.
    </EmptyState>
  ) : (
    <EmptyState links={[{ href: '/staff/practices', text: 'Show all practices' }]}>
      {NO_PRACTICE_FOUND}
    </EmptyState>
  );
