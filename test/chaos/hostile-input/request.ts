import type { MountedRoute } from '../../support/mounted-routes.ts';

/** One hostile request. */
export interface HostileRequest {
  /** What it is counted as. */
  readonly kind: string;
  readonly bytes: Buffer;
  readonly isHead?: boolean;
  /**
   * The bytes may be less than a whole request: the service may then close the connection without an
   * answer, once it knows that nothing more is sent.
   */
  readonly isTorn?: boolean;
  /** What no answer may hold: it was sent, and has to be left out or escaped. */
  readonly forbidden: readonly string[];
}

/** What the arbitraries need to know of the service. */
export interface Target {
  /** Host and port, as in the header Host. */
  readonly host: string;
  readonly nativeToken: string;
  readonly partnerToken: string;
  /** An Admin of the practice, then a staff member. */
  readonly sessions: readonly [Session, Session];
  readonly routes: readonly MountedRoute[];
  /** Addresses with real ids. */
  readonly known: readonly string[];
  /** Addresses of files that were checked, the last one at the end; answers add more. */
  readonly checkedFiles: string[];
}

/** A session that is signed in. */
export interface Session {
  readonly cookie: string;
  readonly csrfToken: string;
  /** Forms that were found on its pages. */
  readonly forms: readonly FoundForm[];
}

/** A form as a page shows it. */
export interface FoundForm {
  readonly method: 'GET' | 'POST';
  readonly action: string;
  /** Names of the fields, with their values. */
  readonly fields: readonly Field[];
}

/** Name and value of a header or a field. */
export type Field = readonly [string, string];

/** The content type of a form. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Begins submitted texts, so that they can be recognized anywhere. It holds a character that no code
 * has: a refused code is the one thing that an answer may repeat.
 */
export const MARKER = 'Zq7~hostile~';

/** The marker as it stands in a page that does not escape what was submitted. */
export const UNESCAPED_MARKER = `${MARKER}<b title="`;

/** A whole request: its line, its headers as they are given, and its length. */
export const buildRequest = (
  { host }: Target,
  method: string,
  path: string,
  headers: readonly Field[],
  body: Buffer | string | null = null,
): Buffer => {
  const content = body === null ? null : Buffer.from(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    ...(headers.some(([name]) => name.toLowerCase() === 'host') ? [] : [`Host: ${host}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(content === null ? [] : [`Content-Length: ${content.length}`]),
    '\r\n',
  ].join('\r\n');
  // Byte by byte: what is beyond Latin-1 in an address or a header was put there as bytes.
  return Buffer.concat([Buffer.from(head, 'latin1'), content ?? Buffer.alloc(0)]);
};
