/** A piece of HTML: text in it is escaped already. */
export interface Html {
  readonly html: string;
}

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPED[sign] ?? sign);

type Part = Html | string | number | readonly (Html | string | number)[];

const rendered = (part: Part): string => {
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return 'html' in part ? part.html : part.map(rendered).join('');
};

/** Writes HTML around values: strings are escaped, pieces of HTML and lists of them stand as they are. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: texts.reduce(
    (written, text, index) => `${written}${rendered(parts[index - 1] ?? '')}${text}`,
  ),
});
