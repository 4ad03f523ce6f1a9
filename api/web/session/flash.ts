import type { Request } from 'express';

declare module 'express-session' {
  interface SessionData {
    flashes: readonly Flash[];
  }
}

/** Text of a page with a stable id, which tests find as `data-message`. */
export interface Message {
  readonly id: string;
  readonly text: string;
}

/** Shown on the next page that the same person opens. */
export interface Flash {
  readonly kind: 'success' | 'warning' | 'error' | 'info';
  readonly text: string;
  readonly id?: string | undefined;
  readonly link?: { readonly href: string; readonly text: string } | undefined;
}

/** Set before the redirect of a form. */
export const addFlash = (req: Request, flash: Flash): void => {
  req.session.flashes = [...(req.session.flashes ?? []), flash];
};

/** Removes the messages from the session. */
export const takeFlashes = (req: Request): readonly Flash[] => {
  const { flashes = [] } = req.session;
  delete req.session.flashes;
  return flashes;
};
