import { isLoopback } from '../http/loopback.ts';
import { hasRole, type Settings } from './settings.ts';

/** Valid settings that are probably mistakes. */
export const findSettingsWarnings = (
  settings: Pick<
    Settings,
    | 'host'
    | 'baseUrl'
    | 'trustProxy'
    | 'role'
    | 'eventstorePort'
    | 'eventstoreUrl'
    | 'isOpenForTrial'
  >,
): readonly string[] => [
  ...(isBehindUnknownProxy(settings)
    ? [
        'BASE_URL is https, but TRUST_PROXY is off: everybody seems to come from the address of the proxy, so that failed sign-ins of a few make all wait, and requests without a token share one limit. Set TRUST_PROXY to the number or the addresses of your proxies.',
      ]
    : []),
  ...(isOpenWithoutAddress(settings)
    ? [
        'HOST lets other machines in, but BASE_URL is an address of this machine only: links, receipts and sign-ins lead people from there to their own machine. Set BASE_URL to the public https address, or HOST to 127.0.0.1.',
      ]
    : []),
  ...(isLogOpen(settings)
    ? [
        `EVENTSTORE_PORT opens the event log without a password: every account of this machine can read and append.${settings.isOpenForTrial ? ' EVENTSTORE_OPEN is trial: it is so for practices that are no sandboxes, too.' : ''} Unset it where others have an account, or where births are real.`,
      ]
    : []),
];

// The service itself only speaks plain HTTP, so an https address implies a proxy.
const isBehindUnknownProxy = ({
  baseUrl,
  trustProxy,
  role,
}: Pick<Settings, 'baseUrl' | 'trustProxy' | 'role'>): boolean =>
  hasRole(role, 'api') &&
  baseUrl.startsWith('https:') &&
  (trustProxy === false || trustProxy === 0);

const isOpenWithoutAddress = ({
  host,
  baseUrl,
  role,
}: Pick<Settings, 'host' | 'baseUrl' | 'role'>): boolean => {
  const { hostname } = new URL(baseUrl);
  const namesNoOther = isLoopback(hostname) || EVERY_ADDRESS.has(hostname);
  return hasRole(role, 'api') && !isLoopback(host) && namesNoOther;
};

/** To listen on, not to connect to. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '[::]']);

export const isLogOpen = ({
  eventstorePort,
  eventstoreUrl,
}: Pick<Settings, 'eventstorePort' | 'eventstoreUrl'>): boolean =>
  eventstorePort !== null && eventstoreUrl === null;
