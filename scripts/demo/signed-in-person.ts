import { readCsrfToken, searchAddress, sessionCookie } from './http-session.ts';
import { DEMO_PASSWORD } from './sample-practices.ts';

export interface SignedInPerson {
  /** HTML of a page. */
  read(path: string): Promise<string>;
  /** @returns submission UUID of the only record that matches */
  find(query: string): Promise<string>;
  /** @param from page with the form @returns path that it redirects to */
  send(from: string, to: string, fields: FormFields, file?: File): Promise<string>;
}

export type FormFields = Readonly<Record<string, string>>;

export const signInAs = async (url: string, email: string): Promise<SignedInPerson> => {
  const Cookie = await sessionCookie(url, email, DEMO_PASSWORD);
  const read = async (path: string): Promise<string> => {
    const answer = await fetch(`${url}${path}`, { headers: { Cookie } });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`);
    return answer.text();
  };
  return {
    read,
    async find(query) {
      const answer = await fetch(`${url}${await searchAddress(url, Cookie, query)}`, {
        headers: { Cookie },
        redirect: 'manual',
      });
      await answer.arrayBuffer();
      const uuid = /records\/([0-9a-f-]{36})$/.exec(answer.headers.get('location') ?? '')?.[1];
      if (uuid === undefined) throw new Error('A search found no record, or several.');
      return uuid;
    },
    async send(from, to, fields, file) {
      const page = await read(from);
      const all = { _csrf: readCsrfToken(page), ...fields };
      const answer = await fetch(`${url}${to}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Cookie },
        body: file === undefined ? new URLSearchParams(all) : upload(all, file),
      });
      await answer.arrayBuffer();
      const leadsTo = answer.headers.get('location');
      if (answer.status !== 303 || leadsTo === null)
        throw new Error(`The form of ${from} was answered with ${answer.status}.`);
      return leadsTo;
    },
  };
};

// The CSRF token must be the first field, and the file the last.
const upload = (fields: FormFields, file: File): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', file, file.name);
  return form;
};
