import type { ListedMember } from '../../../../projections/lists/accounts.ts';

const WORDS = { passkey: 'passkey', totp: 'app' } as const;

/** Second factors of an account: "Passkey and app". */
export const formatFactors = (kinds: ListedMember['secondFactor']): string => {
  const words = kinds.map((kind) => WORDS[kind]).join(' and ');
  return words === '' ? 'None' : words.charAt(0).toUpperCase() + words.slice(1);
};
