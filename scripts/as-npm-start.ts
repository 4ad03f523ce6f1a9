/** What package.json gives Node for the service and its commands: what is measured runs like them. */
export const AS_NPM_START = '--max-semi-space-size=16';
