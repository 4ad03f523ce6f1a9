import express, { type Request, type RequestHandler, type Response } from 'express';

const MAX_BYTES = 1_048_576;
/**
 * Limit before sign-in, because every such request may occupy this much memory until it times out.
 * Twice the size of a birth form with 20 children, which a member may post after their session has
 * ended.
 */
const MAX_UNAUTHENTICATED_BYTES = 65_536;
const MAX_FIELDS = 2_000;

/**
 * Parses a posted form into flat fields.
 * @param isSignedIn true if the sender of the request has signed in
 */
export const createFormParser = (isSignedIn: (res: Response) => boolean): RequestHandler => {
  const readerOf = (limit: number) =>
    express.urlencoded({ extended: false, limit, parameterLimit: MAX_FIELDS });
  const read = readerOf(MAX_BYTES);
  const readOfStranger = readerOf(MAX_UNAUTHENTICATED_BYTES);
  return (req, res, next) => (isSignedIn(res) ? read : readOfStranger)(req, res, next);
};

/** Text of a field, the last if repeated; empty if missing. */
export const readFormText = (req: Request, name: string): string =>
  readFormTexts(req, name).at(-1) ?? '';

/** All texts of a field, such as checkboxes that share a name. */
export const readFormTexts = (req: Request, name: string): readonly string[] => {
  const body: unknown = req.body;
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return [];
  const value: unknown = (body as Record<string, unknown>)[name];
  return (Array.isArray(value) ? value : [value])
    .filter((text) => typeof text === 'string')
    .map(removeNul);
};

/** Names of a form's fields, without duplicates. */
export const listFormNames = (req: Request): readonly string[] => {
  const body: unknown = req.body;
  return typeof body === 'object' && body !== null ? Object.keys(body) : [];
};

/** Text of a query parameter, the first if repeated; empty if missing. */
export const readQueryText = (req: Request, name: string): string => {
  const value: unknown = req.query[name];
  const text: unknown = Array.isArray(value) ? value[0] : value;
  return typeof text === 'string' ? removeNul(text) : '';
};

/** Removes NUL characters: people do not type them, and Postgres cannot store them. */
export const removeNul = (text: string): string => text.replaceAll('\0', '');
