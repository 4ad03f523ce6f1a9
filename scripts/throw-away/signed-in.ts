/** Asks for pages of a service while signed in. @returns milliseconds until the end */
export type AskFor = (path: string) => Promise<number>;

const OK = 200;
/** A search with one hit leads to it. */
const isHit = (response: Response): boolean =>
  response.headers.get('location')?.startsWith('/registry/records/') === true;

/** Signs in over plain HTTP. @returns the cookie of the session */
export const sessionCookie = async (
  url: string,
  email: string,
  password: string,
): Promise<string> => {
  const form = await fetch(`${url}/sign-in`);
  const _csrf = csrfTokenIn(await form.text());
  const signedIn = await fetch(`${url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: cookieIn(form.headers) },
    body: new URLSearchParams({ _csrf, email, password }),
  });
  return cookieIn(signedIn.headers);
};

/** Signs in, to ask for pages. */
export const signIn = async (url: string, email: string, password: string): Promise<AskFor> => {
  const Cookie = await sessionCookie(url, email, password);
  return async (path) => {
    const began = performance.now();
    const response = await fetch(`${url}${path}`, { headers: { Cookie }, redirect: 'manual' });
    await response.arrayBuffer();
    if (response.status !== OK && !isHit(response))
      throw new Error(`${path} was answered with ${response.status}.`);
    return performance.now() - began;
  };
};

/** The session cookie that an answer sets, as it is sent; empty if it sets none. */
export const cookieIn = (headers: Headers): string =>
  headers.getSetCookie()[0]?.split(';')[0] ?? '';

/** The token of the forms on a page; empty if it has none. */
export const csrfTokenIn = (html: string): string =>
  /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';

/** The field of a birth form that names the seat it was opened from; empty if there is none. */
export const seatFieldIn = (html: string): Readonly<Record<string, string>> => {
  const [, _seat] = /name="_seat" value="([^"]+)"/.exec(html) ?? [];
  return _seat === undefined ? {} : { _seat };
};
