/**
 * A text as a part of a `like` pattern: `%`, `_` and `\` in it stand for themselves, for what people
 * type is no pattern.
 */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
