export interface HistoryProofsProps {
  /** Leaf of each history entry, oldest first; `null` if not in the log's tree yet. */
  readonly leaves: readonly (number | null)[];
  readonly href: string;
}

const LIST_FORMAT = new Intl.ListFormat('en-US');

export const describeLeaves = (leaves: readonly number[]): string =>
  `In the registry’s log, these entries are ${leaves.length === 1 ? 'leaf' : 'leaves'} ${LIST_FORMAT.format(leaves.map(String))}.`;

/** Leaves of a history in the log, with the file that proves them. */
export const HistoryProofs = ({ leaves, href }: HistoryProofsProps) => {
  const held = leaves.filter((leaf) => leaf !== null);
  return (
    <details class="no-print">
      <summary>Proof that this history is unchanged</summary>
      {held.length > 0 && <p>{describeLeaves(held)}</p>}
      {held.length < leaves.length && (
        <p class="quiet">The newest entries can be proven within a minute.</p>
      )}
      <p>
        <a href={`${href}/proofs`}>Download the proofs</a> and check them without the registry. The
        file contains the record itself, so protect it like the record.
      </p>
    </details>
  );
};
