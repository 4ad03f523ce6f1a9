import type { ProviderScope } from '../../domain/account/single-sign-on/decide.ts';
import type {
  IdentityProviders,
  ProviderClient,
} from '../../domain/account/single-sign-on/ports.ts';

export type SignInProvider = ProviderClient & ProviderScope;

export interface SignInProviders {
  readonly ask: IdentityProviders;
  /** @param practiceId `null` for the service's own @returns `null` if none is configured */
  find(practiceId: string | null): Promise<SignInProvider | null>;
}

export const buildSingleSignOnPage = (practiceId: string | null): string =>
  practiceId === null ? '/sign-in/sso' : `/sign-in/sso/${encodeURIComponent(practiceId)}`;
