/**
 * Licenses that a dependency of the running service may have, as SPDX expressions compared word for
 * word: an expression that is not here yet is for a person to read, not for a parser.
 */
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
  // Read for @uswds/uswds: fonts and icons may be served with the pages, not sold by themselves.
  'CC0-1.0 AND OFL-1.1 AND Apache-2.0 AND MIT',
]);

/**
 * What packages say elsewhere than in the field that npm reads, by `name@version`: a new version is
 * read anew.
 */
export const LICENSES_READ_BY_HAND: ReadonlyMap<string, string> = new Map([
  // Its LICENSE.md: public domain and CC0, with fonts, icons and styles of others in it.
  ['@uswds/uswds@3.14.0', 'CC0-1.0 AND OFL-1.1 AND Apache-2.0 AND MIT'],
  // `licenses`, as package.json had it before SPDX.
  ['busboy@1.6.0', 'MIT'],
  ['streamsearch@1.1.0', 'MIT'],
]);
