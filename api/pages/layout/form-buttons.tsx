import { PageLink } from './record-link.tsx';

export const FormButtons = ({
  submit,
  cancel,
  destructive = false,
}: {
  readonly submit: string;
  readonly cancel: string;
  /** True if it deletes something or cannot be undone. */
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
