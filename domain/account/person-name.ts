import { type Refusal, refuse } from '../decision.ts';
import { text as storedText } from '../schema.ts';
import { type ParsedName, parseName } from '../text-input.ts';

/** Display name of a person; absent from an event for none. */
export const personName = { ...storedText, maxLength: 100 };

const MAX_NAME_LENGTH = 100;

/**
 * A name with an @ could be mistaken for another person's email, which is the fallback where a name is
 * missing.
 */
const LOOKS_LIKE_EMAIL = /@/;
/** Histories use these words for actors outside the practice. */
const NAMES_OF_OTHERS =
  /^(the (birth )?(registry|service)|(the )?service staff|(the )?operator( of the service)?|an ehr|an? former member( of the practice)?)$/i;
const LETTER = /\p{L}/u;

/** Parses the display name of a person: one line of at most 100 characters. */
export const parsePersonName = (text: string): ParsedName | Refusal => {
  const parsedName = parseName(text, MAX_NAME_LENGTH);
  if (parsedName.kind !== 'named') return parsedName;
  return isOfPerson(parsedName.name) ? parsedName : refuse({ code: 'name-of-no-person' });
};

const isOfPerson = (line: string): boolean =>
  LETTER.test(line) && !LOOKS_LIKE_EMAIL.test(line) && !NAMES_OF_OTHERS.test(line);

/**
 * Parses a name that may be omitted.
 * @param earlier fallback for a blank text
 */
export const parseOptionalName = (
  text: string | undefined,
  earlier?: string,
): { readonly kind: 'read'; readonly details: { readonly name?: string } } | Refusal => {
  const parsedName = parsePersonName(text ?? '');
  if (parsedName.kind === 'refused') return parsedName;
  const name = parsedName.kind === 'named' ? parsedName.name : earlier;
  return { kind: 'read', details: name === undefined ? {} : { name } };
};

export const parseRequiredName = (
  text: string,
): Extract<ParsedName, { kind: 'named' }> | Refusal => {
  const parsedName = parsePersonName(text);
  return parsedName.kind === 'blank' ? refuse({ code: 'person-without-name' }) : parsedName;
};
