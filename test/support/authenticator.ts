import type { Page } from 'playwright-core';

/** Chromium's virtual authenticator, as it holds passkeys for one page. */
export interface TestAuthenticator {
  /** How many passkeys it holds. */
  count(): Promise<number>;
  /** Sets its count of uses back, as a copy that was made earlier would have it. */
  setBack(): Promise<void>;
  /** Loses it, and everything on it. */
  lose(): Promise<void>;
}

/**
 * A new authenticator for a page: that of its computer unless another way to reach it is given. Chromium forgets it
 * when any other session of its protocol is detached from the page, as axe's is: look at pages in another one.
 */
export const newAuthenticator = async (
  page: Page,
  transport: 'internal' | 'usb' = 'internal',
): Promise<TestAuthenticator> => {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const held = async () =>
    (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  return {
    count: async () => (await held()).length,
    async setBack() {
      for (const credential of await held()) {
        const { credentialId } = credential;
        await session.send('WebAuthn.removeCredential', { authenticatorId, credentialId });
        const copy = { ...credential, signCount: 1 };
        await session.send('WebAuthn.addCredential', { authenticatorId, credential: copy });
      }
    },
    async lose() {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    },
  };
};
