import { type Refusal, refuse } from './decision.ts';
import { typedName } from './typed-name.ts';

const MAX_NAME_LENGTH = 200;

/**
 * The name of a practice or a partner: one line, not blank, at most 200 characters.
 * @param organization what it is called in a refusal, such as `practice`
 */
export const organizationName = (
  text: string,
  organization: string,
): { readonly kind: 'named'; readonly name: string } | Refusal => {
  const typed = typedName(text, MAX_NAME_LENGTH);
  return typed.kind === 'blank'
    ? refuse({
        code: 'organization-without-name',
        organization: organization,
        most: MAX_NAME_LENGTH,
      })
    : typed;
};
