import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { createRandom } from '../../scripts/synthesis/random.ts';

/** Part of the product, with the number of mutations that stand there. */
interface Area {
  readonly name: string;
  readonly count: number;
  readonly files: RegExp;
  /** Lines that can hold a slip of one kind; without, any line of code. */
  readonly lines?: RegExp;
}

/** A line of code that a mutation stands at, or near. */
export interface Place {
  readonly area: string;
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Seed of the sixty that are kept; another one draws others. */
export const MUTATION_SEED = '0.2.0';

const PAGES = /^api\/(pages|web)\/.*\.tsx?$/;

const AREAS: readonly Area[] = [
  { name: 'mapper', count: 6, files: /^domain\/(intake|fhir)\/|^api\/push\/map-/ },
  { name: 'decide', count: 6, files: /^domain\/.*\bdecide[a-z-]*\.ts$/ },
  { name: 'projection', count: 6, files: /^(projections|adapters\/postgres\/projector)\// },
  { name: 'queue', count: 6, files: /^(adapters\/postgres\/queue|api\/ingestion)\// },
  {
    name: 'access',
    count: 6,
    files:
      /^(api\/access\/|domain\/(roles|account\/)|api\/web\/guards\/|adapters\/postgres\/access\/)|rate-limit|throttle/,
  },
  { name: 'mask', count: 6, files: /^domain\/(course\/mask\.ts|birth-record\/duplicates\/)/ },
  {
    name: 'proof',
    count: 6,
    files: /^(adapters\/embedded-eventstore|adapters\/transparency-log|transparency-log)\//,
  },
  { name: 'label', count: 2, files: PAGES, lines: /label=|legend=|>[A-Z][a-z ]+</ },
  { name: 'error', count: 2, files: PAGES, lines: /error|problem|refus/i },
  {
    name: 'role',
    count: 2,
    files: PAGES,
    lines: /\b(require|can|allows?|seat|isAdmin)[A-Z(]\w*|seats\./,
  },
  {
    name: 'csrf',
    count: 1,
    files: /^api\/web\/(session\/(csrf|form-token)|same-origin|single-use-form)/,
  },
  { name: 'escape', count: 1, files: PAGES, lines: /encodeURIComponent|escape/ },
  { name: 'link', count: 2, files: PAGES, lines: /href=|to=\{|redirect\(/ },
  {
    name: 'value',
    count: 2,
    files: PAGES,
    lines: /\bvalue=|defaultValue|checked=|selected=|type="hidden"/,
  },
  {
    name: 'unit',
    count: 1,
    files: PAGES,
    lines: /grams?|pounds?|ounces?|percent|weeks?|kg\b|inches/i,
  },
  {
    name: 'page',
    count: 1,
    files: PAGES,
    lines: /\bpage(Number|s)?\b.*[-+<>]|\b(offset|limit|slice)\b/i,
  },
  { name: 'zone', count: 2, files: PAGES, lines: /zone|clock/i },
  { name: 'form', count: 2, files: PAGES, lines: /[<>]=? |===|!==|\?\?|&&|\|\|/ },
];

const isProduct = (file: string): boolean =>
  /^(domain|projections|transparency-log|adapters|api)\/.*\.tsx?$/.test(file) &&
  !/\/assets\/|\.d\.ts$|\/migrations\//.test(file);

/** Lines with code that runs: neither imports, nor comments, nor types. */
const listLinesOfCode = (file: string, source: string): ReadonlySet<number> => {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isTypeAliasDeclaration(node) || ts.isTypeNode(node)) return;
    const isLeaf = ts.isIdentifier(node) || ts.isLiteralExpression(node) || ts.isJsxText(node);
    if (isLeaf && node.getText().trim() !== '')
      lines.add(tree.getLineAndCharacterOfPosition(node.getStart()).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return lines;
};

/**
 * Draws the lines that mutations stand at: the same from the same sources and seed.
 * @param root of the project
 */
export const drawPlaces = (root: string, seed: string): readonly Place[] => {
  const random = createRandom(seed);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => isProduct(file) && !file.includes('node_modules'))
    .toSorted();
  return AREAS.flatMap(({ name, count, files: within, lines }) => {
    const places = files
      .filter((file) => within.test(file))
      .flatMap((file) => {
        const source = readFileSync(join(root, file), 'utf8');
        const texts = source.split('\n');
        return [...listLinesOfCode(file, source)]
          .map((line) => ({ area: name, file, line, text: texts[line - 1]?.trim() ?? '' }))
          .filter(({ text }) => lines === undefined || lines.test(text));
      });
    return Array.from({ length: count }, () => random.pick(places));
  });
};
