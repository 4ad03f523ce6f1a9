import type { ComponentChildren } from 'preact';
import { Facts } from '../../layout/facts.tsx';
import { LinkButton } from '../../layout/link-button.tsx';
import { Section } from '../../layout/section.tsx';
import { Time } from '../../layout/time.tsx';
import { type Account, formatFactors, LastSignIn } from './account-table.tsx';

export interface PersonAction {
  /** Last part of its address, after the person's. */
  readonly name: string;
  readonly text: string;
  readonly effect: string;
}

export const OTHER_ACCOUNT_ACTIONS: readonly PersonAction[] = [
  {
    name: 'password',
    text: 'New password',
    effect:
      'For a person who forgot theirs. They are signed out everywhere, and you get a one-time password to give them.',
  },
  {
    name: 'sign-out',
    text: 'Sign out everywhere',
    effect: 'For a lost phone or laptop. The account and its password stay the same.',
  },
];

export const PersonPage = ({
  person,
  isSelf,
  isDormant,
  status,
  path,
  actions,
}: {
  readonly person: Account;
  readonly isSelf: boolean;
  /** True if the account was not used for 90 days. */
  readonly isDormant: boolean;
  /** Role, or kind of account. */
  readonly status: {
    readonly term: string;
    readonly value: ComponentChildren;
    /** Meaning of the account's `since`. */
    readonly sinceTerm?: string;
  };
  readonly path: string;
  readonly actions: readonly PersonAction[];
}) => (
  <>
    <Facts
      of={[
        ['Name', person.name ?? <span class="quiet">Not set</span>],
        ['Email', [person.email, isSelf && <strong key="you"> (you)</strong>]],
        [status.term, status.value],
        [status.sinceTerm ?? 'Since', <Time key="since" at={person.since} />],
        ['Last sign-in', <LastSignIn key="last" account={person} isDormant={isDormant} />],
        ['Second factor', formatFactors(person.secondFactor)],
      ]}
    />
    {actions.length > 0 && (
      <Section id="account-actions" heading="Manage this account">
        <ul class="account-actions usa-list--unstyled maxw-tablet-lg">
          {actions.map(({ name, text, effect }) => (
            <li key={name} class="cluster flex-justify padding-y-105">
              <p id={`about-${name}`}>{effect}</p>
              <LinkButton action={`${path}/${name}`} about={`about-${name}`}>
                {text}
              </LinkButton>
            </li>
          ))}
        </ul>
      </Section>
    )}
  </>
);
