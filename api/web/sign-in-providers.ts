import type { ProviderScope } from '../../domain/account/single-sign-on/decide.ts';
import type {
  IdentityProviders,
  ProviderClient,
} from '../../domain/account/single-sign-on/ports.ts';

/** An identity provider that people may sign in at, and whom it signs in. */
export type SignInProvider = ProviderClient & ProviderScope;

/** The identity providers that are set up. */
export interface SignInProviders {
  readonly ask: IdentityProviders;
  /** @param practiceId null: the one of the service @returns null if there is none */
  find(practiceId: string | null): Promise<SignInProvider | null>;
}

/** Where a person begins to sign in at a provider. */
export const buildSingleSignOnPage = (practiceId: string | null): string =>
  practiceId === null ? '/sign-in/sso' : `/sign-in/sso/${encodeURIComponent(practiceId)}`;
