import type { Request } from 'express';

declare module 'express-session' {
  interface SessionData {
    flashes: readonly Flash[];
  }
}

/** Message on the next page that the same person opens. */
export interface Flash {
  readonly kind: 'success' | 'warning' | 'error' | 'info';
  readonly text: string;
  /** Suggested next step. */
  readonly link?: { readonly href: string; readonly text: string } | undefined;
}

/** Shows a message once, on the next page: the result of a form, set before its redirect. */
export const flash = (
  req: Request,
  kind: Flash['kind'],
  text: string,
  link?: Flash['link'],
): void => {
  req.session.flashes = [...(req.session.flashes ?? []), { kind, text, link }];
};

/** Returns the messages for this page and removes them from the session. */
export const takeFlashes = (req: Request): readonly Flash[] => {
  const { flashes = [] } = req.session;
  delete req.session.flashes;
  return flashes;
};
