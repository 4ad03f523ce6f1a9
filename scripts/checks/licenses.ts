/** SPDX expressions compared literally: a person must review each new expression. */
export const ALLOWED_LICENSES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '(BSD-3-Clause AND Apache-2.0)',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  // Reviewed for @uswds/uswds: pages may serve the fonts and icons, but no one may sell them alone.
  'CC0-1.0 AND OFL-1.1 AND Apache-2.0 AND MIT',
]);

/** By `name@version`, so that each new version is reviewed. */
export const LICENSES_READ_BY_HAND: ReadonlyMap<string, string> = new Map([
  // From its LICENSE.md: public domain and CC0, with third-party fonts, icons, and styles.
  ['@uswds/uswds@3.14.0', 'CC0-1.0 AND OFL-1.1 AND Apache-2.0 AND MIT'],
  // From `licenses`, which package.json used before SPDX.
  ['busboy@1.6.0', 'MIT'],
  ['streamsearch@1.1.0', 'MIT'],
]);
