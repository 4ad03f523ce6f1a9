import type { RequestHandler } from 'express';

/**
 * Redirects a GET of a form's POST-only address (Back button, bookmark) to the page with the form.
 * @param path of that page; `:name` is replaced by the request's parameter
 */
export const redirectGet =
  (path: string): RequestHandler =>
  (req, res) => {
    const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(String(req.params[name])),
    );
    res.redirect(303, filled);
  };
