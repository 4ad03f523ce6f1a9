const UNUSABLE = /[\p{Cc}\p{Cs}]/u;

/** Whether a text has what no page shows and no store keeps: control characters, unpaired surrogates. */
export const hasUnusableCharacters = (text: string): boolean => UNUSABLE.test(text);
