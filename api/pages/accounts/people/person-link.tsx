import { displayName, type NamedPerson } from '../../../../projections/lists/people-names.ts';

/** Person in a list: a linked name with the email below it. */
export const PersonLink = ({
  id,
  person,
  href,
  isSelf,
}: {
  /** Referenced by the row's buttons as the person they act on. */
  readonly id?: string;
  readonly person: NamedPerson;
  readonly href: string;
  readonly isSelf: boolean;
}) => (
  <span id={id}>
    <a href={href}>{displayName(person)}</a>
    {isSelf && <strong> (you)</strong>}
    {person.name !== null && <span class="beneath">{person.email}</span>}
  </span>
);
