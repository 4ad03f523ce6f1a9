/** Asks for pages of a service as somebody who has signed in. @returns milliseconds until the end */
export type AskFor = (path: string) => Promise<number>;

const OK = 200;
/** A search with one hit leads to it. */
const isHit = (response: Response): boolean =>
  response.headers.get('location')?.startsWith('/registry/records/') === true;

/** Signs in over plain HTTP. */
export const signIn = async (url: string, email: string, password: string): Promise<AskFor> => {
  const form = await fetch(`${url}/sign-in`);
  const _csrf = /name="_csrf" value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
  const first = cookieOf(form);
  const signedIn = await fetch(`${url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: first },
    body: new URLSearchParams({ _csrf, email, password }),
  });
  const Cookie = cookieOf(signedIn);
  return async (path) => {
    const began = performance.now();
    const response = await fetch(`${url}${path}`, { headers: { Cookie }, redirect: 'manual' });
    await response.arrayBuffer();
    if (response.status !== OK && !isHit(response))
      throw new Error(`${path} was answered with ${response.status}.`);
    return performance.now() - began;
  };
};

const cookieOf = (response: Response): string =>
  response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
