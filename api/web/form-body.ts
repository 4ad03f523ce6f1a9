import express, { type Request, type RequestHandler } from 'express';

const MOST_BYTES = 1_048_576;
const MOST_FIELDS = 2_000;

/** Reads a posted form into flat fields. */
export const formBody = (): RequestHandler =>
  express.urlencoded({ extended: false, limit: MOST_BYTES, parameterLimit: MOST_FIELDS });

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

/** A text without NUL characters: nobody types them, and no text of Postgres holds them. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '');
