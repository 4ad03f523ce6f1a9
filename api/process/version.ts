/** Equal to the version in `package.json`. */
export const SERVICE_VERSION = '0.3.0';
