import type { Settings } from './settings.ts';

/** What settings that can be worked with are hardly meant to be, in sentences for the log. */
export const doubtsOf = ({
  baseUrl,
  trustProxy,
  role,
}: Pick<Settings, 'baseUrl' | 'trustProxy' | 'role'>): readonly string[] => {
  const answersPeople = role === 'all' || role === 'api';
  // The service itself speaks plain HTTP only: behind an https address there is a proxy.
  const isBehindUnknownProxy =
    baseUrl.startsWith('https:') && (trustProxy === false || trustProxy === 0);
  return answersPeople && isBehindUnknownProxy
    ? [
        'BASE_URL is https, but TRUST_PROXY is off: everybody seems to come from the address of the proxy, so that failed sign-ins of a few make all wait, and requests without a token share one limit. Set TRUST_PROXY to the number or the addresses of your proxies.',
      ]
    : [];
};
