import type { Request, RequestHandler } from 'express';

/** For the POST-only address of a form (Back button, bookmark). @param path may contain `:name` */
export const redirectGet =
  (path: string): RequestHandler =>
  (req, res) => {
    res.redirect(303, fillPath(path, req));
  };

export const fillPath = (path: string, req: Request): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(req.params[name])));
