/** @param about id of the element that names the person or thing */
export const LinkButton = ({
  action,
  about,
  children,
}: {
  readonly action: string;
  readonly about: string;
  readonly children: string;
}) => (
  <form method="get" action={action}>
    <button type="submit" class="usa-button usa-button--outline" aria-describedby={about}>
      {children}
    </button>
  </form>
);
