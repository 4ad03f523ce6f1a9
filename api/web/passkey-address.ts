import { isIP } from 'node:net';
import { isLoopback } from '../http/loopback.ts';

export type PasskeyAddress =
  | { readonly kind: 'usable'; readonly rpId: string; readonly origin: string }
  /** They work at this address of the same machine. */
  | { readonly kind: 'elsewhere'; readonly href: string }
  | { readonly kind: 'unusable' };

/**
 * Browsers bind passkeys to a domain and require https, except on `localhost`. Without a public
 * address, the request decides: it is `http://127.0.0.1:8080` or `http://localhost:8080`.
 * @param host name and port of the request
 * @see https://www.w3.org/TR/webauthn-3/#relying-party-identifier
 */
export const getPasskeyAddress = (baseUrl: string, host: string): PasskeyAddress => {
  const { protocol, hostname, origin } = new URL(baseUrl);
  if (!isLoopback(hostname)) {
    const isDomain = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
    return isDomain && protocol === 'https:'
      ? { kind: 'usable', rpId: hostname, origin }
      : { kind: 'unusable' };
  }
  const address = `${protocol}//${host}`;
  if (!URL.canParse(address)) return { kind: 'unusable' };
  const { hostname: name, port, origin: opened } = new URL(address);
  if (name === 'localhost') return { kind: 'usable', rpId: name, origin: opened };
  if (!isLoopback(name)) return { kind: 'unusable' };
  return {
    kind: 'elsewhere',
    href: `${protocol}//localhost${port === '' ? '' : `:${port}`}`,
  };
};
