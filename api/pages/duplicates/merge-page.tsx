import type { MergeChoice } from '../../../domain/birth-record/merge-records.ts';
import type { PairRecord, SuspectedPair } from '../../../projections/lists/duplicates.ts';
import { CheckboxField } from '../layout/checkbox-field.tsx';
import { Confirm } from '../layout/confirm.tsx';
import { buildFieldId } from '../layout/field-errors.ts';
import { RadioGroup } from '../layout/radio-group.tsx';
import { Section } from '../layout/section.tsx';
import { buildPairPath } from '../paths.ts';
import { buildPathLabel, type CourseContext, formatValueAt } from '../text/course-values.ts';
import { formatChildLabel } from '../text/field-labels.ts';
import { buildMergePath, formatRecordName, formatShortName } from './pair-page.tsx';

export const YOU_KEEP = 'You keep';

export interface MergePageProps {
  readonly pair: SuspectedPair;
  readonly survivor: PairRecord;
  readonly other: PairRecord;
  readonly choices: readonly MergeChoice[];
  readonly words: CourseContext;
  readonly practice: string;
  /** Idempotency key of the merge. */
  readonly submissionId: string;
  /** Answers by field name; `null` on first display. */
  readonly answers: Readonly<Record<string, string>> | null;
}

export const getChoiceField = ({ path }: MergeChoice): string => `take.${path}`;

export const MergePage = (props: MergePageProps) => {
  const { pair, survivor, other, choices, answers } = props;
  const ids = { newer: pair.newer.submissionUuid, older: pair.older.submissionUuid };
  const conflicts = choices.filter(({ isConflict }) => isConflict);
  const gaps = choices.filter(({ isConflict }) => !isConflict);
  return (
    <>
      <p>
        {YOU_KEEP} <strong>{formatRecordName(survivor)}</strong>. {formatRecordName(other)} will be
        voided.{' '}
        <a href={buildMergePath(ids, other.submissionUuid)}>
          Keep {formatShortName(other)} instead
        </a>
      </p>
      <Confirm
        id={buildFieldId('keep')}
        action="/registry/duplicates/merge"
        submit="Merge records"
        cancel={buildPairPath(ids)}
        destructive
        fields={{
          ...ids,
          keep: survivor.submissionUuid,
          kept_version: String(survivor.version),
          other_version: String(other.version),
          submission: props.submissionId,
        }}
      >
        {conflicts.length > 0 && (
          <Section id="conflicts" heading="Conflicting values: choose one">
            {conflicts.map((choice) => (
              <RadioGroup
                key={choice.path}
                name={getChoiceField(choice)}
                label={buildLabel(choice, props)}
                choices={[
                  { value: 'kept', record: survivor },
                  { value: 'other', record: other },
                ].map(({ value, record }) => ({
                  value,
                  text: `${formatChoice(choice, record, props)} (${formatShortName(record)})`,
                }))}
                value={answers?.[getChoiceField(choice)]}
              />
            ))}
          </Section>
        )}
        {gaps.length > 0 && (
          <fieldset class="usa-fieldset merge-gaps">
            <legend>
              <h2>Only in {formatShortName(other)}</h2>
            </legend>
            <p class="quiet">Uncheck a value to leave it out.</p>
            {gaps.map((choice) => (
              <Gap key={choice.path} choice={choice} page={props} />
            ))}
          </fieldset>
        )}
        {choices.length === 0 && (
          <p>
            {formatShortName(other)} has no values that {formatShortName(survivor)} doesn’t have.
          </p>
        )}
        <h2>What will change</h2>
        <p>For everyone at {props.practice}:</p>
        <ul class="usa-list">
          <li>
            {formatRecordName(survivor)} gets a new version with the values chosen here. Its history
            shows which came from {formatShortName(other)}. All its other values stay the same.
          </li>
          <li>
            {formatRecordName(other)} is voided: it leaves the births log, the statistics and the
            benchmarks at once. It stays under Records with its history, which names{' '}
            {formatShortName(survivor)}.
          </li>
        </ul>
      </Confirm>
    </>
  );
};

const Gap = ({ choice, page }: { readonly choice: MergeChoice; readonly page: MergePageProps }) => (
  <CheckboxField
    name={getChoiceField(choice)}
    label={`${buildLabel(choice, page)}: ${formatChoice(choice, page.other, page)}`}
    value="other"
    checked={page.answers === null || page.answers[getChoiceField(choice)] === 'other'}
  />
);

const WHOLE = /^(children|transfers)\.(\d+)$/;

export const buildLabel = (
  { path }: MergeChoice,
  { survivor, other, words }: Pick<MergePageProps, 'survivor' | 'other' | 'words'>,
): string => {
  if (path === 'consent') return 'Consent';
  const children = Math.max(survivor.course.children.length, other.course.children.length);
  const [, list, index] = WHOLE.exec(path) ?? [];
  if (list === 'children') return formatChildLabel(Number(index), children);
  if (list === 'transfers') return `Transfer ${Number(index) + 1}`;
  return buildPathLabel(path, children, words);
};

const DAYS = /gestational_age_days$/;

/** Content of a choice in a record: one value, or several that only make sense together. */
const formatChoice = (
  { path: choice, paths }: MergeChoice,
  { course }: PairRecord,
  { words, survivor, other }: MergePageProps,
): string => {
  const children = Math.max(survivor.course.children.length, other.course.children.length);
  const displayPaths = [
    ...new Set(paths.map((path) => path.replace(DAYS, 'gestational_age_weeks'))),
  ];
  const texts = displayPaths.flatMap((path) => {
    const value = formatValueAt(course, path, words);
    if (value === null) return [];
    const label = buildPathLabel(path, children, words).replace(
      /^(?:Child|Transfer)(?: \d+)?: /,
      '',
    );
    return [displayPaths.length === 1 || path === choice ? value : `${label}: ${value}`];
  });
  return texts.length === 0 ? 'Not recorded' : texts.join(', ');
};
