import type { ComponentChildren } from 'preact';

/** Text that is shown once and stored nowhere. */
export interface ShownOnceProps {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly copy: string;
}

/** Text to copy; without script, one click selects it. */
export const ShownOnce = ({ id, label, text, copy }: ShownOnceProps) => (
  <div class="shown-once">
    <label class="usa-label" for={id}>
      {label}
    </label>
    <output id={id} class="shown-once__text">
      {text}
    </output>
    <CopyButton of={id}>{copy}</CopyButton>
  </div>
);

/** Copies the text of another element; hidden without script. */
export const CopyButton = ({
  of,
  children,
}: {
  readonly of: string;
  readonly children: ComponentChildren;
}) => (
  <p class="copy">
    <button type="button" class="usa-button usa-button--outline" data-copy={of} hidden>
      {children}
    </button>{' '}
    <span role="status" data-copied={of} />
  </p>
);
