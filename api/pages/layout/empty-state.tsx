import type { ComponentChildren } from 'preact';
import type { NavItem } from './navigation.ts';

export interface EmptyStateProps {
  /** As `data-message`. */
  readonly id?: string;
  /** Description and next step: "No births yet. …" */
  readonly children: ComponentChildren;
  /** Next steps that the text itself does not link. */
  readonly links?: readonly NavItem[];
}

export const EmptyState = ({ id, children, links = [] }: EmptyStateProps) => (
  <div class="empty-state card padding-3 card--ground">
    <p class="margin-0" data-message={id}>
      {children}
    </p>
    {links.length > 0 && (
      <ul class="cluster margin-top-2 usa-list--unstyled">
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
