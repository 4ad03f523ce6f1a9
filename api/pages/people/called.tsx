import { displayName, type NamedPerson } from '../../../projections/lists/people-names.ts';

/** A person in a list: their name links to their page, with their email below it. */
export const Called = ({
  id,
  person,
  href,
  isSelf,
}: {
  /** The buttons of the row refer to it to say whom they are about. */
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
