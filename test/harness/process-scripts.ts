import { buildService, builtEntry } from '../../scripts/build-service.ts';

/** What tests start as processes of their own, mostly to have them die. */
const SCRIPTS = [
  'test/harness/dying-service.ts',
  'test/harness/dying-merge.ts',
  'test/harness/dying-rebuild.ts',
  'test/harness/losing-service.ts',
  'test/embedded-postgres/support/hosting-process.ts',
  'test/embedded-eventstore/support/hosting-process.ts',
] as const;

const BUILT = 'dist.test';

let isBuilt = false;

/**
 * Where the bundle of a script is that Node runs as it is, as `npm start` runs the service: many of
 * these are started, and each would read and compile every source anew.
 */
export const processScript = (script: (typeof SCRIPTS)[number]): string => {
  if (!isBuilt) buildService('inherit', BUILT, ...SCRIPTS);
  isBuilt = true;
  return builtEntry(BUILT, script);
};
