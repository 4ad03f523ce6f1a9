import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import type { ImportProgress, ResultLine } from '../../../domain/submission/import-result.ts';
import type { UndoProgress } from '../../../projections/lists/practice-imports.ts';
import { DataTable } from '../layout/data-table.tsx';
import { Facts } from '../layout/facts.tsx';
import { Notice } from '../layout/flash-messages.tsx';
import { Section } from '../layout/section.tsx';
import { Time } from '../layout/time.tsx';
import { IMPORT_PATH } from './file-form.tsx';
import type { ImportOutcome } from './import-outcome.ts';
import { UndoneNotice } from './undo-page.tsx';

export interface ResultPageProps {
  readonly progress: ImportProgress;
  readonly outcome: ImportOutcome;
  readonly by: string;
  /** True if the seat reads records and resolves duplicates. */
  readonly readsRecords: boolean;
  /** `null` unless undone. */
  readonly undo: UndoProgress | null;
  readonly undoneBy: string;
  readonly mayUndo: boolean;
}

export const FIGURE_NAMES = {
  recorded: 'Births recorded',
  amended: 'Records amended',
  flagged: 'Possible duplicates',
  refused: 'Import rows rejected',
  notImported: 'Rows not imported',
} as const;

export const BEFORE_UNDO = 'Before the undo:';

export const describeImporter = (by: string): string => `Imported by ${by}`;

export const ResultPage = (props: ResultPageProps) => {
  const { progress, outcome, by, readsRecords } = props;
  const hasRecords = outcome.recorded + outcome.amended > 0;
  return (
    <>
      {props.undo !== null && <UndoneNotice undo={props.undo} by={props.undoneBy} />}
      <p>
        {describeImporter(by)} on <Time at={progress.startedAt} />,{' '}
        {countInWords(progress.total, 'row')}.{props.undo !== null && ` ${BEFORE_UNDO}`}
      </p>
      {progress.status === 'failed' && <Stopped outcome={outcome} />}
      <Facts
        ruled
        of={[
          [FIGURE_NAMES.recorded, formatFigure(outcome.recorded)],
          [FIGURE_NAMES.amended, formatFigure(outcome.amended)],
          [FIGURE_NAMES.flagged, formatFigure(outcome.flagged)],
          [FIGURE_NAMES.refused, formatFigure(outcome.refused)],
          outcome.notImported > 0 && [FIGURE_NAMES.notImported, formatFigure(outcome.notImported)],
        ]}
      />
      <ul class="cluster usa-list--unstyled margin-top-3">
        {readsRecords && hasRecords && (
          <li>
            <a href={`${IMPORT_PATH}/${progress.importId}/records`}>View imported records</a>
          </li>
        )}
        {readsRecords && outcome.flagged > 0 && props.undo === null && (
          <li>
            <a href="/registry/duplicates">Review possible duplicates</a>
          </li>
        )}
        <li>
          <a href={IMPORT_PATH}>Import another file</a>
        </li>
        {props.mayUndo && hasRecords && (
          <li>
            <a href={`${IMPORT_PATH}/${progress.importId}/undo`}>Undo this import</a>
          </li>
        )}
      </ul>
      {outcome.firstRefused.length > 0 && (
        <Refused outcome={outcome} importId={progress.importId} />
      )}
    </>
  );
};

const formatFigure = (rows: number) => <span class="text-bold">{numberInWords(rows)}</span>;

export const describeNotImported = (rows: number): string =>
  `${countInWords(rows, 'row')} ${rows === 1 ? 'was' : 'were'} not imported`;

const Stopped = ({ outcome }: { readonly outcome: ImportOutcome }) => (
  <Notice kind="error">
    The import stopped early. {describeNotImported(outcome.notImported)}; download the result to see
    which ones. Check the file again: rows with a chart number that were already recorded will amend
    their records.
  </Notice>
);

const Refused = ({
  outcome,
  importId,
}: {
  readonly outcome: ImportOutcome;
  readonly importId: string;
}) => {
  const { firstRefused, refused } = outcome;
  return (
    <Section id="refused-rows" heading={FIGURE_NAMES.refused}>
      <p>
        {refused === 1 ? 'This row was' : 'These rows were'} not recorded. Correct{' '}
        {refused === 1 ? 'it' : 'them'} in the spreadsheet and import again.{' '}
        <a href={`${IMPORT_PATH}/${importId}/refused.csv`}>Download the rejected rows</a>.
        {refused > firstRefused.length &&
          ` Showing the first ${firstRefused.length} of ${numberInWords(refused)}; the result lists them all.`}
      </p>
      <DataTable
        caption="Rejected rows and why"
        captionHidden
        rows={firstRefused}
        keyOf={({ row }) => String(row)}
        columns={[
          { heading: 'Row', namesRow: true, cell: ({ row }) => row },
          {
            heading: 'Chart number',
            cell: ({ chartNumber }) => chartNumber ?? <span class="quiet">Not recorded</span>,
          },
          { heading: 'Why', cell: ({ reasons }) => <Reasons reasons={reasons} /> },
        ]}
      />
    </Section>
  );
};

const Reasons = ({ reasons }: Pick<ResultLine, 'reasons'>) =>
  reasons.length === 1 ? (
    reasons[0]
  ) : (
    <ul class="usa-list margin-y-05">
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
