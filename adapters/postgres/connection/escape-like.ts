/** Escapes `%`, `_` and `\` for use in a `like` pattern, because user input is not a pattern. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
