import type { ComponentChildren } from 'preact';
import type { Place } from './places.ts';

/** What there is not, and what to do about it. */
export interface EmptyStateProps {
  /** "No births yet." and what to do next. */
  readonly children: ComponentChildren;
  /** The ways on, if the text itself holds none. */
  readonly links?: readonly Place[];
}

/** An empty list as an invitation. */
export const EmptyState = ({ children, links = [] }: EmptyStateProps) => (
  <div class="empty-state card card--ground">
    <p>{children}</p>
    {links.length > 0 && (
      <ul class="cluster usa-list--unstyled">
        {links.map(({ href, text }) => (
          <li key={href}>
            <a class="usa-button usa-button--outline" href={href}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    )}
  </div>
);
