import type { Page } from 'playwright-core';
import { openStores } from '../../api/composition/stores.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import type { CourseOfCare } from '../../domain/course-of-care/canonical-record.ts';
import { type SimulatedEhr, startEhr } from '../../scripts/ehr-simulator/start-ehr.ts';
import {
  PASSWORD,
  sharedTestPages,
  type TestAccount,
  type TestPages,
  type TestVisitor,
} from '../harness/pages.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { shared } from '../harness/shared.ts';

/** How a browser opens that is launched next: what it pre-fills belongs to its session. */
export const LAUNCHED = { at: 'about:blank', newSession: true } as const;

/** A service that a simulated EHR may launch, with a real browser. */
export interface TestPrefillPages extends TestPages {
  readonly ehr: SimulatedEhr;
  /** Half an hour goes by for every pre-fill that is kept. */
  expirePrefills(): Promise<void>;
  /** What the record under a chart number says; null if there is none. */
  courseUnder(chartNumber: string): Promise<CourseOfCare | null>;
  /** Launches from a patient's chart and ends on the pre-fill. @returns its id */
  launch(page: Page, patientId: string): Promise<string>;
  /** The same over HTTP. @returns address of the pre-fill */
  launchWithoutPage(visitor: TestVisitor, patientId: string): Promise<string>;
}

interface LaunchedService {
  readonly service: TestService;
  readonly ehr: SimulatedEhr;
}

const launchedService = shared(
  async (): Promise<LaunchedService> => {
    const ehr = await startEhr();
    const service = await startTestService({
      SMART_CLIENT_ID: ehr.clientId,
      SMART_ALLOWED_ISSUERS: ehr.issuer,
      TRUST_PROXY: 'loopback',
    });
    ehr.register(service.url);
    return { service, ehr };
  },
  async ({ service, ehr }) => {
    await service.stop();
    await ehr.stop();
  },
);

let browsers = 0;

/** Each browser comes from an address of its own, which the limiter of the callback counts. */
const fromAnAddress = () => {
  browsers += 1;
  return { 'X-Forwarded-For': `203.0.113.${browsers}` };
};

/**
 * Starts the service, the browser and an EHR whose charts are of the last days, or shares those of
 * the file before it.
 */
export const startTestPrefillPages = async (): Promise<TestPrefillPages> => {
  const { item, leave } = await launchedService.join();
  const { ehr } = item;
  const pages = await sharedTestPages(Promise.resolve({ ...item.service, stop: leave }), () => ({
    extraHTTPHeaders: fromAnAddress(),
  }));
  const { service } = pages;
  const stores = await openStores(service.settings, 'command', openServiceLog('silent'));
  return {
    ...pages,
    ehr,
    async expirePrefills() {
      await stores.db
        .updateTable('app.prefill')
        .set({ expires_at: new Date(0) })
        .execute();
      await stores.db
        .updateTable('app.prefill_review')
        .set({ expires_at: new Date(0) })
        .execute();
    },
    async courseUnder(chartNumber) {
      const { practiceId } = pages.practice;
      const { state } = await service.commands.history(practiceId, chartNumber, null);
      return state?.courseOfCare ?? null;
    },
    async launch(page, patientId) {
      await page.goto(ehr.launchUrl(service.url, patientId));
      await page.waitForURL(/\/registry\/capture\/prefill\?id=/);
      return new URL(page.url()).searchParams.get('id') ?? '';
    },
    async launchWithoutPage(visitor, patientId) {
      const headers = fromAnAddress();
      const begin = new URL(ehr.launchUrl(service.url, patientId));
      const launched = await visitor.send(begin.pathname + begin.search, undefined, headers);
      const back = await fetch(launched.headers.get('location') ?? '', { redirect: 'manual' });
      const callback = new URL(back.headers.get('location') ?? '');
      const answer = await visitor.send(callback.pathname + callback.search, undefined, headers);
      return answer.headers.get('location') ?? '';
    },
    async stop() {
      await stores.close();
      await pages.stop();
    },
  };
};

/** Fills in the sign-in that a page shows. */
export const signInHere = async (page: Page, { email }: TestAccount): Promise<void> => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

/** Presses the form's own button. */
export const save = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Save', exact: true }).click();

/** The input of a value of the form. */
export const inputOf = (page: Page, key: string) => page.locator(`[name="${key}"]`);
