import type { ComponentChildren } from 'preact';

/** What voiding a record changes, for the page that asks whether to. */
export interface VoidingChangesProps {
  /** Its chart number; null: nothing can bring it back. */
  readonly chartNumber: string | null;
  /** More that changes. */
  readonly children?: ComponentChildren;
}

/** Says what voiding a record changes. */
export const VoidingChanges = ({ chartNumber, children }: VoidingChangesProps) => (
  <ul class="changes">
    <li>It leaves the births log, the statistics and the benchmarks at once.</li>
    <li>It stays under Records, marked as voided, with its whole history.</li>
    <li>No record is held to be a duplicate of it any more.</li>
    {children}
    {chartNumber === null ? (
      <li>It has no chart number, so it cannot be brought back.</li>
    ) : (
      <li>
        Should the birth be sent or entered again under this chart number, this record becomes live
        again. If an EHR sends it, Home asks whether to keep it.
      </li>
    )}
  </ul>
);
