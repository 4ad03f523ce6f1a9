import { crc32, deflateRawSync } from 'node:zlib';

/** A cell as a sheet holds it: attributes and content of its element, or a text. */
export type TestCell = string | number | { readonly with: string; readonly holds: string } | null;

/** A sheet of a workbook that is made for a test. */
export interface TestSheet {
  readonly name?: string;
  readonly state?: string;
  /** Row 1 first; null: the sheet has no such row. */
  readonly rows: readonly (readonly TestCell[] | null)[];
  /** Attributes of rows, by their number. */
  readonly ofRows?: Readonly<Record<number, string>>;
  /** XML before the rows. */
  readonly columns?: string;
  readonly merged?: readonly string[];
}

/** What a workbook says beside its sheets. */
export interface TestWorkbook {
  readonly sheets: readonly TestSheet[];
  readonly countsFrom1904?: boolean;
  /** Codes of number formats: style 1 is the first. Numbers are those that are built in. */
  readonly formats?: readonly (string | number)[];
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** Namespace of the elements of a workbook. */
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
/** Namespace of references to other parts. */
export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A cell of a number, in a style of the workbook. */
export const styled = (style: number, value: number | string): TestCell => ({
  with: `s="${style}"`,
  holds: `<v>${value}</v>`,
});

/** Letters of a column, from 0. */
const letters = (index: number): string =>
  (index >= 26 ? letters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26));

const sheetXml = (
  { rows, ofRows = {}, columns = '', merged = [] }: TestSheet,
  texts: string[],
): string => {
  const cellXml = (cell: TestCell, address: string): string => {
    if (cell === null) return '';
    if (typeof cell === 'number') return `<c r="${address}"><v>${cell}</v></c>`;
    if (typeof cell === 'string')
      return `<c r="${address}" t="s"><v>${texts.push(cell) - 1}</v></c>`;
    return `<c r="${address}" ${cell.with}>${cell.holds}</c>`;
  };
  const data = rows
    .map((cells, index) =>
      cells === null
        ? ''
        : `<row r="${index + 1}" ${ofRows[index + 1] ?? ''}>${cells
            .map((cell, column) => cellXml(cell, `${letters(column)}${index + 1}`))
            .join('')}</row>`,
    )
    .join('');
  const merges =
    merged.length === 0
      ? ''
      : `<mergeCells>${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
  return `${HEAD}<worksheet xmlns="${MAIN}">${columns}<sheetData>${data}</sheetData>${merges}</worksheet>`;
};

/** The parts of a workbook by their names, as Excel writes them. */
export const workbookParts = ({
  sheets,
  countsFrom1904 = false,
  formats = [],
}: TestWorkbook): Record<string, string> => {
  const texts: string[] = [];
  const bodies = sheets.map((sheet) => sheetXml(sheet, texts));
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const codes = formats.map((format, index) =>
    typeof format === 'number' ? { id: format, xml: '' } : { id: 164 + index, xml: format },
  );
  return {
    '[Content_Types].xml': `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': `${HEAD}<Relationships ${PACKAGE}>${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr${countsFrom1904 ? ' date1904="1"' : ''}/><sheets>${sheets
      .map(
        ({ name = 'Births', state }, index) =>
          `<sheet name="${escaped(name)}" sheetId="${index + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${index + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships ${PACKAGE}>${sheets
      .map((_, index) =>
        relation(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`),
      )
      .join(
        '',
      )}${relation('rId98', 'styles', 'styles.xml')}${relation('rId99', 'sharedStrings', '/xl/sharedStrings.xml')}</Relationships>`,
    'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts>${codes
      .filter(({ xml }) => xml !== '')
      .map(({ id, xml }) => `<numFmt numFmtId="${id}" formatCode="${escaped(xml)}"/>`)
      .join(
        '',
      )}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${codes
      .map(({ id }) => `<xf numFmtId="${id}"/>`)
      .join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${HEAD}<sst xmlns="${MAIN}">${texts
      .map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`)
      .join('')}</sst>`,
    ...Object.fromEntries(
      bodies.map((body, index) => [`xl/worksheets/sheet${index + 1}.xml`, body]),
    ),
  };
};

/** A workbook as a file. */
export const workbookOf = (workbook: TestWorkbook): Buffer => zipOf(workbookParts(workbook));

/** A sheet of texts as a workbook. */
export const workbookOfRows = (rows: readonly (readonly string[])[]): Buffer =>
  workbookOf({ sheets: [{ rows }] });

/** An archive of deflated parts. @param sizes stated in the place of the true ones, by name */
export const zipOf = (
  parts: Readonly<Record<string, string | Buffer>>,
  sizes: Readonly<Record<string, number>> = {},
): Buffer => {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content as string);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(sizes[name] ?? bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = [Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), packed];
    files.push(...local);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000'), common, rest, Buffer.from(name));
    offset += local.reduce((sum, { length }) => sum + length, 0);
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  const count = Object.keys(parts).length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, listed, Buffer.from('PK\u0005\u0006'), end]);
};
