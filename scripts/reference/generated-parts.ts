export type Parts = Readonly<Record<string, string>>;

/**
 * Replaces the text between `<!-- NAME -->` and `<!-- end of NAME -->` for each part.
 * @throws Error if the document lacks a part
 */
export const fillInParts = (document: string, parts: Parts): string =>
  Object.entries(parts).reduce((filled, [name, text]) => {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
    const from = filled.indexOf(begin);
    const to = filled.indexOf(end, from);
    if (from < 0 || to < 0) throw new Error(`The document has no ${begin} … ${end}.`);
    return `${filled.slice(0, from + begin.length)}\n\n${text}\n\n${filled.slice(to)}`;
  }, document);

/** List item with a sentence on each line. */
export const listItem = (head: string, sentences: readonly string[]): string =>
  `- ${head} ${sentences.join('\n  ')}`;

const MAX_LINE_LENGTH = 140;

/** Breaks a list item before its options and code. */
export const wrapItem = (item: string): string =>
  item.split(/ (?=[[`])/).reduce((text, word) => {
    const [line = ''] = text.split('\n').slice(-1);
    return line.length + word.length < MAX_LINE_LENGTH ? `${text} ${word}` : `${text}\n  ${word}`;
  });
