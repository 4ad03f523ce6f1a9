/** Letters that are no other letter with a mark, and punctuation that word processors put in. */
const WRITTEN_AS: ReadonlyMap<string, string> = new Map(
  (
    'ß ss,ẞ SS,Æ AE,æ ae,Œ OE,œ oe,Ø O,ø o,Ł L,ł l,Đ D,đ d,Ð D,ð d,Þ TH,þ th,Ħ H,ħ h,Ŧ T,ŧ t,' +
    "Ŋ N,ŋ n,ı i,ĸ k,Ə E,ə e,‘ ',’ ',‛ ',ʻ ',ʼ ',′ ',“ \",” \",‐ -,‑ -,‒ -,– -,— -,− -"
  )
    .split(',')
    .map((one) => [one.slice(0, 1), one.slice(2)]),
);

const FIRST_PRINTABLE = ' ';
const LAST_PRINTABLE = '~';

/**
 * A text in the characters of a state file: printable ASCII, in one line. Accents fall away, some letters become two,
 * and a character for which there is nothing is left out.
 */
export const inPlainCharacters = (text: string): string => {
  let plain = '';
  for (const character of text.normalize('NFKD'))
    plain +=
      character >= FIRST_PRINTABLE && character <= LAST_PRINTABLE
        ? character
        : (WRITTEN_AS.get(character) ?? (character.trim() === '' ? ' ' : ''));
  return plain.trim();
};
