import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

/** A text that somebody meets when something is not as it should be. */
export interface Message {
  /** File and line, for whoever mends it. */
  readonly at: string;
  /** With {@link GAP} where something is put in. */
  readonly text: string;
}

/** Stands for what a template puts in. */
export const GAP = '…';

/** Which argument of a call or of a constructor is the message. */
const SPEAKERS: Readonly<Record<string, number>> = {
  invalid: 1,
  refuseFile: 1,
  closed: 0,
  onFault: 0,
  report: 0,
  step: 0,
  CommandRefused: 1,
  WrongUsage: 0,
  InvalidArgumentError: 0,
  SettingInvalid: 0,
  PracticeLeaseTimeout: 0,
  ProjectionBehind: 0,
  EmbeddedPostgresFailed: 0,
  EventStoreUnavailable: 0,
  WrongRegistrySecret: 0,
  MigrationFailed: 0,
  ReadTablesOfAnotherLog: 0,
  NothingToCompare: 0,
  RebuildUnderWay: 0,
  SwapRefused: 0,
  RequestProblem: 2,
  PageProblem: 2,
  LaunchProblem: 3,
};

/** Properties that hold one. */
const PROPERTIES = new Set(['diagnostics', 'message', 'error', 'problem', 'remedy', 'happens']);

/** What functions of this file return is a message. */
const ALL_MESSAGES = 'refusal-messages.ts';

/** Methods of the service's log, whose last argument is the line. */
const LOG_METHODS = new Set(['info', 'warn', 'error', 'fatal']);

/** The messages that the sources in these folders say, as far as they are written in them. */
export const messagesIn = (folders: readonly string[]): readonly Message[] =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => messagesOf(join(folder, file))),
  );

/** Texts of pages in the sources of these folders: JSX text, and literals of two words or more. */
export const pageTextsIn = (folders: readonly string[]): readonly Message[] =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:tsx?|mjs)$/.test(file))
      .flatMap((file) => pageTextsOf(join(folder, file))),
  );

/** Attributes that hold no text for people. */
const MARKUP = new Set(['class', 'content', 'd', 'points', 'transform', 'viewBox']);

const pageTextsOf = (file: string): Message[] => {
  const source = parse(file);
  const texts: Message[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isJsxAttribute(node) && MARKUP.has(node.name.getText())) return;
    const isText =
      ts.isJsxText(node) || ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node);
    const text = isText ? node.text.replaceAll(/\s+/g, ' ').trim() : '';
    if (/[a-z] [a-z]/i.test(text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      texts.push({ at: `${file}:${line + 1}`, text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
};

const parse = (file: string): ts.SourceFile =>
  ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x')
      ? ts.ScriptKind.TSX
      : file.endsWith('mjs')
        ? ts.ScriptKind.JS
        : ts.ScriptKind.TS,
  );

const messagesOf = (file: string): Message[] => {
  const source = parse(file);
  const named = textsByName(source);
  const messages: Message[] = [];
  const visit = (node: ts.Node): void => {
    const said = saidBy(node);
    if (said !== undefined) {
      const { line } = source.getLineAndCharacterOfPosition(said.getStart());
      for (const text of textsOf(said, named).filter(isSentence))
        messages.push({ at: `${file}:${line + 1}`, text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return messages;
};

/** Where the words of a message decide something: what it is known by is its id. */
export const comparisonsIn = (folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => comparisonsOf(join(folder, file))),
  );

const EQUALITIES: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);
const SEARCHES = new Set(['includes', 'startsWith', 'endsWith', 'test', 'exec', 'match', 'has']);
const WORDS = /(?:^|\.)(?:diagnostics|message|messages|remedy)$|formatRefusal\(/;

const comparisonsOf = (file: string): readonly string[] => {
  const source = parse(file);
  const found: string[] = [];
  const isWords = (node: ts.Node | undefined): boolean =>
    node !== undefined && WORDS.test(node.getText());
  const isCompared = (node: ts.Node): boolean => {
    if (ts.isBinaryExpression(node))
      return (
        EQUALITIES.has(node.operatorToken.kind) &&
        [node.left, node.right].some(isWords) &&
        ![node.left, node.right].some((side) => /^(?:null|undefined|'')$/.test(side.getText()))
      );
    if (ts.isSwitchStatement(node)) return isWords(node.expression);
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
    const { name, expression } = node.expression;
    return SEARCHES.has(name.text) && [expression, ...node.arguments].some(isWords);
  };
  const visit = (node: ts.Node): void => {
    if (isCompared(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${file}:${line + 1} ${node.getText().split('\n')[0]}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

/** A single word is a code or a label. */
const isSentence = (text: string): boolean => /\s/.test(text) || text.endsWith('.');

const saidBy = (node: ts.Node): ts.Expression | undefined => {
  if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name))
    return PROPERTIES.has(node.name.text) ? node.initializer : undefined;
  if (ts.isReturnStatement(node))
    return node.getSourceFile().fileName.endsWith(ALL_MESSAGES) ? node.expression : undefined;
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined;
  const { expression, arguments: given } = node;
  if (ts.isPropertyAccessExpression(expression)) {
    const { name, expression: of } = expression;
    const isLog = /\b(?:serviceLog|log)$/.test(of.getText()) && LOG_METHODS.has(name.text);
    return isLog ? given?.at(-1) : name.text === 'onFault' ? given?.[0] : undefined;
  }
  const at = ts.isIdentifier(expression) ? SPEAKERS[expression.text] : undefined;
  return at === undefined ? undefined : given?.[at];
};

/** What an expression says, in each of its cases; nothing of what is made elsewhere. */
const textsOf = (said: ts.Expression, named: ReadonlyMap<string, ts.Expression>): string[] => {
  if (ts.isStringLiteral(said) || ts.isNoSubstitutionTemplateLiteral(said)) return [said.text];
  if (ts.isTemplateExpression(said))
    return [said.head.text + said.templateSpans.map(({ literal }) => GAP + literal.text).join('')];
  if (ts.isConditionalExpression(said))
    return [said.whenTrue, said.whenFalse].flatMap((one) => textsOf(one, named));
  if (ts.isParenthesizedExpression(said)) return textsOf(said.expression, named);
  const meant = ts.isIdentifier(said) ? named.get(said.text) : undefined;
  return meant === undefined ? [] : textsOf(meant, new Map());
};

const textsByName = (source: ts.SourceFile): ReadonlyMap<string, ts.Expression> =>
  new Map(
    source.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)
      .flatMap(({ name, initializer }) =>
        ts.isIdentifier(name) && initializer !== undefined ? [[name.text, initializer]] : [],
      ),
  );
