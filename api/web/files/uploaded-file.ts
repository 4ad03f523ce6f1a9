import busboy from 'busboy';
import type { Request, Response } from 'express';
import type { Receive } from '../../reading/receiving.ts';
import { estimateMemory } from '../../reading/shares.ts';
import { removeNul } from '../form-body.ts';
import { requireSeatAgain } from '../guards/seats.ts';
import { filesAhead, fileTooSlow, unreadableForm } from '../page-problem.ts';
import { CSRF_FIELD, checkToken, refuseForm } from '../session/csrf.ts';
import type { TokenCheck } from '../session/form-token.ts';

export interface Upload {
  /** `null` if no file was chosen; over the limit, truncated to one byte more. */
  readonly file: { readonly name: string; readonly bytes: Buffer } | null;
  readonly fields: ReadonlyMap<string, string>;
}

export const isUpload = (req: Request): boolean => req.is('multipart/form-data') !== false;

const MAX_FIELDS = 4;
const MAX_FIELD_BYTES = 1_000;
const MAX_PART_HEADERS = 20;

/**
 * The token must be the first field; without it, the file is discarded. The body is always read to
 * its end, because a browser shows no answer while it is still sending.
 * @param receive claims memory, and as much as the longest file needs once it has arrived
 * @throws PageProblem 403 without a token of ours, 409 or 410 with one that is not the sender's
 * own, 401 if the session ended during the upload, 400 for a malformed or aborted form, 503 without
 * memory
 */
export const readUpload = async (
  req: Request,
  res: Response,
  mostBytes: number,
  receive: Receive,
): Promise<Upload> => {
  const fields = new Map<string, string>();
  let check = 'unknown' as TokenCheck;
  let name = '';
  let chunks: Buffer[] = [];
  let bytes = 0;
  let isFirst = true;
  const memory = estimateMemory(mostBytes);
  const drop = (): void => {
    chunks = [];
  };
  const arrival = await receive(memory, drop);

  await readParts(req, mostBytes + 1, {
    field(field, text) {
      if (isFirst && field === CSRF_FIELD) check = checkToken(req, res, text);
      else fields.set(field, removeNul(text));
      isFirst = false;
    },
    file(fileName, stream) {
      isFirst = false;
      name = removeNul(fileName);
      stream.on('data', (chunk: Buffer) => {
        if (check !== 'sender') return;
        stream.pause();
        void arrival.add(estimateMemory(chunk.length)).then((hasRoom) => {
          if (hasRoom) chunks.push(chunk);
          stream.resume();
        });
        bytes += chunk.length;
      });
      // Busboy fails the file of an aborted form, too; the form's own error is enough.
      stream.on('error', drop);
    },
  });
  if (check !== 'sender') throw refuseForm(check);
  await requireSeatAgain(res);
  const loss = await arrival.end(memory);
  if (loss !== null) throw loss === 'too-slow' ? fileTooSlow() : filesAhead();
  return {
    file: name === '' && bytes === 0 ? null : { name, bytes: Buffer.concat(chunks, bytes) },
    fields,
  };
};

interface PartHandlers {
  field(name: string, text: string): void;
  file(fileName: string, stream: NodeJS.ReadableStream): void;
}

const readParts = async (
  req: Request,
  mostFileBytes: number,
  take: PartHandlers,
): Promise<void> => {
  const form = createFormReader(req, mostFileBytes);
  const read = new Promise<void>((resolve, reject) => {
    form.on('field', take.field);
    form.on('file', (_field, stream, { filename }) => take.file(filename ?? '', stream));
    form.on('close', resolve);
    form.on('error', reject);
    req.once('error', reject);
    req.once('close', () => req.complete || reject(new Error('The upload broke off.')));
  });
  req.pipe(form);
  try {
    await read;
  } catch {
    req.unpipe(form);
    await discardRest(req);
    throw unreadableForm(400);
  }
};

const createFormReader = (req: Request, mostFileBytes: number): busboy.Busboy => {
  try {
    return busboy({
      headers: req.headers,
      // Browsers encode file names like the page.
      defParamCharset: 'utf8',
      limits: {
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        headerPairs: MAX_PART_HEADERS,
        files: 1,
        fileSize: mostFileBytes,
      },
    });
  } catch {
    // The content type has no boundary.
    throw unreadableForm(400);
  }
};

export const discardRest = (req: Request): Promise<void> =>
  new Promise((resolve) => {
    if (req.readableEnded || req.destroyed) return resolve();
    req.once('end', resolve).once('close', resolve);
    req.resume();
  });
