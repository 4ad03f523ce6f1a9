/** @returns duration in milliseconds */
export type AskFor = (path: string) => Promise<number>;

const OK = 200;
/** A search with a single result redirects to it. */
const isHit = (response: Response): boolean =>
  response.headers.get('location')?.startsWith('/registry/records/') === true;

/** @returns session cookie */
export const sessionCookie = async (
  url: string,
  email: string,
  password: string,
): Promise<string> => {
  const form = await fetch(`${url}/sign-in`);
  const _csrf = readCsrfToken(await form.text());
  const signedIn = await fetch(`${url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: readCookie(form.headers) },
    body: new URLSearchParams({ _csrf, email, password }),
  });
  return readCookie(signedIn.headers);
};

/** Address of a search in the records; contains the encrypted search text. */
export const searchAddress = async (url: string, Cookie: string, q: string): Promise<string> => {
  const form = await (await fetch(`${url}/registry/records`, { headers: { Cookie } })).text();
  const answer = await fetch(`${url}/registry/records`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie },
    body: new URLSearchParams({ _csrf: readCsrfToken(form), q }),
  });
  await answer.arrayBuffer();
  const address = answer.headers.get('location');
  if (address === null) throw new Error(`A search was answered with ${answer.status}.`);
  return address;
};

export const createAsker =
  (url: string, Cookie: string): AskFor =>
  async (path) => {
    const began = performance.now();
    const response = await fetch(`${url}${path}`, { headers: { Cookie }, redirect: 'manual' });
    await response.arrayBuffer();
    if (response.status !== OK && !isHit(response))
      throw new Error(`${path} was answered with ${response.status}.`);
    return performance.now() - began;
  };

/** Session cookie that a response sets, ready to send; empty if none. */
export const readCookie = (headers: Headers): string =>
  headers.getSetCookie()[0]?.split(';')[0] ?? '';

/** CSRF token of a page's forms; empty if none. */
export const readCsrfToken = (html: string): string =>
  /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
