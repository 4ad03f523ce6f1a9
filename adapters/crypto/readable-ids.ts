import { customAlphabet } from 'nanoid';

// Letters and digits only: an id that began with a dash would look like an option at a shell.
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 21; // 125 bits

/** A new random id of letters and digits, for what people pass around: practices and the like. */
export const newReadableId: () => string = customAlphabet(ALPHABET, LENGTH);
