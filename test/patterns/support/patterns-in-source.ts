import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDERS = ['domain', 'projections', 'transparency-log', 'adapters', 'api'];

export interface Pattern {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

const patternsIn = (file: string): Pattern[] => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const found: Pattern[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
      found.push({ place: `${file}:${line}`, source, flags });
    }
    ts.forEachChild(node, look);
  };
  look(tree);
  return found;
};

/** Every regular expression of ours, with the place of each. */
export const PATTERNS: readonly Pattern[] = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file))
    .flatMap((file) => patternsIn(join(folder, file))),
);

/** As it stands in the source. */
export const writtenOf = ({ source, flags }: Pattern): string => `/${source}/${flags}`;

/** The expressions that `patterns.long.test.ts` has found to take linear time, one a line. */
const TRIED = fileURLToPath(new URL('../tried-patterns.txt', import.meta.url));

export const readTried = (): readonly string[] =>
  readFileSync(TRIED, 'utf8')
    .split('\n')
    .filter((line) => line !== '');

export const writeTried = (patterns: readonly string[]): void =>
  writeFileSync(TRIED, patterns.map((line) => `${line}\n`).join(''));
