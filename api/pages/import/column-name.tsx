import { Fragment } from 'preact';

/** Column name as in the file; a narrow page breaks it between words. */
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
