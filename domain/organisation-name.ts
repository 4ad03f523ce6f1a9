import { type Refusal, refuse } from './decision.ts';
import { typedLine } from './typed-line.ts';

const LONGEST_NAME = 200;

/**
 * The name of a practice or a partner: one line, not blank, at most 200 characters.
 * @param organisation what it is called in a refusal, such as `practice`
 */
export const organisationName = (
  text: string,
  organisation: string,
): { readonly kind: 'named'; readonly name: string } | Refusal => {
  const name = typedLine(text, LONGEST_NAME);
  switch (name.kind) {
    case 'blank':
      return refuse(
        `A ${organisation} needs a name. Give it one of up to ${LONGEST_NAME} characters.`,
      );
    case 'too long':
      return refuse(`The name has more than ${LONGEST_NAME} characters. Shorten it.`);
    case 'unusable':
      return refuse('The name has characters that cannot be shown. Type it again.');
    case 'line':
      return { kind: 'named', name: name.line };
  }
};
