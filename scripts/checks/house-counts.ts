import ts from 'typescript';

/** Phrases that no US engineer writes; the glossary also lists single words. */
const IDIOMS =
  /\b(nobody|somebody|whoever|whom|anew|meanwhile|look-?alikes?|told|tells?|work(s|ed|ing)? off|the door|strangers?|in the end|of then|of now|no more|any more|comes? to light|gets on|go(es)? on|gives? way|g(ive|ives|ave) back|as it is|as they are|as it was|by turns|in doubt|let in|lets? through|told apart|brings? back|once more|so many|so often|far as)\b/gi;
const RIDDLES =
  /(?:\/\*\*|^\s*\*|\/\/)\s+(What|Whether|Where|Who|Whose|How|So|Told|Asked|The same|Those|One that)\b/gm;
const LIMITS = /\b(?:MOST|LONGEST|SHORTEST|FEWEST|LEAST)_[A-Z_]+\b/g;
const NOT_VERBS = /export const \w+(?:In|Of|With)\b/g;
/** Participles that stand for a noun in a name. */
const PARTICIPLES = new Set(['asked', 'gone', 'held', 'kept', 'shown', 'wanted']);
const MAX_LINE_LENGTH = 160;

export type Counts = Readonly<Record<string, number>>;

// This folder contains the patterns themselves.
const IN_CHECKS = /^scripts\/checks\//;

/** @param read returns the text of a tracked file */
export const countHouse = (files: readonly string[], read: (file: string) => string): Counts => {
  const texts = files
    .filter((file) => !IN_CHECKS.test(file))
    .map((file) => ({ file, text: read(file) }));
  const documents = texts.filter(({ file }) => file.endsWith('.md'));
  const code = texts.filter(({ file }) => /\.(?:tsx?|[mc]js)$/.test(file));
  const count = (pattern: RegExp, among: readonly { readonly text: string }[]): number =>
    among.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0);
  return {
    idioms: count(IDIOMS, texts),
    riddles: count(RIDDLES, code),
    'limits without MAX_ or MIN_': count(LIMITS, code),
    'exports ending in In, Of, With': count(NOT_VERBS, code),
    'participles in names': code.reduce((sum, one) => sum + countParticiples(one), 0),
    'words of documents': documents.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0),
    'long lines of documents': documents.reduce(
      (sum, { text }) => sum + text.split('\n').filter((l) => l.length > MAX_LINE_LENGTH).length,
      0,
    ),
  };
};

const countParticiples = ({ file, text }: { readonly file: string; readonly text: string }) => {
  const isParticiple = (name: string): boolean =>
    name.split(/_|(?<=[a-z0-9])(?=[A-Z])/).some((word) => PARTICIPLES.has(word.toLowerCase()));
  const count = (node: ts.Node): number => {
    let names = ts.isIdentifier(node) && isParticiple(node.text) ? 1 : 0;
    ts.forEachChild(node, (child) => {
      names += count(child);
    });
    return names;
  };
  return count(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
};

export const findGrowth = (before: Counts, today: Counts): readonly string[] =>
  Object.entries(today).flatMap(([name, now]) => {
    const was = before[name] ?? 0;
    return now > was
      ? [`${name}: ${now}, at most ${was}. docs/glossary.md names the words to use instead.`]
      : [];
  });
