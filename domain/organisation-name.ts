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
      return refuse({
        code: 'organization-without-name',
        organization: organisation,
        most: LONGEST_NAME,
      });
    case 'too long':
      return refuse({ code: 'name-too-long', most: LONGEST_NAME });
    case 'unusable':
      return refuse({ code: 'name-not-shown' });
    case 'line':
      return { kind: 'named', name: name.line };
  }
};
