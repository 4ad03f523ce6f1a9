import { numberInWords } from '../../../domain/format-measures.ts';
import type { PastImport, WaitingCheck } from '../../../projections/lists/practice-imports.ts';
import { DataTable } from '../layout/data-table.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { ErrorSummary } from '../layout/error-summary.tsx';
import type { FieldError } from '../layout/field-errors.ts';
import { Section } from '../layout/section.tsx';
import { Time } from '../layout/time.tsx';
import { type ActorNames, formatActor } from '../text/record-event-text.ts';
import { FileForm, IMPORT_PATH } from './file-form.tsx';
import { formatOutcome } from './import-text.ts';

export const NOTHING_IMPORTED_MESSAGE = 'Nothing has been imported yet.';

export const NOTHING_OF_OWN_MESSAGE = 'You haven’t imported anything yet.';

export interface UploadPageProps {
  readonly errors: readonly FieldError[];
  readonly insteadOf: string | null;
  readonly waiting: readonly WaitingCheck[];
  /** Ids of the member's checks that are under way. */
  readonly running: readonly string[];
  readonly past: readonly PastImport[];
  readonly names: ActorNames;
  readonly isOwnOnly: boolean;
}

export const UploadPage = ({
  errors,
  insteadOf,
  waiting,
  running,
  past,
  names,
  isOwnOnly,
}: UploadPageProps) => (
  <>
    <ErrorSummary errors={errors} />
    <p>
      Upload births from a spreadsheet, with one row for each birth: the mother and all her
      newborns. We check every row first and show you the result. Nothing is recorded until you
      confirm.
    </p>
    <p>
      Start with the <a href={`${IMPORT_PATH}/template.csv`}>template</a> and see what its{' '}
      <a href={`${IMPORT_PATH}/columns`}>columns</a> accept. Columns can be in any order, and you
      can leave out the ones you don’t need. Upload Excel workbooks as they are; from other
      programs, save the file as “CSV UTF-8”. If a heading isn’t in the template, we’ll ask you once
      what it means.
    </p>
    <FileForm label="File of births" errors={errors} insteadOf={insteadOf} />
    {running.map((importId, index) => (
      <p key={importId}>
        <a href={`${IMPORT_PATH}/${importId}`}>
          A file of yours is being checked
          {running.length > 1 && ` (${index + 1} of ${running.length})`}
        </a>
      </p>
    ))}
    {waiting.length > 0 && <Waiting waiting={waiting} />}
    <Section id="past-imports" heading={isOwnOnly ? 'Your past imports' : 'Past imports'}>
      {past.length === 0 ? (
        <EmptyState
          links={[{ href: `${IMPORT_PATH}/template.csv`, text: 'Download the template' }]}
        >
          {isOwnOnly ? NOTHING_OF_OWN_MESSAGE : NOTHING_IMPORTED_MESSAGE} Fill in the template and
          check it here.
        </EmptyState>
      ) : (
        <PastImports past={past} names={names} isOwnOnly={isOwnOnly} />
      )}
    </Section>
  </>
);

const Waiting = ({ waiting }: { readonly waiting: readonly WaitingCheck[] }) => (
  <Section id="waiting-checks" heading="Checked, not imported">
    <DataTable
      caption="Files that you checked but have not imported or discarded"
      captionHidden
      rows={waiting}
      keyOf={({ importId }) => importId}
      columns={[
        {
          heading: 'Checked',
          namesRow: true,
          cell: ({ importId, checkedAt }) => (
            <a href={`${IMPORT_PATH}/${importId}`}>
              <Time at={checkedAt} />
            </a>
          ),
        },
        { heading: 'Rows', figures: true, cell: ({ rows }) => numberInWords(rows) },
      ]}
    />
  </Section>
);

const PastImports = ({
  past,
  names,
  isOwnOnly,
}: Pick<UploadPageProps, 'past' | 'names' | 'isOwnOnly'>) => (
  <DataTable
    caption="The latest imports, newest first"
    captionHidden
    rows={past}
    keyOf={({ importId }) => importId}
    columns={[
      {
        heading: 'Imported',
        namesRow: true,
        cell: ({ importId, at }) => (
          <a href={`${IMPORT_PATH}/${importId}/progress`}>
            <Time at={at} />
          </a>
        ),
      },
      ...(isOwnOnly
        ? []
        : [
            {
              heading: 'By',
              cell: ({ memberId }: PastImport) =>
                formatActor({ kind: 'member', id: memberId }, names),
            },
          ]),
      { heading: 'Rows', figures: true, cell: ({ rows }) => numberInWords(rows) },
      { heading: 'Outcome', cell: formatOutcome },
    ]}
  />
);
