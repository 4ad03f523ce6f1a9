import type { SignInSecrets } from '../../domain/account/single-sign-on/ports.ts';
import type { App } from '../ports/app-ports.ts';

export interface SignInFlow {
  /** `null` for the service's own provider. */
  readonly practiceId: string | null;
  readonly secrets: SignInSecrets;
  readonly formToken: string;
  /** `null` for the home page. */
  readonly next: string | null;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  /** Latest at the start: an account changed or signed out since has a later one. */
  readonly generation: string;
  /** True if a signed-in person confirms their identity. */
  readonly isAgain?: boolean;
  /** Binds a confirmation to its session: the form token would work in others, too. */
  readonly sessionHash?: string;
}

const WITHIN_MS = 10 * 60_000;
const PURPOSE = 'single sign-on';
/** Providers and proxies limit the length of URLs. */
const MAX_NEXT_LENGTH = 500;

/**
 * Sign-ins in progress are not stored: the `state` contains an encrypted one, and works only in the
 * browser that began it. Unauthenticated clients cannot fill a table, and tabs do not interfere
 * with each other.
 */
export const createFlowStates = ({ textCipher, now }: Pick<App, 'textCipher' | 'now'>) => ({
  seal(flow: Omit<SignInFlow, 'begunAt'>): string {
    const next = (flow.next?.length ?? 0) > MAX_NEXT_LENGTH ? null : flow.next;
    return textCipher.seal(
      JSON.stringify({ ...flow, next, begunAt: now().getTime() } satisfies SignInFlow),
      PURPOSE,
    );
  },

  /** `null` if the state is not ours or has expired. */
  async open(state: string): Promise<SignInFlow | null> {
    const opened = await textCipher.open(state, PURPOSE);
    if (opened === null) return null;
    const flow = JSON.parse(opened) as SignInFlow;
    return now().getTime() < flow.begunAt + WITHIN_MS ? flow : null;
  },
});
