import { type Refusal, refuse } from './command-decision.ts';

const LONGEST_NAME = 200;

/**
 * The name of a practice or a partner: trimmed, not blank, at most 200 characters.
 * @param organisation what it is called in a refusal, such as `practice`
 */
export const organisationName = (
  text: string,
  organisation: string,
): { readonly kind: 'named'; readonly name: string } | Refusal => {
  const name = text.trim();
  if (name === '')
    return refuse(
      `A ${organisation} needs a name. Give it one of up to ${LONGEST_NAME} characters.`,
    );
  if (name.length > LONGEST_NAME)
    return refuse(`The name has more than ${LONGEST_NAME} characters. Shorten it.`);
  return { kind: 'named', name };
};
