/** Maximum length of a line of a document. */
const MAX_LINE = 160;

/** First lines of a generated document. @param source where its content comes from */
export const buildHead = (title: string, source: string): string =>
  `# ${title}\n\nGenerated from ${source} by \`npm run reference\`. Change the code, not this page.\n`;

/** Builds a table. Cells are Markdown without line breaks. */
export const buildTable = (
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string =>
  [columns, columns.map(() => '---'), ...rows]
    .map((cells) =>
      cells[0] === '---' ? `|${cells.join('|')}|` : `| ${cells.map(escapeCell).join(' | ')} |`,
    )
    .join('\n');

const escapeCell = (cell: string): string => cell.replaceAll('|', '\\|');

export const formatCode = (text: string): string => `\`${text}\``;

export const listCodes = (words: readonly string[]): string => words.map(formatCode).join(', ');

/** Puts every sentence on a line of its own, and breaks lines that are still too long. */
export const breakSentences = (text: string, indent = ''): string =>
  text
    .split(/(?<=[.!?]) (?=[A-Z`*])/)
    .flatMap((sentence) => breakLine(sentence, MAX_LINE - indent.length))
    .join(`\n${indent}`);

const breakLine = (line: string, most: number): readonly string[] => {
  if (line.length <= most) return [line];
  const end = Math.max(line.lastIndexOf(', ', most - 1) + 1, 0) || line.lastIndexOf(' ', most);
  return end <= 0 ? [line] : [line.slice(0, end), ...breakLine(line.slice(end + 1), most)];
};

export const getFirstSentence = (text: string): string =>
  /^.*?[.!?](?=\s|$)/s.exec(text)?.[0].replace(/\s+/g, ' ') ?? text;

/** First sentence of a text, without what follows a colon or semicolon. */
export const getMainClause = (text: string): string =>
  getFirstSentence(text).replace(/[:;] .*$/s, '.');
