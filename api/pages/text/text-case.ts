/** Text with an uppercase first letter, to begin a sentence or a table cell. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Text with a lowercase first letter, for use within a sentence. */
export const uncapitalize = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
