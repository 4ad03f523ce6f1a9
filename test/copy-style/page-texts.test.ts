import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

/** Texts that a person can read on a page, kept in the words of a US birth center. */

const style = suite('the style of the page texts');

const FOLDERS = ['api/pages', 'api/web', 'api/access', 'api/commands'];

/** Words to avoid, and what to write instead. */
const AVOIDED: readonly (readonly [RegExp, string])[] = [
  [/\bseats?\b/i, 'role'],
  [/\banew\b/i, 'again'],
  [/\bsomebody\b/i, 'someone, or name the role'],
  [/\bwhoever\b/i, 'anyone who'],
  [/\bgo(?:es|ing)? on\b/i, 'continue'],
  [/\bstands?(?: out)?\b(?! for\b)|\bwhat stands\b/i, 'is, highlights'],
  [/\bonce more\b/i, 'again'],
  [/\blet in\b/i, 'admit, accept'],
  [/\bhand(?:ed|s|ing)? over\b/i, 'send for review'],
  [/\blooks? alike\b/i, 'possible duplicate'],
  [/\b(?:is|are) taken\b/i, 'in use, accepted'],
  [/\blook(?:s|ed|ing)? (?:it )?over\b/i, 'review'],
  [/\bneeds a look\b/i, 'needs review'],
  [/\btak(?:e|es|en) out\b/i, 'remove'],
  [/\bby hand of\b/i, 'by'],
  [/\bmeanwhile\b/i, 'in the meantime, or drop it'],
  [/\btried first\b/i, 'too common'],
  [/\bplease\b/i, 'drop it'],
  [/\bin progress birth|birth in progress\b/i, 'unfinished birth'],
  [/\bof (?:then|now)\b/i, 'name the time'],
  [/\bcannot be understood\b/i, 'something is wrong with'],
  [
    /colour|organisation|recognis|capitalis|normalis|synchronis|authoris|favourite|\bcentre|cancelled|labelled/i,
    'US spelling',
  ],
];

/** Literals that contain such a word and are no text for people. */
const ALLOWED: ReadonlyMap<string, string> = new Map<string, string>([
  ['Form-Seat', 'HTTP header of forms'],
  ['The person who has just accepted has a seat.', 'fault in the code, read by developers'],
  ['The route has no guard for seats.', 'fault in the code, read by developers'],
]);

/** Attributes that hold markup. */
const MARKUP = new Set(['class', 'content', 'd', 'href', 'id', 'key', 'name', 'points', 'viewBox']);

const parse = (file: string): ts.SourceFile =>
  ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : undefined,
  );

const isReadable = (node: ts.Node): node is ts.JsxText | ts.StringLiteralLike =>
  ts.isJsxText(node) || ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node);

/** A text has a space or a capital at its start; the rest are addresses, keys and class names. */
const isForPeople = (text: string): boolean =>
  /^[A-Z]|[a-z] [a-z]/i.test(text) && !/^[a-z]\S*$|^\//.test(text);

const readTexts = (file: string): readonly { at: string; text: string }[] => {
  const source = parse(file);
  const texts: { at: string; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isJsxAttribute(node) && MARKUP.has(node.name.getText())) return;
    if (isReadable(node)) {
      const text = node.text.replaceAll(/\s+/g, ' ').trim();
      const start = source.getLineAndCharacterOfPosition(node.getStart()).line;
      if ((ts.isJsxText(node) || isForPeople(text)) && !ALLOWED.has(text))
        texts.push({ at: `${file}:${start + 1}`, text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
};

const texts = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file))
    .flatMap((file) => readTexts(join(folder, file))),
);

style('reads markup, literals and the scripts of the browser', () => {
  for (const file of [
    'sign-in-router.tsx',
    'page-problem.ts',
    'birth-form.mjs',
    'refusal-messages.ts',
  ])
    assert.ok(texts.filter(({ at }) => at.includes(file)).length > 2, file);
});

for (const [words, better] of AVOIDED)
  style(`instead of ${words.source}: ${better}`, () => {
    assert.equal(
      texts.filter(({ text }) => words.test(text)).map(({ at, text }) => `${at} ${text}`),
      [],
    );
  });

style.run();
