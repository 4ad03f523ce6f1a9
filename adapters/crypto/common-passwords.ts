import { dictionary } from '@zxcvbn-ts/language-common';

/** The list takes a moment to unpack, and most processes never ask. */
let common: ReadonlySet<string> | null = null;

/** Whether a text in lower case stands in the list of common passwords that zxcvbn-ts keeps. */
export const isCommonPassword = (text: string): boolean => {
  common ??= new Set(dictionary['passwords-common']);
  return common.has(text);
};
