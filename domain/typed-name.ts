import { type Refusal, refuse } from './decision.ts';
import { typedLine } from './typed-line.ts';

/** What was typed as a name. */
export type TypedName =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'blank' };

/** Mail programs and chats make a link of it, and a name is read by people who did not choose it. */
const WEB_ADDRESS = '://';

/** Reads a name: one line. @param longest in UTF-16 units */
export const typedName = (text: string, longest: number): TypedName | Refusal => {
  const typed = typedLine(text, longest);
  switch (typed.kind) {
    case 'blank':
      return typed;
    case 'too long':
      return refuse({ code: 'name-too-long', most: longest });
    case 'unusable':
      return refuse({ code: 'name-not-shown' });
    case 'line':
      return typed.line.includes(WEB_ADDRESS)
        ? refuse({ code: 'name-with-web-address' })
        : { kind: 'named', name: typed.line };
  }
};
