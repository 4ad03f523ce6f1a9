import { LONGEST_REASON, SHORTEST_REASON } from '../../../domain/course-of-care/void-record.ts';
import type { PairRecord, SuspectedPair } from '../../../projections/duplicate-pairs.ts';
import { Confirm } from '../frame/confirm.tsx';
import { ErrorSummary } from '../frame/error-summary.tsx';
import { errorOf, type FieldError } from '../frame/field-errors.ts';
import { TextArea } from '../frame/text-area.tsx';
import { VoidingChanges } from '../records/voiding-changes.tsx';
import { placeOfPair } from './pair-page.tsx';

/** What is about to be voided, and why. */
export interface VoidPageProps {
  readonly pair: SuspectedPair;
  /** The record of the pair that will be voided, and the one that stays. */
  readonly voided: PairRecord;
  readonly kept: PairRecord;
  /** As it was typed. */
  readonly reason: string;
  readonly errors: readonly FieldError[];
}

/** How a record of a pair is called in a sentence. */
export const recordName = ({ chartNumber, course: { mother } }: PairRecord): string => {
  const name = [...mother.given_names, mother.family_name].filter(Boolean).join(' ');
  const called = chartNumber === null ? 'The record without chart number' : `Record ${chartNumber}`;
  return name === '' ? called : `${called} (${name})`;
};

/** How a record of a pair is called where little room is. */
export const shortName = (record: PairRecord): string => record.chartNumber ?? recordName(record);

/** Says what voiding a record of a pair changes, and asks why. */
export const VoidPage = ({ pair, voided, kept, reason, errors }: VoidPageProps) => (
  <>
    <ErrorSummary errors={errors} />
    <Confirm
      action="/registry/duplicates/void"
      submit="Void record"
      cancel={placeOfPair({
        newer: pair.newer.submissionUuid,
        older: pair.older.submissionUuid,
      })}
      destructive
      fields={{
        newer: pair.newer.submissionUuid,
        older: pair.older.submissionUuid,
        void: voided.submissionUuid,
        version: String(voided.version),
      }}
    >
      <p>
        You are about to void <strong>{recordName(voided)}</strong>, version {voided.version}. For
        everybody in your practice:
      </p>
      <VoidingChanges chartNumber={voided.chartNumber}>
        <li>{recordName(kept)} stays as it is.</li>
      </VoidingChanges>
      <TextArea
        name="reason"
        label="Reason"
        hint={`Kept in the history of the record: ${SHORTEST_REASON} to ${LONGEST_REASON} characters.`}
        value={reason}
        error={errorOf(errors, 'reason')}
        maxLength={LONGEST_REASON}
        rows={3}
      />
    </Confirm>
  </>
);
