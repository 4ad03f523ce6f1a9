/** What a start on a terminal can say. */
export interface Started {
  /** Address that people use. */
  readonly url: string;
  /** The one-time link that sets up the registry; null where somebody has an account. */
  readonly setUpAt: string | null;
}

/** What somebody who has started the service on a terminal reads: where it is, and what to do first. */
export const greeting = ({ url, setUpAt }: Started): string =>
  [
    '',
    `The birth registry is running at ${url}`,
    '',
    ...(setUpAt === null
      ? [`  Sign in   ${url}/sign-in`]
      : [
          'Nobody has an account yet. Open this link in your browser to set the registry up.',
          'It works once, for 24 hours:',
          '',
          `  ${setUpAt}`,
          '',
        ]),
    `  The API   ${url}/docs`,
    '  Guides    docs/README.md',
    '',
    'Ctrl-C stops it.',
    '',
    '',
  ].join('\n');
