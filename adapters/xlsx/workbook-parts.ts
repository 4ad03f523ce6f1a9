import { setImmediate } from 'node:timers/promises';
import { Parser } from 'saxen';
import yauzl from 'yauzl';
import { MAX_UNPACKED_MEGABYTES } from '../../domain/mapping/csv/file-limits.ts';

export class WorkbookUnreadable extends Error {
  override readonly name = 'WorkbookUnreadable';
}

export class WorkbookTooLarge extends Error {
  override readonly name = 'WorkbookTooLarge';
}

export class WorkbookOverLimit extends Error {
  override readonly name = 'WorkbookOverLimit';
  /** List that is too long: "number formats". */
  readonly list: string;
  readonly most: number;

  constructor(list: string, most: number) {
    super('A list of the workbook is too long.');
    this.list = list;
    this.most = most;
  }
}

/** '' if absent. @param namespaces of the attribute, by any prefix; none for an attribute without one */
export type FindAttribute = (name: string, namespaces?: ReadonlySet<string>) => string;

/** Handlers for the elements of a part, with names without a prefix: '' for those of another namespace. */
export interface ElementHandlers {
  open?(element: string, attribute: FindAttribute): void;
  close?(element: string): void;
  text?(text: string): void;
  /** True if the rest of the part is not needed. */
  isDone?(): boolean;
}

/** Parts of a workbook, each unpacked while it is read. Their names are compared without regard to case. */
export interface WorkbookParts {
  has(name: string): boolean;
  /** Reads a part from its start. A missing part has no elements. */
  read(name: string, handlers: ElementHandlers): Promise<void>;
}

const MAX_PARTS = 10_000;
/** Maximum size of the list of parts. Its entries can have many fields that are not read. */
const MAX_DIRECTORY_BYTES = 1024 * 1024;
const MAX_DEPTH = 100;
/** Far more than any element of the standard has. */
const MAX_ATTRIBUTES = 100;
/** Maximum length of an attribute. The longest of Excel is a number format of 255 entities. */
const MAX_ATTRIBUTE_LENGTH = 2_000;
const MAX_UNPACKED_BYTES = MAX_UNPACKED_MEGABYTES * 1024 * 1024;
/** A cell has at most 32,767 characters, each an entity of up to six characters. */
const MAX_CHARACTERS_BETWEEN_TAGS = 256 * 1024;

export const openParts = async (bytes: Buffer): Promise<WorkbookParts> => {
  const zip = await openArchive(bytes);
  const entries = await listEntries(zip);
  let unpacked = 0;
  return {
    has: (name) => entries.has(foldName(name)),
    async read(name, handlers) {
      const entry = entries.get(foldName(name));
      if (entry === undefined) return;
      // The archive may lie about its sizes, so we check again while unpacking.
      if (unpacked + entry.uncompressedSize > MAX_UNPACKED_BYTES) throw new WorkbookTooLarge();
      const parser = newParser(handlers);
      let decoder: TextDecoder | null = null;
      const stream = await unpackedStream(zip, entry);
      try {
        for await (const chunk of stream) {
          unpacked += (chunk as Buffer).length;
          if (unpacked > MAX_UNPACKED_BYTES) throw new WorkbookTooLarge();
          decoder ??= openDecoder(chunk as Buffer);
          parser.write(decoder.decode(chunk as Buffer, { stream: true }));
          if (handlers.isDone?.() === true) return;
          await setImmediate();
        }
        parser.write(decoder?.decode() ?? '');
      } catch (error) {
        if (isOfWorkbook(error)) throw error;
        throw new WorkbookUnreadable('A part cannot be unpacked.', { cause: error });
      }
      parser.end();
    },
  };
};

/** Replaced characters would change values, so other encodings are refused. @see ECMA-376 Part 2, 6.2.5 "XML usage" */
const openDecoder = (start: Buffer): TextDecoder => {
  const [first, second] = start;
  const isUtf16 = first === 0xff && second === 0xfe;
  const isSwapped = first === 0xfe && second === 0xff;
  return new TextDecoder(isSwapped ? 'utf-16be' : isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true });
};

/** @see ECMA-376 Part 2, 6.2.2.3 "Part name equivalence" */
const foldName = (name: string): string =>
  name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const isOfWorkbook = (error: unknown): boolean =>
  error instanceof WorkbookTooLarge ||
  error instanceof WorkbookUnreadable ||
  error instanceof WorkbookOverLimit;

const openArchive = (bytes: Buffer): Promise<yauzl.ZipFile> =>
  new Promise((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error !== null || zip === undefined)
        reject(new WorkbookUnreadable('The archive cannot be read.', { cause: error }));
      else resolve(zip);
    });
  });

