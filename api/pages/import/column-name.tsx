import { Fragment } from 'preact';

/** The name of a column as the file writes it; a narrow page breaks it between its words. */
export const ColumnName = ({ name }: { readonly name: string }) => (
  <code>
    {name.split('_').map((word, index) => (
      <Fragment key={`${index}`}>
        {index > 0 && (
          <>
            _<wbr />
          </>
        )}
        {word}
      </Fragment>
    ))}
  </code>
);
