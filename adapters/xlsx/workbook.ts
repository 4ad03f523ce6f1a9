import { posix } from 'node:path';
import { MAX_FILE_BYTES } from '../../domain/mapping/csv/file-limits.ts';
import { findNumberFormat, type NumberFormat } from './number-formats.ts';
import { WorkbookOverLimit, type WorkbookParts, WorkbookUnreadable } from './workbook-parts.ts';

export interface WorkbookSheet {
  readonly name: string;
  readonly part: string;
  readonly isHidden: boolean;
}

export interface Workbook {
  readonly sheets: readonly WorkbookSheet[];
  /** True if dates are days since 1904 instead of 1900. */
  readonly countsFrom1904: boolean;
  readonly stylesPart: string;
  readonly textsPart: string;
}

const ROOT = '_rels/.rels';
const USUAL_WORKBOOK = 'xl/workbook.xml';
/** Namespaces of references to other parts, in both versions of the standard. */
const RELATIONS: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  'http://purl.oclc.org/ooxml/officeDocument/relationships',
]);
const MAX_SHEETS = 1_000;
const MAX_RELATIONS = 10_000;
/** Excel keeps up to 250 formats of its own in a workbook. */
const MAX_NUMBER_FORMATS = 1_000;
/** @see Excel specifications and limits, "Unique cell formats/cell styles" */
const MAX_CELL_STYLES = 65_490;
const MAX_TEXTS = 2_000_000;
/** @see Excel specifications and limits, "Total number of characters that a cell can contain" */
const MAX_CELL_CHARACTERS = 32_767;
const CHARACTERS_PER_ESCAPE = '_x000D_'.length;
/** Maximum number of characters in the file for the text of one cell. */
const MAX_WRITTEN_CHARACTERS = MAX_CELL_CHARACTERS * CHARACTERS_PER_ESCAPE;

/** Lists the sheets of a workbook, or returns `null` if the archive is not a workbook. */
export const readWorkbook = async (parts: WorkbookParts): Promise<Workbook | null> => {
  const root = await loadRelations(parts, '');
  const part = root.find(({ type }) => type === 'officeDocument')?.target ?? USUAL_WORKBOOK;
  if (!parts.has(part)) return null;
  const relations = await loadRelations(parts, part);
  const found: { name: string; state: string; relation: string }[] = [];
  let isWorkbook = false;
  let countsFrom1904 = false;
  await parts.read(part, {
    open(element, attribute) {
      if (element === 'workbook') isWorkbook = true;
      if (element === 'workbookPr') countsFrom1904 = isTrue(attribute('date1904'));
      if (element !== 'sheet') return;
      if (found.length >= MAX_SHEETS) throw new WorkbookOverLimit('sheets', MAX_SHEETS);
      found.push({
        name: attribute('name'),
        state: attribute('state'),
        relation: attribute('id', RELATIONS),
      });
    },
  });
  if (!isWorkbook) return null;
  const findPart = (type: string) => relations.find((one) => one.type === type)?.target ?? '';
  const byId = new Map(relations.toReversed().map((relation) => [relation.id, relation]));
  return {
    sheets: found.flatMap(({ name, state, relation }) => {
      const target = byId.get(relation);
      return target?.type === 'worksheet'
        ? [{ name, part: target.target, isHidden: state !== '' && state !== 'visible' }]
        : [];
    }),
    countsFrom1904,
    stylesPart: findPart('styles'),
    textsPart: findPart('sharedStrings'),
  };
};

interface Relation {
  readonly id: string;
  /** Last segment of its type. The segments before it differ between the two standards. */
  readonly type: string;
  readonly target: string;
}

/** Parts that a part refers to. @param of name of the part, or '' for the archive itself */
const loadRelations = async (parts: WorkbookParts, of: string): Promise<readonly Relation[]> => {
  const folder = posix.dirname(of);
  const list = of === '' ? ROOT : posix.join(folder, '_rels', `${posix.basename(of)}.rels`);
  const relations: Relation[] = [];
  await parts.read(list, {
    open(element, attribute) {
      if (element !== 'Relationship') return;
      if (relations.length >= MAX_RELATIONS)
        throw new WorkbookOverLimit('references between its parts', MAX_RELATIONS);
      const target = attribute('Target');
      relations.push({
        id: attribute('Id'),
        type: attribute('Type').split('/').at(-1) ?? '',
        target: target.startsWith('/')
          ? target.slice(1)
          : posix.join(of === '' ? '' : folder, target),
      });
    },
  });
  return relations;
};

export const isTrue = (text: string): boolean => text === '1' || text === 'true';

/** Finds the number format of a cell by its style. A missing or unknown style means the first one. */
export type FindFormat = (style: string) => NumberFormat;

