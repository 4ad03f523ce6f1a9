/** A button that leads to the page which asks before something is done. @param about id of the element that names whom */
export const Ask = ({
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
