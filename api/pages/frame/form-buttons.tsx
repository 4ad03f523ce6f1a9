import { PageLink } from './record-link.tsx';

/** The two ways out of a form: a verb with its object, and back without anything done. */
export const FormButtons = ({
  submit,
  cancel,
  destructive = false,
}: {
  readonly submit: string;
  /** Where nothing happens. */
  readonly cancel: string;
  /** It destroys something, or cannot be undone. */
  readonly destructive?: boolean;
}) => (
  <div class="buttons">
    <button type="submit" class={`usa-button${destructive ? ' usa-button--secondary' : ''}`}>
      {submit}
    </button>
    <PageLink class="usa-button usa-button--unstyled" href={cancel}>
      Cancel
    </PageLink>
  </div>
);
