import { sourceWords } from '../frame/source-words.ts';

const UNKNOWN = 'Not known';

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A group of figures in words; `unknown` is what the figures call a missing value. */
export const groupInWords = (name: string): string =>
  name === 'unknown' ? UNKNOWN : capitalised(name);

/** The role of an attendant in words. */
export const attendantInWords = (role: string): string =>
  role === 'unknown' ? 'No attendant known' : capitalised(role);

/** How records came, in words. */
export const sourceInWords = (source: string): string => sourceWords(source);
