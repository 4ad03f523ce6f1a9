import express, { type Request, type RequestHandler, type Response } from 'express';
import { MAX_CHILDREN, MAX_TRANSFERS } from '../../domain/course/limits.ts';
import { formOverLimit, type PageProblem } from './page-problem.ts';

const MAX_BYTES = 1_048_576;
/**
 * Before sign-in, every request may occupy this much memory until it times out. Twice the size of a
 * birth form with 20 children, which a member may post after their session has ended.
 */
const MAX_UNAUTHENTICATED_BYTES = 65_536;
const MAX_FIELDS = 2_000;
/** More than any list of checkboxes has. */
const MAX_VALUES_OF_NAME = 200;
/** In UTF-16 units. The longest text of a form is the domains of a practice. */
const MAX_VALUE_LENGTH = 20_000;
const MAX_NAME_LENGTH = 200;

/** Any other list has the limit of the first. */
const MAX_LISTED: Readonly<Record<string, number>> = {
  children: MAX_CHILDREN,
  transfers: MAX_TRANSFERS,
};
const LISTED_NAME = /(?:^|\.)([a-z_]+)\.(\d+)\./;

/** Refuses a form with more of anything than its page has. */
export const createFormParser = (isSignedIn: (res: Response) => boolean): RequestHandler => {
  const readerOf = (limit: number) =>
    express.urlencoded({ extended: false, limit, parameterLimit: MAX_FIELDS });
  const read = readerOf(MAX_BYTES);
  const readOfStranger = readerOf(MAX_UNAUTHENTICATED_BYTES);
  return (req, res, next) =>
    (isSignedIn(res) ? read : readOfStranger)(req, res, (error) => {
      if (hasTooManyFields(error)) next(formOverLimit('fields', null, MAX_FIELDS));
      else next(error ?? findFormOverLimit(req.body) ?? undefined);
    });
};

const hasTooManyFields = (error: unknown): boolean =>
  error instanceof Error && 'type' in error && error.type === 'parameters.too.many';

/** `null` if no list, name, or text is too long. */
export const findFormOverLimit = (body: unknown): PageProblem | null => {
  if (typeof body !== 'object' || body === null) return null;
  const listed = new Map<string, Set<string>>();
  for (const [name, value] of Object.entries(body)) {
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
    const longest = Math.max(...texts.slice(0, MAX_VALUES_OF_NAME).map((text) => `${text}`.length));
    const refusal =
      limit('characters in the name of a field', name.length, MAX_NAME_LENGTH) ??
      limit('answers to one question', texts.length, MAX_VALUES_OF_NAME) ??
      limit('characters in one field', longest, MAX_VALUE_LENGTH);
    if (refusal !== null) return refusal;
    const [, list, index] = LISTED_NAME.exec(name) ?? [];
    if (list === undefined || index === undefined) continue;
    const indexes = listed.get(list) ?? new Set();
    listed.set(list, indexes.add(index));
  }
  for (const [list, { size }] of listed) {
    const isKnown = Object.hasOwn(MAX_LISTED, list);
    const refusal = isKnown
      ? limit(list, size, MAX_LISTED[list] ?? 0)
      : limit('entries in one list', size, MAX_CHILDREN);
    if (refusal !== null) return refusal;
  }
  return null;
};

const limit = (list: string, length: number, most: number): PageProblem | null =>
  length > most ? formOverLimit(list, length, most) : null;

/** The last text if repeated; empty if missing. */
export const readFormText = (req: Request, name: string): string =>
  readFormTexts(req, name).at(-1) ?? '';

/** Several checkboxes may share a name. */
export const readFormTexts = (req: Request, name: string): readonly string[] => {
  const body: unknown = req.body;
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return [];
  const value: unknown = (body as Record<string, unknown>)[name];
  return (Array.isArray(value) ? value : [value])
    .filter((text) => typeof text === 'string')
    .map(removeNul);
};

/** Without duplicates. */
export const listFormNames = (req: Request): readonly string[] => {
  const body: unknown = req.body;
  return typeof body === 'object' && body !== null ? Object.keys(body) : [];
};

/** The first text if repeated; empty if missing. */
export const readQueryText = (req: Request, name: string): string => {
  const value: unknown = req.query[name];
  const text: unknown = Array.isArray(value) ? value[0] : value;
  return typeof text === 'string' ? removeNul(text) : '';
};

/** Removes NUL characters: people do not type them, and Postgres cannot store them. */
export const removeNul = (text: string): string => text.replaceAll('\0', '');
