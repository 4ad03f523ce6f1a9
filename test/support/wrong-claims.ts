const NO_TEXT = [null, true, false, 0, 1, [], {}, { value: 'ada' }, '', '\n'];

/** Claims that decide who gets in, each in twelve forms that the standard does not give it. */
export const WRONG_CLAIMS = {
  email_verified: [null, 'false', 'False', 'true', 'no', '', 0, '0', 1, '1', [true], { is: true }],
  email: [...NO_TEXT, ['viewer@cedar.example'], 'viewer@cedar.example\n'],
  sub: [...NO_TEXT, ['viewer@cedar.example'], 'x'.repeat(256)],
  nonce: [...NO_TEXT, ['nonce'], 'false'],
  aud: [...NO_TEXT, [['registry']], ['another-client']],
  amr: [
    null,
    'otp',
    'mfa',
    '',
    true,
    0,
    1,
    {},
    { otp: true },
    ['otp', 1],
    [['otp']],
    [null, 'mfa'],
  ],
  auth_time: [
    null,
    '1794999000',
    '',
    true,
    false,
    [],
    [1_794_999_000],
    {},
    { at: 1 },
    1e300,
    -1e300,
    'now',
  ],
} as const satisfies Readonly<Record<string, readonly unknown[]>>;

/** How the page begins that answers each of those which are said of every sign-in. */
export const CLAIM_REFUSALS = [
  ['email_verified', 'Your email is not verified'],
  ['email', 'Your single sign-on did not send an email'],
  ['sub', 'You were not signed in'],
  ['nonce', 'You were not signed in'],
  ['aud', 'You were not signed in'],
] as const;
