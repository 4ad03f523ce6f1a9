import type { ComponentChildren } from 'preact';
import type { ListedMember } from '../../../../projections/lists/accounts.ts';
import type { NamedPerson } from '../../../../projections/lists/people-names.ts';
import { LinkButton } from '../../layout/link-button.tsx';
import { Tag } from '../../layout/tag.tsx';
import { Time } from '../../layout/time.tsx';
import { formatFactors } from './factor-text.ts';

/** Suggests that the account could be removed. */
export const DORMANT = 'Not used for 90 days';

/** Action on an account. */
export interface PersonAction {
  /** Last part of its address, after the person's. */
  readonly name: string;
  /** Button text. */
  readonly text: string;
  /** Effect, in a sentence. */
  readonly says: string;
}

/** Actions on other people's accounts. */
export const OTHER_ACCOUNT_ACTIONS: readonly PersonAction[] = [
  {
    name: 'password',
    text: 'New password',
    says: 'For someone who forgot theirs. They are signed out everywhere, and you get a one-time password to give them.',
  },
  {
    name: 'sign-out',
    text: 'Sign out everywhere',
    says: 'For a lost phone or laptop. The account and its password stay the same.',
  },
];

export interface PersonPageProps {
  readonly person: NamedPerson & {
    readonly since: Date;
    readonly lastSignInAt: Date | null;
    readonly secondFactor: ListedMember['secondFactor'];
  };
  readonly isSelf: boolean;
  /** True if the account was not used for 90 days. */
  readonly isDormant: boolean;
  /** The seat or the kind of account. */
  readonly standing: {
    readonly term: string;
    readonly is: ComponentChildren;
    /** Meaning of `since` while there is no seat or account. */
    readonly since?: string;
  };
  /** Address of the page. */
  readonly at: string;
  readonly actions: readonly PersonAction[];
}

/** Details of a person and their account, with the available actions. */
export const PersonPage = (props: PersonPageProps) => {
  const { person, isSelf, isDormant, standing, at, actions } = props;
  return (
    <>
      <dl class="org-facts">
        <dt>Name</dt>
        <dd>{person.name ?? <span class="quiet">Not set</span>}</dd>
        <dt>Email</dt>
        <dd>
          {person.email}
          {isSelf && <strong> (you)</strong>}
        </dd>
        <dt>{standing.term}</dt>
        <dd>{standing.is}</dd>
        <dt>{standing.since ?? 'Since'}</dt>
        <dd>
          <Time at={person.since} />
        </dd>
        <dt>Last sign-in</dt>
        <dd>
          {person.lastSignInAt === null ? 'Never' : <Time at={person.lastSignInAt} />}{' '}
          {isDormant && <Tag kind="warning" text={DORMANT} />}
        </dd>
        <dt>Second factor</dt>
        <dd>{formatFactors(person.secondFactor)}</dd>
      </dl>
      {actions.length > 0 && (
        <section aria-labelledby="account-actions">
          <h2 id="account-actions">Manage this account</h2>
          <ul class="account-actions usa-list--unstyled">
            {actions.map(({ name, text, says }) => (
              <li key={name}>
                <p id={`about-${name}`}>{says}</p>
                <LinkButton action={`${at}/${name}`} about={`about-${name}`}>
                  {text}
                </LinkButton>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
};