/** Parsed on first use: workbooks that were often copied have many formats that no cell uses. */
export const readFormats = async (
  parts: WorkbookParts,
  { stylesPart }: Workbook,
): Promise<FindFormat> => {
  const codes = new Map<number, string>();
  const styles: number[] = [];
  let isOfCells = false;
  let isOfFormats = false;
  let formats = 0;
  await parts.read(stylesPart, {
    open(element, attribute) {
      if (element === 'numFmts') isOfFormats = true;
      // Formats of tables and conditional formats have numbers of their own.
      else if (element === 'numFmt' && isOfFormats) {
        formats += 1;
        if (formats > MAX_NUMBER_FORMATS)
          throw new WorkbookOverLimit('number formats', MAX_NUMBER_FORMATS);
        codes.set(Number(attribute('numFmtId')), attribute('formatCode'));
      } else if (element === 'cellXfs') isOfCells = true;
      else if (element === 'xf' && isOfCells) {
        if (styles.length >= MAX_CELL_STYLES)
          throw new WorkbookOverLimit('cell styles', MAX_CELL_STYLES);
        styles.push(Number(attribute('numFmtId')));
      }
    },
    close(element) {
      if (element === 'numFmts') isOfFormats = false;
      if (element === 'cellXfs') isOfCells = false;
    },
  });
  const parsed = new Map<number, NumberFormat>();
  return (style) => {
    const id = (style === '' ? undefined : styles[Number(style)]) ?? styles[0] ?? 0;
    const known = parsed.get(id);
    if (known !== undefined) return known;
    const format = findNumberFormat(id, codes.get(id));
    parsed.set(id, format);
    return format;
  };
};

/** Finds a text by its number. @throws WorkbookUnreadable for an unknown one */
export type FindText = (number: number) => string;

/** In large blocks: a workbook can have millions of texts, and a sheet uses few of them. */
export const readTexts = async (
  parts: WorkbookParts,
  { textsPart }: Workbook,
): Promise<FindText> => {
  const texts = createTexts();
  let text = '';
  let isText = false;
  let isPhonetic = false;
  await parts.read(textsPart, {
    open(element) {
      if (element === 'si') text = '';
      else if (element === 'rPh') isPhonetic = true;
      else if (element === 't') isText = !isPhonetic;
    },
    text(more) {
      if (isText) text = appendCellText(text, more);
    },
    close(element) {
      if (element === 'si') texts.add(unescapeCellText(text));
      else if (element === 'rPh') isPhonetic = false;
      else if (element === 't') isText = false;
    },
  });
  return texts.find;
};

export const appendCellText = (text: string, more: string): string => {
  if (text.length + more.length > MAX_WRITTEN_CHARACTERS) throw cellTooLong();
  return text + more;
};

const ESCAPED = /_x([0-9a-f]{4})_/gi;

/** Characters that XML cannot contain. @see ECMA-376 22.9.2.19 "ST_Xstring" @throws WorkbookOverLimit */
export const unescapeCellText = (text: string): string => {
  const decoded = text.includes('_x')
    ? text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
  if (decoded.length > MAX_CELL_CHARACTERS) throw cellTooLong();
  return decoded;
};

const cellTooLong = () => new WorkbookOverLimit('characters in a cell', MAX_CELL_CHARACTERS);

const TEXTS_PER_BLOCK = 512;

interface TextBlock {
  readonly joined: string;
  readonly ends: Uint32Array;
  readonly used: (string | undefined)[];
}

const createTexts = () => {
  const blocks: TextBlock[] = [];
  let open: string[] = [];
  let characters = 0;
  const closeBlock = () => {
    let end = 0;
    const ends = Uint32Array.from(open, ({ length }) => (end += length));
    blocks.push({ joined: open.join(''), ends, used: [] });
    open = [];
  };
  return {
    add(text: string) {
      characters += text.length;
      if (characters > MAX_FILE_BYTES)
        throw new WorkbookOverLimit('characters of text', MAX_FILE_BYTES);
      if (blocks.length * TEXTS_PER_BLOCK + open.length >= MAX_TEXTS)
        throw new WorkbookOverLimit('texts', MAX_TEXTS);
      open.push(text);
      if (open.length === TEXTS_PER_BLOCK) closeBlock();
    },
    find(number: number): string {
      if (open.length > 0) closeBlock();
      const block = blocks[Math.floor(number / TEXTS_PER_BLOCK)];
      const place = number % TEXTS_PER_BLOCK;
      const end = block?.ends[place];
      if (block === undefined || end === undefined)
        throw new WorkbookUnreadable('A text of a cell is not in the workbook.');
      const known = block.used[place];
      if (known !== undefined) return known;
      const text = block.joined.slice(place === 0 ? 0 : block.ends[place - 1], end);
      block.used[place] = text;
      return text;
    },
  };
};
