import { refuse } from './decision.ts';

/** No practice has the id that a command names. */
export const NO_PRACTICE = refuse(
  'There is no practice with this id: `practice list` names them all.',
);

/** No partner has the id that a command names. */
export const NO_PARTNER = refuse(
  'There is no partner with this id: `partner list` names them all.',
);

/** No API key has the id that a command names. */
export const NO_KEY = refuse(
  'There is no key with this id: `key list` names those of a practice or a partner.',
);

/** No provider has the id that a command names. */
export const NO_PROVIDER = refuse(
  'There is no provider with this id: `provider list` names those of a practice.',
);

/** The practice holds no record under the id that a command names. */
export const NO_RECORD = refuse(
  'The practice holds no record with this id. Find the record in the list of records.',
);
