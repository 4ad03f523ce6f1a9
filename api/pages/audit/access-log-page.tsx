import { countInWords } from '../../../domain/format-measures.ts';
import { CheckboxField } from '../layout/checkbox-field.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { Pagination } from '../layout/pagination.tsx';
import { type Choice, SelectField } from '../layout/select-field.tsx';
import { type AccessFilter, buildAccessPath } from './access-path.ts';
import { AccessTable, type AccessTableProps } from './access-table.tsx';
import { KIND_CHOICES } from './access-text.ts';

export interface AccessLogPageProps extends AccessTableProps {
  readonly found: number;
  /** True if counting stopped at a limit. */
  readonly isMore: boolean;
  readonly page: number;
  readonly pages: number;
  readonly people: readonly Choice[];
}

/** Sign-ins, views of records, and exports, latest first. */
export const AccessLogPage = (props: AccessLogPageProps) => (
  <>
    <p class="maxw-tablet">
      {props.audience === 'practice'
        ? 'Who signed in, who saw or printed which records, and what was downloaded. It holds no patient names and no search terms, and no page or command can change it.'
        : 'Sign-ins of the service staff, attempts to sign in to accounts that do not exist, pre-fills viewed before sign-in, and copies of the whole registry. What concerns a practice is in its own access log.'}
    </p>
    {props.audience === 'practice' && <UnusualAccessRules />}
    <FilteredAccess {...props} />
  </>
);

/** Explains the "unusual" marks and that they prove nothing. */
export const UnusualAccessRules = () => (
  <details class="margin-bottom-205">
    <summary>What counts as unusual</summary>
    <p class="margin-top-1">
      “Many records in an hour”: someone opened or printed more than 60 different records within one
      hour, or at least 30 and more than five times what they usually open in an hour. Lists,
      duplicates to review, imports, and records that the person entered do not count.
    </p>
    <p>
      “Own family name”: the mother or a child has the family name of the person who opened the
      record, as far as their name or email shows it. Both are reasons to ask, not proof: many
      people share a name. For the whole practice, “Only unusual” covers the last 90 days.
    </p>
  </details>
);

export const NOTHING_UNUSUAL = 'Nothing unusual was found.';

export const FilteredAccess = (props: AccessLogPageProps) => {
  const { path, filter, found, isMore, page, pages } = props;
  return (
    <>
      <FilterForm {...props} />
      {found === 0 ? (
        <EmptyState>
          {filter.onlyUnusual
            ? NOTHING_UNUSUAL
            : 'Nothing yet. What people do and see appears here within a few seconds.'}
        </EmptyState>
      ) : (
        <>
          <p class="quiet" role="status">
            {describeFound(found, isMore)}
          </p>
          <AccessTable {...props} />
        </>
      )}
      <Pagination
        page={page}
        pages={pages}
        of="the access log"
        href={(other) => buildAccessPath(path, filter, other)}
      />
    </>
  );
};

const FilterForm = ({ path, filter, people, audience }: AccessLogPageProps) => (
  <form method="get" action={path} class="search cluster flex-align-end margin-bottom-205">
    {people.length > 0 && (
      <SelectField
        name="person"
        label="Who"
        choices={people}
        value={filter.person ?? ''}
        empty="Everyone"
      />
    )}
    <SelectField
      name="kind"
      label="What"
      choices={KIND_CHOICES}
      value={filter.kind ?? ''}
      empty="Everything"
    />
    {audience === 'practice' && (
      <CheckboxField name="unusual" label="Only unusual" checked={filter.onlyUnusual} />
    )}
    <button type="submit" class="usa-button">
      Show
    </button>
  </form>
);

export const DownloadAccess = ({
  path,
  filter,
}: {
  readonly path: string;
  readonly filter: AccessFilter;
}) => (
  <a class="usa-button usa-button--outline" href={buildAccessPath(`${path}.csv`, filter)}>
    Download as CSV
  </a>
);

export const describeFound = (found: number, isMore: boolean): string =>
  `${isMore ? 'More than ' : ''}${countInWords(found, 'entry', 'entries')}, the latest first`;
