import type { SignInSecrets } from '../../domain/account/single-sign-on/ports.ts';
import type { App } from '../ports/app-ports.ts';

/** A sign-in on its way through an identity provider. */
export interface SignInFlow {
  /** Whose provider it is; null: the one of the service. */
  readonly practiceId: string | null;
  readonly secrets: SignInSecrets;
  /** Token of the forms of the browser that began it. */
  readonly formToken: string;
  /** The page to go to afterwards; null: the first one. */
  readonly next: string | null;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  /** The latest there was then: an account that was changed, or signed out, since has a later one. */
  readonly generation: string;
  /** Somebody who is signed in confirms that it is them. */
  readonly isAgain?: boolean;
}

/** How long a person may take at the provider. */
const WITHIN_MS = 10 * 60_000;
const PURPOSE = 'single sign-on';
/** Providers and proxies bound the length of an address. */
const MAX_NEXT_LENGTH = 500;

/**
 * Sign-ins in progress, stored nowhere: the `state` that the provider returns carries one, encrypted,
 * and works only in the browser that began it. So strangers who begin many sign-ins leave nothing behind,
 * and several tabs do not interfere with each other.
 */
export const createFlowStates = ({ sealedTexts, now }: Pick<App, 'sealedTexts' | 'now'>) => ({
  seal(flow: Omit<SignInFlow, 'begunAt'>): string {
    const next = (flow.next?.length ?? 0) > MAX_NEXT_LENGTH ? null : flow.next;
    return sealedTexts.seal(
      JSON.stringify({ ...flow, next, begunAt: now().getTime() } satisfies SignInFlow),
      PURPOSE,
    );
  },

  /** Null: it is not ours, or too old. */
  async open(state: string): Promise<SignInFlow | null> {
    const opened = await sealedTexts.open(state, PURPOSE);
    if (opened === null) return null;
    const flow = JSON.parse(opened) as SignInFlow;
    return now().getTime() < flow.begunAt + WITHIN_MS ? flow : null;
  },
});
