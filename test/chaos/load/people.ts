import { setTimeout as sleep } from 'node:timers/promises';
import { CHECK_FAILED_MESSAGE } from '../../../api/import/check-file.ts';
import { CHECK_INTERRUPTED_MESSAGE } from '../../../api/pages/import/import-router.tsx';
import { CHECKING_TITLE } from '../../../api/pages/import/progress-page.tsx';
import { readCookie, readCsrfToken } from '../../../scripts/demo/http-session.ts';
import { type Load, newFamilies } from './load.ts';
import type { Answer, RetryingClient } from './retrying-client.ts';

const SEE_OTHER = 303;
const MAX_PAUSE_MS = { entering: 150, importing: 300 };
const ROWS = 90;
const LOOK_EVERY_MS = 200;
const HEADERS =
  'chart_number,mother_family_name,place_of_birth,child1_birth_date,child1_sex,consent_granted';

/** Behind a deep queue the next file is imported without waiting for the end of this one. */
const MAX_WAIT_MS = 3_000;

const NOT_CHECKED = [CHECK_INTERRUPTED_MESSAGE, CHECK_FAILED_MESSAGE];

/** @see signIn */
type Session = Awaited<ReturnType<typeof signIn>>;

/** Signs in a member of the practice, who reads pages and sends forms. */
export const signIn = async (client: RetryingClient, email: string, password: string) => {
  let cookie = '';
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const answer = await client.send(path, { ...init, headers: { Cookie: cookie } });
    cookie = readCookie(answer.headers) || cookie;
    return answer;
  };
  const _csrf = readCsrfToken((await ask('/sign-in', {})).text);
  await ask('/sign-in', { method: 'POST', body: new URLSearchParams({ _csrf, email, password }) });
  const { text: form } = await ask('/registry/records/new', {});
  const ofSession = { _csrf: readCsrfToken(form) };
  return {
    get: (path: string) => ask(path, {}),
    /** Sends a form until it is answered. @param file sent as multipart form data */
    post(path: string, fields: Readonly<Record<string, string>>, file?: File): Promise<Answer> {
      const all = new URLSearchParams({ ...ofSession, ...fields });
      if (file === undefined) return ask(path, { method: 'POST', body: all });
      const body = new FormData();
      for (const [name, value] of all) body.set(name, value);
      body.set('file', file);
      return ask(path, { method: 'POST', body });
    },
  };
};

/** A person who types births into the form, one after the other. */
export const entering =
  (session: Session): Load =>
  async ({ name, random, expected, isOver, count, onFault, pause }) => {
    const nextFamily = newFamilies(0);
    while (!isOver()) {
      const n = nextFamily();
      const chart = `${name}-${n}`;
      const answer = await session.post('/registry/records/new', {
        submission: random.uuid(),
        chart_number: chart,
        'mother.family_name': `Entered ${n}`,
        place_of_birth: 'Home',
        'children.0.birth_date': '5/4/2026',
        'consent.granted': 'no',
        save: 'record',
      });
      count('entered');
      if (answer.status === SEE_OTHER) expected.sent(chart);
      else onFault(`A birth that was entered was answered with ${answer.status}.`);
      await pause(MAX_PAUSE_MS.entering);
    }
  };

/** A person who imports a file, watches its progress for a while, and imports the next. */
export const importing =
  (session: Session): Load =>
  async ({ name, expected, isOver, count, onFault, pause }) => {
    const nextFamily = newFamilies(0);
    while (!isOver()) {
      const births = Array.from({ length: ROWS }, nextFamily);
      const rows = births.map((n) => `${name}-${n},Imported ${n},Home,5/12/2026,female,no`);
      const file = new File([[HEADERS, ...rows].join('\r\n')], 'births.csv', { type: 'text/csv' });
      const checked = await session.post('/registry/import', {}, file);
      const address = checked.headers.get('location');
      if (checked.status !== SEE_OTHER || address === null) {
        onFault(`A file was answered with ${checked.status}.`);
        continue;
      }
      let page = (await session.get(address)).text;
      while (page.includes(CHECKING_TITLE)) {
        await sleep(LOOK_EVERY_MS);
        page = (await session.get(address)).text;
      }
      // Its process, or its database, was killed.
      if (NOT_CHECKED.some((message) => page.includes(message))) continue;
      const confirmed = await session.post(`${address}/confirm`, {});
      if (confirmed.status !== SEE_OTHER)
        onFault(`The confirmation of a file was answered with ${confirmed.status}.`);
      count('imported');
      for (const n of births) expected.sent(`${name}-${n}`);
      const until = performance.now() + MAX_WAIT_MS;
      while (!isOver() && performance.now() < until) {
        const { text } = await session.get(`${address}/progress/figures`);
        if ((JSON.parse(text) as { hasEnded: boolean }).hasEnded) break;
        await sleep(LOOK_EVERY_MS);
      }
      await pause(MAX_PAUSE_MS.importing);
    }
  };
