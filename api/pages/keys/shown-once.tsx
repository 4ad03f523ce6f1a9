import type { ComponentChildren } from 'preact';

/** A text that is shown this once and kept nowhere. */
export interface ShownOnceProps {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  /** The button: "Copy token". */
  readonly copy: string;
}

/** A text to copy; without script it can be selected with one click. */
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

/** Copies the text of another element; there is none without script. */
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
