import { type Refusal, refuse } from '../decision.ts';
import { type TypedName, typedName } from '../typed-name.ts';

const MAX_NAME_LENGTH = 100;

/** A name with an @ could be mistaken for another person's email, which is shown where there is no name. */
const LOOKS_LIKE_EMAIL = /@/;
/** The words that histories use for actors who are not people of the practice. */
const NAMES_OF_OTHERS =
  /^(the (birth )?(registry|service)|(the )?service staff|(the )?operator( of the service)?|an ehr|an? former member( of the practice)?)$/i;
/** Invisible characters can hide a name or reverse the text after it; some scripts need two of them to join letters. */
const SHAPELESS = /(?![\u200c\u200d])\p{Cf}/u;
const LETTER = /\p{L}/u;

/** Reads the display name of a person: one line of at most 100 characters. */
export const personName = (text: string): TypedName | Refusal => {
  const typed = typedName(text, MAX_NAME_LENGTH);
  if (typed.kind !== 'named') return typed;
  if (SHAPELESS.test(text)) return refuse({ code: 'name-not-shown' });
  return isOfPerson(typed.name) ? typed : refuse({ code: 'name-of-no-person' });
};

const isOfPerson = (line: string): boolean =>
  LETTER.test(line) && !LOOKS_LIKE_EMAIL.test(line) && !NAMES_OF_OTHERS.test(line);

/**
 * Reads a name that may be left out, as an event tells it.
 * @param earlier used if none was typed
 */
export const nameIfAny = (
  text: string | undefined,
  earlier?: string,
): { readonly kind: 'read'; readonly told: { readonly name?: string } } | Refusal => {
  const typed = personName(text ?? '');
  if (typed.kind === 'refused') return typed;
  const name = typed.kind === 'named' ? typed.name : earlier;
  return { kind: 'read', told: name === undefined ? {} : { name } };
};

/** Reads the name of a person who is to have one. */
export const nameToSet = (text: string): Extract<TypedName, { kind: 'named' }> | Refusal => {
  const typed = personName(text);
  return typed.kind === 'blank' ? refuse({ code: 'person-without-name' }) : typed;
};
