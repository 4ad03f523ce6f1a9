import { dictionary } from '@zxcvbn-ts/language-common';

/** Loaded on first use: the list is slow to unpack, and most processes never need it. */
let common: ReadonlySet<string> | null = null;

/** True if a lowercase text is in zxcvbn-ts's list of common passwords. */
export const isCommonPassword = (text: string): boolean => {
  common ??= new Set(dictionary['passwords-common']);
  return common.has(text);
};
