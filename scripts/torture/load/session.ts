import { cookieIn, csrfTokenIn, seatFieldIn } from '../../throw-away/signed-in.ts';
import type { Answer, Insistent } from './insistent.ts';

/** A file as a form brings it. */
export interface Upload {
  readonly name: string;
  readonly text: string;
}

/** Somebody of the practice, at its pages. */
export interface Session {
  get(path: string): Promise<Answer>;
  /** Sends a form, with what its page says of the session, until it is answered. */
  post(path: string, fields: Readonly<Record<string, string | Upload>>): Promise<Answer>;
}

/** Signs in. */
export const signIn = async (
  insistent: Insistent,
  email: string,
  password: string,
): Promise<Session> => {
  let cookie = '';
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const answer = await insistent.send(path, { ...init, headers: { Cookie: cookie } });
    cookie = cookieIn(answer.headers) || cookie;
    return answer;
  };
  const _csrf = csrfTokenIn((await ask('/sign-in', {})).text);
  await ask('/sign-in', { method: 'POST', body: new URLSearchParams({ _csrf, email, password }) });
  const { text: form } = await ask('/registry/records/new', {});
  const ofSession = { _csrf: csrfTokenIn(form), ...seatFieldIn(form) };
  return {
    get: (path) => ask(path, {}),
    post(path, fields) {
      const all = { ...ofSession, ...fields };
      const body = Object.values(all).every((value) => typeof value === 'string')
        ? new URLSearchParams(all as Record<string, string>)
        : multipart(all);
      return ask(path, { method: 'POST', body });
    },
  };
};

const multipart = (fields: Readonly<Record<string, string | Upload>>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'string') form.set(name, value);
    else form.set(name, new Blob([value.text], { type: 'text/csv' }), value.name);
  return form;
};
