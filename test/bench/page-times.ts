import { PLACES_OF_BIRTH } from '../../domain/course/codes.ts';
import {
  type AskFor,
  createAsker,
  searchAddress,
  sessionCookie,
} from '../../scripts/demo/http-session.ts';
import { withSingle } from '../harness/measured-service.ts';
import { fillLog } from './fill-log.ts';
import { quantile } from './quantile.ts';
import { sized } from './sizes.ts';

/** How fast a page of a practice with many records answers, one request after the other. */
export interface PageTime {
  readonly page: PageName;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export type PageName =
  | 'Home'
  | 'To do'
  | 'Records, first page'
  | 'Records, three letters'
  | 'Records, end of a chart number'
  | 'Records, a date of birth'
  | 'Records, a record number'
  | 'A record'
  | 'Births log'
  | 'Statistics, nothing changed'
  | 'Statistics, all years, a new question'
  | 'Statistics, a month, a new question';

const REQUESTS = sized(200, 10);
const WARM_UP = sized(20, 3);
const EMAIL = 'bench@cedar.example';
const PASSWORD = 'a long synthetic passphrase';
const ATTENDANTS = ['', 'midwife', 'physician', 'doula', 'nurse', 'assistant'];
/** Three letters that begin some of the names. */
const BEGINNINGS = ['mar', 'joh', 'gar', 'wil', 'and', 'rod', 'ngu', 'pat'];

/** Fills a practice of a throw-away service with so many records and asks for its pages. */
export const measurePages = (records: number): Promise<readonly PageTime[]> =>
  withSingle(async ({ service, practice, tables }) => {
    const { practiceId } = practice;
    const account = { practiceId, role: 'Admin', email: EMAIL, password: PASSWORD } as const;
    await service.commands.accounts.addMember(account);
    const ids = await fillLog(service.settings, practiceId, records);
    await tables.hold(records);
    await tables.known();
    const cookie = await sessionCookie(service.url, EMAIL, PASSWORD);
    const searches: Searches = async (words) => {
      const addresses: string[] = [];
      for (const q of words) addresses.push(await searchAddress(service.url, cookie, q));
      return (n) => addresses[n % addresses.length] ?? '';
    };
    return await askAll(createAsker(service.url, cookie), ids, searches);
  });

/** Addresses of the answers to searches, which are posted. */
type Searches = (words: readonly string[]) => Promise<(n: number) => string>;

/** Ends of chart numbers. */
const ENDS = Array.from({ length: REQUESTS + WARM_UP }, (_, n) =>
  String((n * 37) % 1_000).padStart(3, '0'),
);

/** Days of birth: the filled records spread over ten years. */
const BIRTHDAYS = Array.from(
  { length: REQUESTS + WARM_UP },
  (_, n) => `${1 + (n % 12)}/${1 + (n % 28)}/${2015 + (n % 10)}`,
);

/** Characters of a record number up to its first dash. */
const RECORD_NUMBER_BEGINS = 8;

const askAll = async (
  ask: AskFor,
  ids: readonly string[],
  searches: Searches,
): Promise<readonly PageTime[]> => [
  await measure('Home', ask, () => '/registry'),
  await measure('To do', ask, () => '/registry/to-do'),
  await measure('Records, first page', ask, () => '/registry/records'),
  await measure('Records, three letters', ask, await searches(BEGINNINGS)),
  await measure('Records, end of a chart number', ask, await searches(ENDS)),
  await measure('Records, a date of birth', ask, await searches(BIRTHDAYS)),
  await measure(
    'Records, a record number',
    ask,
    await searches(ids.slice(0, REQUESTS).map((id) => id.slice(0, RECORD_NUMBER_BEGINS))),
  ),
  await measure('A record', ask, (n) => `/registry/records/${ids[n % ids.length]}`),
  await measure('Births log', ask, () => '/registry/births'),
  await measure('Statistics, nothing changed', ask, () => '/registry/statistics'),
  // A question that was not asked before is added up.
  await measure(
    'Statistics, all years, a new question',
    ask,
    (n) => {
      const place = PLACES_OF_BIRTH[n % PLACES_OF_BIRTH.length] ?? '';
      const attendant = ATTENDANTS[Math.floor(n / PLACES_OF_BIRTH.length)] ?? '';
      return `/registry/statistics?${new URLSearchParams({ place, attendant })}`;
    },
    { warmUp: 2, requests: Math.min(REQUESTS, PLACES_OF_BIRTH.length * ATTENDANTS.length - 2) },
  ),
  await measure('Statistics, a month, a new question', ask, (n) => {
    const year = 2015 + (n % 10);
    const month = String(1 + (Math.floor(n / 10) % 12)).padStart(2, '0');
    return `/registry/statistics?period=${year}-${month}&attendant=${n % 2 ? 'midwife' : ''}`;
  }),
];

const measure = async (
  page: PageName,
  ask: AskFor,
  pathOf: (n: number) => string,
  { warmUp, requests } = { warmUp: WARM_UP, requests: REQUESTS },
): Promise<PageTime> => {
  for (let n = 0; n < warmUp; n += 1) await ask(pathOf(n));
  const took: number[] = [];
  for (let n = 0; n < requests; n += 1) took.push(await ask(pathOf(warmUp + n)));
  took.sort((a, b) => a - b);
  return { page, p50: quantile(took, 0.5), p99: quantile(took, 0.99) };
};
