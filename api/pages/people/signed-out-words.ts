import { countInWords } from '../words/measures-in-words.ts';

/** What is said once somebody was signed out everywhere. */
export const signedOutWords = (email: string, ended: number): string =>
  ended === 0
    ? `${email} was not signed in anywhere.`
    : `${email} is signed out of ${countInWords(ended, 'browser')}.`;
