/** Each part has a correct variant, and faults that occur in real launches. */
export interface EhrBehavior {
  readonly discovery: 'good' | 'missing' | 'redirected' | 'silent' | 'huge' | 'no-json';
  /** Advertised PKCE methods; `null` if not listed. */
  readonly pkceMethods: readonly string[] | null;
  /** Advertises only its two endpoints. */
  readonly isTerse: boolean;
  /** Advertised token endpoint; `null` for its own. */
  readonly tokenEndpoint: string | null;
  /** Members that replace those of the configuration, the token response, and the id_token. */
  readonly published: Readonly<Record<string, unknown>>;
  readonly granted: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly authorize: 'good' | 'denied' | 'failing' | 'invalid-scope';
  readonly token: 'good' | 'silent' | 'refused' | 'no-patient' | 'redirected' | 'no-json';
  /** Granted scope; `asked` for the requested one; `null` if the response omits it. */
  readonly scope: 'asked' | string | null;
  /** True if the app must show the patient's name. */
  readonly needsPatientBanner: boolean;
  readonly idToken: 'none' | 'good' | 'foreign-key' | 'foreign-audience' | 'foreign-issuer';
  readonly patient: 'good' | 'failing' | 'silent' | 'someone-else' | 'denied';
  readonly observations:
    | 'good'
    | 'by-category-only'
    | 'no-code-lists' // treats a list of codes as a single unknown code
    | 'failing'
    | 'denied'
    | 'silent'
    | 'second-page-failing'
    | 'next-elsewhere'
    | 'next-beside'
    | 'next-with-user'
    | 'next-again'
    | 'redirected'
    | 'huge'
    | 'endless'
    | 'no-json';
  readonly conditions: 'good' | 'failing';
  readonly encounters: 'good' | 'failing';
}

/** Conforms to SMART App Launch 2. */
export const GOOD_BEHAVIOR: EhrBehavior = {
  discovery: 'good',
  pkceMethods: ['S256'],
  isTerse: false,
  tokenEndpoint: null,
  published: {},
  granted: {},
  claims: {},
  authorize: 'good',
  token: 'good',
  scope: 'asked',
  needsPatientBanner: true,
  idToken: 'good',
  patient: 'good',
  observations: 'good',
  conditions: 'good',
  encounters: 'good',
};
