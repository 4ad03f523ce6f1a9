import { type Refusal, refuse } from '../decision.ts';
import { text as storedText } from '../schema.ts';
import { type ParsedName, parseName } from '../text-input.ts';

/** Absent from an event for none. */
export const personName = { ...storedText, maxLength: 100 };

const MAX_NAME_LENGTH = 100;

/** Could be mistaken for another person's email, which is the fallback where a name is missing. */
const LOOKS_LIKE_EMAIL = /@/;
/** Histories use these words for actors outside the practice. */
const NAMES_OF_OTHERS =
  /^(the (birth )?(registry|service)|(the )?service staff|(the )?operator( of the service)?|an ehr|an? former member( of the practice)?)$/i;
const LETTER = /\p{L}/u;

export const parsePersonName = (text: string): ParsedName | Refusal => {
  const parsedName = parseName(text, MAX_NAME_LENGTH);
  if (parsedName.kind !== 'named') return parsedName;
  return isOfPerson(parsedName.name) ? parsedName : refuse({ code: 'name-of-no-person' });
};

const isOfPerson = (line: string): boolean =>
  LETTER.test(line) && !LOOKS_LIKE_EMAIL.test(line) && !NAMES_OF_OTHERS.test(line);

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
