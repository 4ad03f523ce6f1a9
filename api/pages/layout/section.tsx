import type { ComponentChildren, HTMLAttributes } from 'preact';

interface SectionProps extends HTMLAttributes<HTMLElement> {
  readonly id: string;
  readonly heading: ComponentChildren;
  readonly level?: 'h2' | 'h3';
}

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
