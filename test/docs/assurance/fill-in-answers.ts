import {
  ANSWERS,
  type Answer,
  type AnswerKind,
  answersById,
  type Chapter,
  DOCUMENTS,
  type Evidence,
  type Inapplicable,
} from './answers.ts';
import { ASVS } from './asvs.ts';
import { HIPAA } from './hipaa.ts';
import { NIST } from './nist.ts';

const MAX_LINE_LENGTH = 160;
const INDENT = '  ';
/** Line break within a paragraph of Markdown. */
const LINE_BREAK = '\\\n';

const LABELS: Readonly<Record<AnswerKind, string>> = {
  met: '**Met.**',
  partly: '**Partly met.**',
  'not met': '**Not met.**',
  operator: '**Operator.**',
  'does not apply': '**Does not apply.**',
};

/**
 * Fills in the parts of `docs/assurance.md` that are generated from the answers. Each is between two
 * comments, `answers: NAME` and `end`.
 * @throws Error if a part is unknown or missing
 */
export const fillInAnswers = (document: string): string => {
  const missing = new Set(Object.keys(PARTS));
  const filled = document.replaceAll(PART, (_, begin: string, name: string, end: string) => {
    const render = PARTS[name];
    if (render === undefined) throw new Error(`There is no part "${name}".`);
    missing.delete(name);
    return `${begin}\n\n${render()}\n\n${end}`;
  });
  if (missing.size > 0) throw new Error(`The page has no place for ${[...missing].join(', ')}.`);
  return filled;
};

const PART = /(<!-- answers: (\w+) [^>]*-->)\n[\s\S]*?(<!-- end -->)/g;

const PARTS: Readonly<Record<string, () => string>> = {
  counts: () => renderCounts(),
  asvs: () => ASVS.map((one) => `### ${one.title}\n\n${renderChapter(one)}`).join('\n\n'),
  hipaa: () => renderChapter(HIPAA),
  nist: () => renderChapter(NIST),
};

const renderCounts = (): string => {
  const whole: Chapter = {
    title: 'ASVS 5.0.0, levels 1 and 2',
    answers: ASVS.flatMap(({ answers }) => answers),
    inapplicable: ASVS.flatMap(({ inapplicable }) => inapplicable),
  };
  return [
    `| standard | requirements | ${ANSWERS.join(' | ')} |`,
    `|---${'|---'.repeat(ANSWERS.length + 1)}|`,
    ...[whole, HIPAA, NIST].map(countRow),
  ].join('\n');
};

const countRow = (chapter: Chapter): string => {
  const kinds = answersById(chapter).map(([, kind]) => kind);
  const counts = ANSWERS.map((one) => kinds.filter((kind) => kind === one).length);
  return `| ${[chapter.title, kinds.length, ...counts].join(' | ')} |`;
};

const renderChapter = ({ answers, inapplicable }: Chapter): string =>
  [...answers.map(renderAnswer), ...inapplicable.map(renderInapplicable)].join('\n');

const renderAnswer = ({ id, answer, text, gap, ...evidence }: Answer): string => {
  const lines = [
    ...splitSentences(`- \`${id}\` ${LABELS[answer]} ${text}`),
    ...(gap === undefined ? [] : splitSentences(`**Gap:** ${gap}`)),
  ];
  return `${lines.map(wrap).join(`\n${INDENT}`)}${renderEvidence(evidence)}`;
};

/** Renders code, tests, and documents on a line of their own. */
const renderEvidence = ({ code = [], tests = [], documents = [] }: Evidence): string => {
  const links = documents.map((name) => `[${name}](${DOCUMENTS[name]})`);
  const items = [...[...code, ...tests].map(quoted), ...links];
  return items.length === 0 ? '' : `${LINE_BREAK}${INDENT}${wrap(items.join(', '))}`;
};

const renderInapplicable = ({ ids, reason }: Inapplicable): string =>
  wrap(`- ${ids.map(quoted).join(', ')} ${LABELS['does not apply']} ${reason}`);

const quoted = (text: string): string => `\`${text}\``;

const splitSentences = (text: string): readonly string[] =>
  text.split(/(?<=[\w)`*]\.) (?=[A-Z`*])/);

/** Breaks a line between words. */
const wrap = (line: string): string => {
  const lines: string[] = [];
  for (const word of line.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || INDENT.length + last.length + 1 + word.length > MAX_LINE_LENGTH)
      lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join(`\n${INDENT}`);
};
