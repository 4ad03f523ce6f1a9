import type { Request } from 'express';

declare module 'express-session' {
  interface SessionData {
    flashes: readonly Flash[];
  }
}

/** A message for the next page that the same person sees. */
export interface Flash {
  readonly kind: 'success' | 'warning' | 'error' | 'info';
  readonly text: string;
  /** Where to go on from here. */
  readonly link?: { readonly href: string; readonly text: string } | undefined;
}

/** Says something on the next page, once: what a form has done, before its redirect. */
export const flash = (
  req: Request,
  kind: Flash['kind'],
  text: string,
  link?: Flash['link'],
): void => {
  req.session.flashes = [...(req.session.flashes ?? []), { kind, text, link }];
};

/** The messages for this page; they are gone with it. */
export const takeFlashes = (req: Request): readonly Flash[] => {
  const { flashes = [] } = req.session;
  delete req.session.flashes;
  return flashes;
};
