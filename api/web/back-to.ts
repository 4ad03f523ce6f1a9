import type { RequestHandler } from 'express';

/**
 * Answers a GET of an address that takes a form only, as after Back or from a bookmark: it leads to
 * the page that the form is on.
 * @param path the page; `:name` in it stands for the parameter of the address
 */
export const backTo =
  (path: string): RequestHandler =>
  (req, res) => {
    const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(String(req.params[name])),
    );
    res.redirect(303, filled);
  };
