import { posix } from 'node:path';
import { findNumberFormat, GENERAL, type NumberFormat } from './number-formats.ts';
import { type WorkbookParts, WorkbookUnreadable } from './workbook-parts.ts';

/** Sheet with cells. */
export interface WorkbookSheet {
  readonly name: string;
  /** Name of its part. */
  readonly part: string;
  readonly isHidden: boolean;
}

/** Properties of a workbook for all its sheets. */
export interface Workbook {
  readonly sheets: readonly WorkbookSheet[];
  /** True if dates are days since 1904 instead of 1900. */
  readonly countsFrom1904: boolean;
  readonly stylesPart: string;
  readonly textsPart: string;
}

const ROOT = '_rels/.rels';
const USUAL_WORKBOOK = 'xl/workbook.xml';
const MAX_SHEETS = 1_000;
const MAX_STYLES = 100_000;
const MAX_TEXTS = 2_000_000;

/** Lists the sheets of a workbook, or returns `null` if the archive is not a workbook. */
export const readWorkbook = async (parts: WorkbookParts): Promise<Workbook | null> => {
  const root = await relationsOf(parts, '');
  const part = root.find(({ type }) => type === 'officeDocument')?.target ?? USUAL_WORKBOOK;
  if (!parts.has(part)) return null;
  const relations = await relationsOf(parts, part);
  const found: { name: string; state: string; relation: string }[] = [];
  let isWorkbook = false;
  let countsFrom1904 = false;
  await parts.read(part, {
    open(element, attribute) {
      if (element === 'workbook') isWorkbook = true;
      if (element === 'workbookPr') countsFrom1904 = isTrue(attribute('date1904'));
      if (element === 'sheet' && found.length < MAX_SHEETS)
        found.push({
          name: attribute('name'),
          state: attribute('state'),
          relation: attribute('r:id') || attribute('id'),
        });
    },
  });
  if (!isWorkbook) return null;
  const partOf = (type: string) => relations.find((one) => one.type === type)?.target ?? '';
  return {
    sheets: found.flatMap(({ name, state, relation }) => {
      const target = relations.find((one) => one.id === relation);
      return target?.type === 'worksheet'
        ? [{ name, part: target.target, isHidden: state !== '' && state !== 'visible' }]
        : [];
    }),
    countsFrom1904,
    stylesPart: partOf('styles'),
    textsPart: partOf('sharedStrings'),
  };
};

interface Relation {
  readonly id: string;
  /** Last segment of its type. The segments before it differ between the two standards. */
  readonly type: string;
  readonly target: string;
}

/** Parts that a part refers to. @param of name of the part, or '' for the archive itself */
const relationsOf = async (parts: WorkbookParts, of: string): Promise<readonly Relation[]> => {
  const folder = posix.dirname(of);
  const list = of === '' ? ROOT : posix.join(folder, '_rels', `${posix.basename(of)}.rels`);
  const relations: Relation[] = [];
  await parts.read(list, {
    open(element, attribute) {
      if (element !== 'Relationship' || relations.length >= MAX_SHEETS * 2) return;
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

/** True if the text is an XML true. */
export const isTrue = (text: string): boolean => text === '1' || text === 'true';

/** Number formats of the cells, by style number. */
export const readFormats = async (
  parts: WorkbookParts,
  { stylesPart }: Workbook,
): Promise<readonly NumberFormat[]> => {
  const codes = new Map<number, string>();
  const styles: number[] = [];
  let isOfCells = false;
  await parts.read(stylesPart, {
    open(element, attribute) {
      if (element === 'numFmt') codes.set(Number(attribute('numFmtId')), attribute('formatCode'));
      else if (element === 'cellXfs') isOfCells = true;
      else if (element === 'xf' && isOfCells) styles.push(Number(attribute('numFmtId')));
      if (styles.length > MAX_STYLES || codes.size > MAX_STYLES)
        throw new WorkbookUnreadable('The workbook has too many styles.');
    },
    close(element) {
      if (element === 'cellXfs') isOfCells = false;
    },
  });
  const formats = new Map<number, NumberFormat>();
  return styles.map((id) => {
    const known = formats.get(id) ?? findNumberFormat(id, codes.get(id));
    formats.set(id, known);
    return known;
  });
};

/** Texts that cells refer to by number. */
export const readTexts = async (
  parts: WorkbookParts,
  { textsPart }: Workbook,
): Promise<readonly string[]> => {
  const texts: string[] = [];
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
      if (isText) text += more;
    },
    close(element) {
      if (element === 'si') texts.push(unescapeText(text));
      else if (element === 'rPh') isPhonetic = false;
      else if (element === 't') isText = false;
      if (texts.length > MAX_TEXTS)
        throw new WorkbookUnreadable('The workbook has too many texts.');
    },
  });
  return texts;
};

/** Uses the default format for an unknown style. */
export const findFormat = (formats: readonly NumberFormat[], style: string): NumberFormat =>
  (style === '' ? undefined : formats[Number(style)]) ?? formats[0] ?? GENERAL;

const ESCAPED = /_x([0-9a-f]{4})_/gi;

/** Decodes escapes for characters that XML cannot contain. @see ECMA-376 22.9.2.19 "ST_Xstring" */
export const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
