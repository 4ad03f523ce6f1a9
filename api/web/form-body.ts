import express, { type Request, type RequestHandler, type Response } from 'express';

const MAX_BYTES = 1_048_576;
/**
 * For callers who have not signed in: each may keep this much of the service's memory for as long as
 * a request may take. Twice what the form of a birth with 20 children holds, which a member may send
 * after their session has ended.
 */
const MAX_UNAUTHENTICATED_BYTES = 65_536;
const MAX_FIELDS = 2_000;

/**
 * Reads a posted form into flat fields.
 * @param isSignedIn whether the sender of the request that a response answers has signed in
 */
export const formBody = (isSignedIn: (res: Response) => boolean): RequestHandler => {
  const readerOf = (limit: number) =>
    express.urlencoded({ extended: false, limit, parameterLimit: MAX_FIELDS });
  const read = readerOf(MAX_BYTES);
  const readOfStranger = readerOf(MAX_UNAUTHENTICATED_BYTES);
  return (req, res, next) => (isSignedIn(res) ? read : readOfStranger)(req, res, next);
};

/** The text of a form's field, the last one of several; empty when it was not sent. */
export const formText = (req: Request, name: string): string => formTexts(req, name).at(-1) ?? '';

/** Every text of a form's field: of checkboxes with one name. */
export const formTexts = (req: Request, name: string): readonly string[] => {
  const body: unknown = req.body;
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return [];
  const value: unknown = (body as Record<string, unknown>)[name];
  return (Array.isArray(value) ? value : [value])
    .filter((text) => typeof text === 'string')
    .map(withoutNul);
};

/** The names of the fields of a form, each once. */
export const formNames = (req: Request): readonly string[] => {
  const body: unknown = req.body;
  return typeof body === 'object' && body !== null ? Object.keys(body) : [];
};

/** The text of a parameter of the query, the first one of several; empty when there is none. */
export const queryText = (req: Request, name: string): string => {
  const value: unknown = req.query[name];
  const text: unknown = Array.isArray(value) ? value[0] : value;
  return typeof text === 'string' ? withoutNul(text) : '';
};

/** A text without NUL characters: they are not typed, and no text of Postgres holds them. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '');
