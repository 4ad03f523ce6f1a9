import { calledName, type NamedPerson } from '../../../projections/people-names.ts';

/** A person in a list: what they are called leads to their page, and their email stands beneath. */
export const Called = ({
  id,
  person,
  href,
  isSelf,
}: {
  /** By which the buttons of the row say whom they are about. */
  readonly id?: string;
  readonly person: NamedPerson;
  readonly href: string;
  readonly isSelf: boolean;
}) => (
  <span id={id}>
    <a href={href}>{calledName(person)}</a>
    {isSelf && <strong> (you)</strong>}
    {person.name !== null && <span class="beneath">{person.email}</span>}
  </span>
);
