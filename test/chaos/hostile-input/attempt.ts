import type { Random } from '../../../scripts/synthesis/random.ts';

/** One hostile request. */
export interface Attempt {
  readonly bytes: Buffer;
  readonly isHead?: boolean;
  /**
   * Whether the bytes are a whole request is not known: an end without an answer is one, too, once
   * nothing more is sent.
   */
  readonly isTorn?: boolean;
  /** What no answer may hold: it was sent, and would have to be left out or written differently. */
  readonly forbidden: readonly string[];
}

/** What the attempts need to know of the service. */
export interface Target {
  /** Host and port, as in the header Host. */
  readonly host: string;
  readonly nativeToken: string;
  readonly partnerToken: string;
  /** An Admin of the practice, then the staff. */
  readonly sessions: readonly Session[];
  /** Addresses of files that were checked, the last one at the end: answers have led there. */
  readonly checkedFiles: string[];
}

/** A session that is signed in. */
export interface Session {
  readonly cookie: string;
  readonly csrfToken: string;
  /** Forms that were found on its pages. */
  readonly forms: readonly FoundForm[];
  /** Addresses that its pages lead to. */
  readonly links: readonly string[];
}

/** A form as a page shows it. */
export interface FoundForm {
  readonly method: 'GET' | 'POST';
  readonly action: string;
  readonly isUpload: boolean;
  /** Names of the fields, with what they hold or may hold. */
  readonly fields: readonly (readonly [string, string])[];
}

/** Makes hostile requests of one kind. @param n another one each time */
export type Generator = (random: Random, target: Target, n: number) => Attempt;

/**
 * What a submitted text begins with, so that it would be known again anywhere. With a sign that no
 * code holds: a refused code is the one thing that an answer may repeat.
 * @see design §5, "refused Location.type codes"
 */
export const MARKER = 'Zq7~hostile~';

/** The marker as it would stand in a page that does not escape what was submitted. */
export const UNESCAPED_MARKER = `${MARKER}<b title="`;

/** A whole request: its line, headers as they are given, and its length. */
export const requestOf = (
  { host }: Target,
  method: string,
  path: string,
  headers: readonly (readonly [string, string])[],
  body: Buffer | null = null,
): Buffer => {
  const head = [
    `${method} ${path} HTTP/1.1`,
    ...(headers.some(([name]) => name.toLowerCase() === 'host') ? [] : [`Host: ${host}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : [`Content-Length: ${body.length}`]),
    '\r\n',
  ].join('\r\n');
  // Byte by byte: what is beyond Latin-1 in an address or a header was put there as bytes.
  const bytes = Buffer.from(head, 'latin1');
  return body === null ? bytes : Buffer.concat([bytes, body]);
};
