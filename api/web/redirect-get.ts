import type { Request, RequestHandler } from 'express';

/**
 * Redirects a GET of a form's POST-only address (Back button, bookmark) to the page with the form.
 * @param path of that page; `:name` is replaced by the request's parameter
 */
export const redirectGet =
  (path: string): RequestHandler =>
  (req, res) => {
    res.redirect(303, fillPath(path, req));
  };

/** Replaces each `:name` of a path by the request's parameter. */
export const fillPath = (path: string, req: Request): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(req.params[name])));
