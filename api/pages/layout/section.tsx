import type { ComponentChildren, HTMLAttributes } from 'preact';

interface SectionProps extends HTMLAttributes<HTMLElement> {
  /** Id of the heading. */
  readonly id: string;
  readonly heading: ComponentChildren;
  readonly level?: 'h2' | 'h3';
}

/** Section that screen readers announce by its heading. */
export const Section = ({
  id,
  heading,
  level: Heading = 'h2',
  children,
  ...attributes
}: SectionProps) => (
  <section {...attributes} aria-labelledby={id}>
    <Heading id={id}>{heading}</Heading>
    {children}
  </section>
);
