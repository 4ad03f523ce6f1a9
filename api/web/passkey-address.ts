import { isIP } from 'node:net';
import { isLoopback } from '../http/loopback.ts';

/** Whether passkeys can be made and shown at the address by which somebody opened a page. */
export type PasskeyAddress =
  | { readonly kind: 'usable'; readonly rpId: string; readonly origin: string }
  /** They can at this one, on the same machine. */
  | { readonly kind: 'elsewhere'; readonly href: string }
  | { readonly kind: 'unusable' };

/**
 * Browsers keep passkeys for domains only, and use them over https only; `localhost` is let through. A
 * service that nobody has given a public address is opened as `http://127.0.0.1:8080`, and as
 * `http://localhost:8080`: there the request says which.
 * @param host of the request: name and port
 * @see https://www.w3.org/TR/webauthn-3/#relying-party-identifier
 */
export const passkeyAddressOf = (baseUrl: string, host: string): PasskeyAddress => {
  const { protocol, hostname, origin } = new URL(baseUrl);
  if (!isLoopback(hostname)) {
    const isDomain = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
    return isDomain && protocol === 'https:'
      ? { kind: 'usable', rpId: hostname, origin }
      : { kind: 'unusable' };
  }
  const asked = `${protocol}//${host}`;
  if (!URL.canParse(asked)) return { kind: 'unusable' };
  const { hostname: name, port, origin: opened } = new URL(asked);
  if (name === 'localhost') return { kind: 'usable', rpId: name, origin: opened };
  if (!isLoopback(name)) return { kind: 'unusable' };
  return {
    kind: 'elsewhere',
    href: `${protocol}//localhost${port === '' ? '' : `:${port}`}`,
  };
};
