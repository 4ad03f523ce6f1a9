import type { Child, Mother } from './course.ts';

export const PLACEHOLDER_QUESTION = 'This looks like the name before the child had one.';

type Name = Pick<Child | Mother, 'family_name' | 'given_names'>;

/**
 * Finds a name that hospitals use until a child has one: a word for a child, alone or next to the mother's
 * name (Ondine Girl A, Girl Ondine, Ondinesgirl, Twin B). The family name counts only without given names.
 * @see Joint Commission NPSG.01.01.01, distinct names of newborns
 */
export const findPlaceholderName = (child: Name, mother: Name): keyof Name | null => {
  const family = splitWords([child.family_name ?? '']);
  const name = child.given_names.length > 0 ? 'given_names' : 'family_name';
  const words = name === 'given_names' ? splitWords(child.given_names) : family;
  const mothers = splitWords([...mother.given_names, mother.family_name ?? '']);
  const [first = '', ...rest] = words;
  const isPlaceholder =
    words.some((word) => PLACEHOLDER.test(word) || BEHIND_A_NAME.test(word)) ||
    UNNAMED.test(words.join('')) ||
    FOR_A_CHILD.test(words.at(-1) ?? '') ||
    words.filter((word) => FOR_A_CHILD.test(word)).length > 1 ||
    // Any name may be the mother's if hers is unknown.
    (FOR_A_CHILD.test(first) &&
      (mothers.length === 0 || rest.every((word) => [...mothers, ...family].includes(word))));
  return isPlaceholder ? name : null;
};

const PLACEHOLDER =
  /^(?:(?:baby|newborn|infant|twin)(?:boy|girl|male|female)|(?:male|female)(?:baby|newborn|infant)|bb|bg|nb|newborn|neonate|twin|triplet|unnamed)[a-h]?\d{0,2}$/;
/** Some of them are also given names, such as Baby and Boy; Boyd is another. */
const FOR_A_CHILD = /^(?:(?:baby|girl|infant)[a-h]?|boy[abc]?|male|female)\d{0,2}$/;
const UNNAMED = /^(?:no|not|notyet|tobe)named?$/;
const BEHIND_A_NAME = /\p{L}(?:baby(?:boy|girl)|s(?:boy|girl|baby|twin|newborn|infant))[a-h\d]?$/u;
/** Letters and numbers of twins, and words between. */
const MARK = /^(?:[a-z]|\d{1,2}|ii|iii|one|two|three|of)$/;

const splitWords = (names: readonly string[]): readonly string[] =>
  (
    names
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).filter((word) => !MARK.test(word));
