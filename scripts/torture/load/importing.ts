import { setTimeout as sleep } from 'node:timers/promises';
import { type Load, newFamilies } from './load-parts.ts';
import type { Session } from './session.ts';

const SEE_OTHER = 303;
const ROWS = 90;
const LOOK_EVERY_MS = 200;
const LONGEST_PAUSE_MS = 300;
const HEADERS = 'chart_number,mother_family_name,place_of_birth,child1_birth_date,child1_sex';

/** Behind a deep queue nobody waits for the end of a file before importing the next. */
const LONGEST_WAIT_MS = 3_000;

/** Somebody who imports a file, looks how it goes for a while, and imports the next. */
export const importing =
  (session: Session): Load =>
  async ({ name, expected, isOver, count, onFault, pause }) => {
    const nextFamily = newFamilies(0);
    while (!isOver()) {
      const charts = Array.from({ length: ROWS }, () => {
        const n = nextFamily();
        return { chart: `${name}-${n}`, family: `Imported ${n}` };
      });
      const rows = charts.map(({ chart, family }) => `${chart},${family},Home,5/12/2026,female`);
      const file = { name: 'births.csv', text: [HEADERS, ...rows].join('\r\n') };
      const checked = await session.post('/registry/import', { file });
      const address = checked.headers.get('location');
      if (checked.status !== SEE_OTHER || address === null) {
        onFault(`A file was answered with ${checked.status}.`);
        continue;
      }
      const confirmed = await session.post(`${address}/confirm`, {});
      if (confirmed.status !== SEE_OTHER)
        onFault(`The confirmation of a file was answered with ${confirmed.status}.`);
      count('imported');
      for (const { chart } of charts) expected.told(chart);
      const until = performance.now() + LONGEST_WAIT_MS;
      while (!isOver() && performance.now() < until) {
        const { text } = await session.get(`${address}/progress/figures`);
        if ((JSON.parse(text) as { hasEnded: boolean }).hasEnded) break;
        await sleep(LOOK_EVERY_MS);
      }
      await pause(LONGEST_PAUSE_MS);
    }
  };
