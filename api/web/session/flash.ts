import type { Request } from 'express';

declare module 'express-session' {
  interface SessionData {
    flashes: readonly Flash[];
  }
}

/** Shown on the next page that the same person opens. */
export interface Flash {
  readonly kind: 'success' | 'warning' | 'error' | 'info';
  readonly text: string;
  readonly link?: { readonly href: string; readonly text: string } | undefined;
}

/** Set before the redirect of a form. */
export const flash = (
  req: Request,
  kind: Flash['kind'],
  text: string,
  link?: Flash['link'],
): void => {
  req.session.flashes = [...(req.session.flashes ?? []), { kind, text, link }];
};

/** Removes the messages from the session. */
export const takeFlashes = (req: Request): readonly Flash[] => {
  const { flashes = [] } = req.session;
  delete req.session.flashes;
  return flashes;
};
