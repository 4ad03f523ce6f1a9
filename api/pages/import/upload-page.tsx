import { numberInWords } from '../../../domain/format-measures.ts';
import type { PastImport, WaitingCheck } from '../../../projections/lists/practice-imports.ts';
import { DataTable } from '../layout/data-table.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { ErrorSummary } from '../layout/error-summary.tsx';
import type { FieldError } from '../layout/field-errors.ts';
import { Time } from '../layout/time.tsx';
import { type ActorNames, formatActor } from '../text/record-event-text.ts';
import { FileForm, IMPORT_PATH } from './file-form.tsx';
import { formatOutcome } from './import-text.ts';

export const NOTHING_IMPORTED_MESSAGE = 'Nothing has been imported yet.';

/** Shown to a seat that sees only its own imports. */
export const NOTHING_OF_OWN_MESSAGE = 'You have imported nothing yet.';

export interface UploadPageProps {
  readonly errors: readonly FieldError[];
  readonly insteadOf: string | null;
  readonly waiting: readonly WaitingCheck[];
  readonly past: readonly PastImport[];
  readonly names: ActorNames;
  /** True if the seat sees only its own imports. */
  readonly isOwnOnly: boolean;
}

/** Uploads a file, and lists earlier imports. */
export const UploadPage = ({
  errors,
  insteadOf,
  waiting,
  past,
  names,
  isOwnOnly,
}: UploadPageProps) => (
  <>
    <ErrorSummary errors={errors} />
    <p>
      Bring births from a spreadsheet: one row for each birth, the mother and all her newborns in
      it. Every row is checked first, and you see what it would do. Nothing is recorded before you
      say so.
    </p>
    <p>
      Begin with the <a href={`${IMPORT_PATH}/template.csv`}>template</a>, and look up what its{' '}
      <a href={`${IMPORT_PATH}/columns`}>columns</a> take. Columns may stand in any order, and those
      that you do not need may be left out. Bring an Excel workbook as it is; from other programs
      save the file as “CSV UTF-8”. A column with another heading is asked about once.
    </p>
    <FileForm label="File of births" errors={errors} insteadOf={insteadOf} />
    {waiting.length > 0 && <Waiting waiting={waiting} />}
    <section aria-labelledby="past-imports">
      <h2 id="past-imports">{isOwnOnly ? 'Your past imports' : 'Past imports'}</h2>
      {past.length === 0 ? (
        <EmptyState
          links={[{ href: `${IMPORT_PATH}/template.csv`, text: 'Download the template' }]}
        >
          {isOwnOnly ? NOTHING_OF_OWN_MESSAGE : NOTHING_IMPORTED_MESSAGE} Fill in the template, and
          check it here.
        </EmptyState>
      ) : (
        <PastImports past={past} names={names} isOwnOnly={isOwnOnly} />
      )}
    </section>
  </>
);

const Waiting = ({ waiting }: { readonly waiting: readonly WaitingCheck[] }) => (
  <section aria-labelledby="waiting-checks">
    <h2 id="waiting-checks">Checked, not imported</h2>
    <DataTable
      caption="Files that you have checked and neither imported nor discarded"
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
  </section>
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
