import { Fragment } from 'preact';

export interface HistoryProofsProps {
  /** Leaf of each history entry, oldest first; `null` if not in the log's tree yet. */
  readonly leaves: readonly (number | null)[];
  /** Numbers of the files with their proofs; the first file needs no number. */
  readonly files: readonly number[];
  readonly href: string;
}

const LIST_FORMAT = new Intl.ListFormat('en-US');

export const HistoryProofs = ({ leaves, files, href }: HistoryProofsProps) => {
  const leafIndexes = leaves.filter((leaf) => leaf !== null);
  return (
    <details class="no-print margin-y-2">
      <summary>Proof that this history is unchanged</summary>
      {leafIndexes.length > 0 && (
        <p data-message="log-leaves">
          In the registry’s log, these entries are {leafIndexes.length === 1 ? 'leaf' : 'leaves'}{' '}
          {LIST_FORMAT.format(leafIndexes.map(String))}.
        </p>
      )}
      {leafIndexes.length < leaves.length && (
        <p class="quiet">The newest entries can be proven within a minute.</p>
      )}
      <p>
        {files.map((file, index) => (
          <Fragment key={file}>
            {index > 0 && ' and '}
            <a href={file === 1 ? `${href}/proofs` : `${href}/proofs?page=${file}`}>
              {file === 1 ? 'Download the proofs' : `Download file ${file} of the proofs`}
            </a>
          </Fragment>
        ))}{' '}
        and check them without the registry. The file contains the record itself, so protect it like
        the record.
      </p>
    </details>
  );
};
