import type { SingleSignOnRefusal } from '../../access-log/events.ts';
import { checkEmail, normalizeEmail } from '../credentials.ts';
import type { Member } from '../member.ts';
import type { StaffMember } from '../staff.ts';
import type { ProviderClaims } from './ports.ts';

export interface ProviderScope {
  /** Practice of the provider; `null` for the provider of the whole service. */
  readonly practiceId: string | null;
  /** Lower case, without the at sign. */
  readonly allowedDomains: readonly string[];
}

export interface SignInDenied {
  readonly kind: 'refused';
  readonly why: SingleSignOnRefusal;
}

const denySignIn = (why: SingleSignOnRefusal): SignInDenied => ({ kind: 'refused', why });

/**
 * Several common providers of practices omit the claim, so there the email just must not be marked as
 * unverified.
 */
export const findVerifiedEmail = (
  { email: written, isEmailVerified }: Pick<ProviderClaims, 'email' | 'isEmailVerified'>,
  { practiceId, allowedDomains }: ProviderScope,
): { readonly kind: 'email'; readonly email: string } | SignInDenied => {
  const email = normalizeEmail(written ?? '');
  if (checkEmail(email) !== null) return denySignIn('email-missing');
  const isVouchedFor = practiceId === null ? isEmailVerified === true : isEmailVerified !== false;
  if (!isVouchedFor) return denySignIn('email-not-verified');
  return allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1))
    ? { kind: 'email', email }
    : denySignIn('domain-not-allowed');
};

export interface EmailOwner {
  readonly member: Member;
  readonly staff: StaffMember;
  /** Practices with their own provider, among those where the person has a seat or an invitation. */
  readonly withOwnProvider: ReadonlySet<string>;
}

export type SignInTarget =
  | { readonly kind: 'account' }
  | { readonly kind: 'invitation'; readonly practiceId: string }
  | SignInDenied;

/** A practice's provider must not even learn that an account elsewhere exists. */
export const resolveSignIn = (
  { practiceId: ofProvider }: Pick<ProviderScope, 'practiceId'>,
  { member, staff, withOwnProvider }: EmailOwner,
  now: Date,
): SignInTarget => {
  const isFor = (practiceId: string): boolean =>
    ofProvider === null ? !withOwnProvider.has(practiceId) : practiceId === ofProvider;
  if (member.status === 'seated') {
    if (isFor(member.practiceId)) return { kind: 'account' };
    return denySignIn(ofProvider === null ? 'practice-has-provider' : 'no-account');
  }
  if (staff.status === 'known')
    return ofProvider === null ? { kind: 'account' } : denySignIn('no-account');
  const open = Object.values(member.invitations).filter(
    ({ practiceId, endsAt }) => isFor(practiceId) && now.getTime() < Date.parse(endsAt),
  );
  const [invitation, ...more] = open;
  if (invitation === undefined) return denySignIn('no-account');
  if (more.length > 0) return denySignIn('several-invitations');
  return { kind: 'invitation', practiceId: invitation.practiceId };
};

/** Methods of RFC 8176 that are stronger than a password: a code, a key, a card, or multiple factors. */
const STRONG_METHODS: ReadonlySet<string> = new Set(['mfa', 'otp', 'hwk', 'swk', 'sc', 'pop']);

/**
 * Time of the second factor at the provider; `null` if none was used. Without a time it counts as long ago:
 * enough for the sign-in, but not for actions that require a recent factor.
 */
export const findSecondFactorTime = (
  { methods, authenticatedAt }: Pick<ProviderClaims, 'methods' | 'authenticatedAt'>,
  now: Date,
): Date | null => {
  if (!methods.some((method) => STRONG_METHODS.has(method))) return null;
  return new Date(Math.min(authenticatedAt?.getTime() ?? 0, now.getTime()));
};

const MICROSOFT_HOST =
  /^(?:login\.microsoftonline\.(?:com|us)|login\.partner\.microsoftonline\.cn|(?:login|sts)\.windows\.net)$/;
const ALL_TENANTS = /^\/(?:common|organizations|consumers)(?=\/|$)/i;
const PLACEHOLDER = /(?:\{|%7b)[^{}%/]*(?:\}|%7d)/i;
const OWN_TENANT = 'YOUR-TENANT-ID';

/** `null` for the issuer of one tenant. */
export const findTenantAddress = (issuer: string): string | null => {
  if (!URL.canParse(issuer)) return null;
  const { hostname, origin, pathname } = new URL(issuer);
  if (!PLACEHOLDER.test(issuer) && !(MICROSOFT_HOST.test(hostname) && ALL_TENANTS.test(pathname)))
    return null;
  return MICROSOFT_HOST.test(hostname)
    ? `${hostname === 'sts.windows.net' ? 'https://login.microsoftonline.com' : origin}/${OWN_TENANT}/v2.0`
    : issuer.replace(PLACEHOLDER, OWN_TENANT);
};

export const describeAllTenants = (address: string): string =>
  `This issuer is for all tenants of its provider, so it does not vouch for the people of one organization. Use the issuer of your own tenant: ${address}`;

/** In UTF-16 units. With the id of a session it has to fit into one index entry. */
export const MAX_ISSUER_LENGTH = 500;

const DOMAIN = /^(?!-)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;
const MAX_DOMAIN_LENGTH = 253;
const MAX_DOMAINS = 50;
/** Room for the longest domains and their separators. */
const MAX_DOMAINS_LENGTH = MAX_DOMAINS * (MAX_DOMAIN_LENGTH + 5);

/** `null` if one is invalid, or if there are none. */
export const parseDomains = (text: string): readonly string[] | null => {
  // Checked first, because the time to normalize grows with the square of the length.
  if (text.length > MAX_DOMAINS_LENGTH) return null;
  const domains = text
    .normalize('NFC')
    .toLowerCase()
    .split(/[\s,;]+/)
    .map((domain) => domain.replace(/^@/, ''))
    .filter((domain) => domain !== '');
  const areFit = domains.every(
    (domain) => domain.length <= MAX_DOMAIN_LENGTH && DOMAIN.test(domain),
  );
  if (domains.length === 0 || domains.length > MAX_DOMAINS || !areFit) return null;
  return [...new Set(domains)];
};
