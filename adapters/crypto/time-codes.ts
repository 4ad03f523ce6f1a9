import { createHash } from 'node:crypto';
import { customAlphabet } from 'nanoid';
import { generateSecret, generateURI, verifySync } from 'otplib';

export const createTimeCodeSecret = (): string => generateSecret();

export const buildTimeCodeAddress = (email: string, secret: string): string =>
  generateURI({ issuer: 'Birth Registry', label: email, secret });

const PERIOD_SECONDS = 30;

/** `null` if the code is wrong or over a step from now. Each step is valid for one sign-in. @see RFC 6238 */
export const findTimeCodeStep = (secret: string, code: string, now: Date): number | null => {
  if (!/^\d{6}$/.test(code)) return null;
  const epoch = Math.floor(now.getTime() / 1_000);
  const checked = verifySync({ secret, token: code, epoch, epochTolerance: PERIOD_SECONDS });
  return checked.valid ? Math.floor(epoch / PERIOD_SECONDS) + checked.delta : null;
};

const RECOVERY_CODES = 10;
// No letters or digits that look alike, because people print and type them.
const letters = customAlphabet('abcdefghjkmnpqrstuvwxyz23456789', 5);

/** More than 112 random bits, so a plain digest is enough. */
const GROUPS = 5;

/** Recovery codes of 123 random bits. Each replaces a lost second factor once. */
export const createRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: GROUPS }, () => letters()).join('-'),
  );

/** @see NIST SP 800-63B-4, 3.1.2.2: shorter codes would need a salted password hash */
export const hashRecoveryCode = (typed: string): string =>
  createHash('sha256')
    .update(typed.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest('base64url');
