import { type ComponentChildren, Fragment } from 'preact';

type Fact = readonly [term: string, value: ComponentChildren];

/** Terms and their values. */
export const Facts = ({
  of,
  ruled = false,
}: {
  readonly of: readonly (Fact | false)[];
  /** Draws a line below each. */
  readonly ruled?: boolean;
}) => {
  const Row = ruled ? 'div' : Fragment;
  return (
    <dl class="summary-list">
      {of
        .filter((fact) => fact !== false)
        .map(([term, value]) => (
          <Row key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </Row>
        ))}
    </dl>
  );
};