const listEntries = (zip: yauzl.ZipFile): Promise<ReadonlyMap<string, yauzl.Entry>> =>
  new Promise((resolve, reject) => {
    const entries = new Map<string, yauzl.Entry>();
    const refuse = (cause?: unknown) =>
      reject(new WorkbookUnreadable('The list of parts cannot be read.', { cause }));
    if (zip.entryCount > MAX_PARTS) {
      reject(new WorkbookOverLimit('parts', MAX_PARTS));
      return;
    }
    let listed = 0;
    zip.on('entry', (entry: yauzl.Entry) => {
      listed += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (listed > MAX_DIRECTORY_BYTES) {
        refuse();
        return;
      }
      entry.extraFields = [];
      const name = foldName(entry.fileName);
      if (!entries.has(name)) entries.set(name, entry);
      zip.readEntry();
    });
    zip.on('end', () => resolve(entries));
    zip.on('error', refuse);
    zip.readEntry();
  });

const unpackedStream = (zip: yauzl.ZipFile, entry: yauzl.Entry) =>
  new Promise<AsyncIterable<unknown>>((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error !== null || stream === undefined)
        reject(new WorkbookUnreadable('A part cannot be opened.', { cause: error }));
      else resolve(stream);
    });
  });

type Attributes = Readonly<Record<string, string>>;

interface Scope {
  readonly depth: number;
  readonly attributes: Attributes;
  readonly outer: Scope | null;
}

/** Namespaces whose elements are read, in both versions of the standard. */
const READ_NAMESPACES: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
  'http://schemas.openxmlformats.org/package/2006/relationships',
]);

/** @throws WorkbookUnreadable, from each of its functions */
const newParser = (handlers: ElementHandlers) => {
  const parser = new Parser();
  let fault: Error | null = null;
  // Characters since the last tag. The parser would rescan an unterminated element with each chunk.
  let since = 0;
  let depth = 0;
  let scope: Scope | null = null;
  const resetProgress = () => {
    since = 0;
  };
  parser
    .on('openTag', (element, findAttributes, decode) => {
      resetProgress();
      depth += 1;
      if (depth > MAX_DEPTH) throw new WorkbookOverLimit('elements inside each other', MAX_DEPTH);
      const attributes = findAttributes();
      if (hasDeclarations(attributes)) scope = { depth, attributes, outer: scope };
      const named = scope;
      handlers.open?.(findReadName(element, scope), (name, namespaces) =>
        decode(
          limitAttribute(
            attributes[
              namespaces === undefined ? name : findKey(attributes, name, namespaces, named)
            ] ?? '',
          ),
        ),
      );
    })
    .on('closeTag', (element) => {
      resetProgress();
      handlers.close?.(findReadName(element, scope));
      if (scope?.depth === depth) scope = scope.outer;
      depth -= 1;
    })
    .on('text', (text, decode) => {
      resetProgress();
      handlers.text?.(decode(text));
    })
    .on('cdata', (text) => {
      resetProgress();
      handlers.text?.(text);
    })
    .on('error', (error) => {
      fault = error;
    });
  const check = () => {
    if (fault !== null || since > MAX_CHARACTERS_BETWEEN_TAGS)
      throw new WorkbookUnreadable('A part is not well-formed.', { cause: fault });
  };
  return {
    write(chunk: string) {
      since += chunk.length;
      parser.write(chunk);
      check();
    },
    end() {
      parser.end();
      check();
    },
  };
};

/** @throws WorkbookOverLimit */
const hasDeclarations = (attributes: Attributes): boolean => {
  let count = 0;
  let isFound = false;
  for (const name in attributes) {
    count += 1;
    if (count > MAX_ATTRIBUTES)
      throw new WorkbookOverLimit('attributes in an element', MAX_ATTRIBUTES);
    isFound ||= name.startsWith('xmlns');
  }
  return isFound;
};

const findNamespace = (prefix: string, scope: Scope | null): string => {
  const name = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  for (let open = scope; open !== null; open = open.outer) {
    const namespace = open.attributes[name];
    if (namespace !== undefined) return namespace;
  }
  return '';
};

const findReadName = (element: string, scope: Scope | null): string => {
  const colon = element.indexOf(':');
  const namespace = findNamespace(element.slice(0, Math.max(colon, 0)), scope);
  return namespace === '' || READ_NAMESPACES.has(namespace) ? element.slice(colon + 1) : '';
};

/** The attribute of a local name whose prefix stands for one of the namespaces, or ''. */
const findKey = (
  attributes: Attributes,
  name: string,
  namespaces: ReadonlySet<string>,
  scope: Scope | null,
): string =>
  Object.keys(attributes).find((key) => {
    const colon = key.indexOf(':');
    return (
      colon > 0 &&
      key.slice(colon + 1) === name &&
      namespaces.has(findNamespace(key.slice(0, colon), scope))
    );
  }) ?? '';

const limitAttribute = (text: string): string => {
  if (text.length > MAX_ATTRIBUTE_LENGTH)
    throw new WorkbookOverLimit('characters in an attribute', MAX_ATTRIBUTE_LENGTH);
  return text;
};
