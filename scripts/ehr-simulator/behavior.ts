/** What the simulated EHR does. Each part has one good way and the bad ones that launches meet. */
export interface EhrBehavior {
  readonly discovery: 'good' | 'missing' | 'redirected' | 'silent' | 'huge' | 'no-json';
  /** PKCE methods that it lists; null: none are listed. */
  readonly pkceMethods: readonly string[] | null;
  /** It lists only its two endpoints. */
  readonly isTerse: boolean;
  /** Another token endpoint than its own. */
  readonly tokenEndpoint: string | null;
  readonly authorize: 'good' | 'denied' | 'failing' | 'invalid-scope';
  readonly token: 'good' | 'silent' | 'refused' | 'no-patient' | 'redirected' | 'no-json';
  /** Granted scope; `asked`: as asked for; null: the answer does not say. */
  readonly scope: 'asked' | string | null;
  /** Whether the patient's name is left to the app to show. */
  readonly needsPatientBanner: boolean;
  readonly idToken: 'none' | 'good' | 'foreign-key' | 'foreign-audience' | 'foreign-issuer';
  readonly patient: 'good' | 'failing' | 'silent' | 'someone-else' | 'denied';
  readonly observations:
    | 'good'
    | 'by-category-only'
    | 'no-code-lists' // takes a list for one code that nothing has
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

/** An EHR that keeps to SMART App Launch 2. */
export const GOOD_BEHAVIOR: EhrBehavior = {
  discovery: 'good',
  pkceMethods: ['S256'],
  isTerse: false,
  tokenEndpoint: null,
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
