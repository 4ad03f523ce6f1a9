import { readCsrfToken, sessionCookie } from '../../../scripts/demo/http-session.ts';
import { intakeOf, type SingleService, startSingle } from '../../harness/measured-service.ts';
import { smallBodies } from '../../harness/push-bodies.ts';
import { receiptAddress, startTestService } from '../../harness/service.ts';
import { withMountedRoutes } from '../../support/mounted-routes.ts';
import { crawl } from './crawl.ts';
import { MARKER, type Session, type Target } from './request.ts';

/** A service to be tried, and what is known of it. */
export interface FuzzTarget {
  readonly single: SingleService;
  readonly port: number;
  readonly target: Target;
  /** Says what its log has told of so far that it should not. */
  logFaults(): readonly string[];
}

const PASSWORD = 'a long synthetic passphrase';
const WARN = 40;
/** A warning of Node: its code, or its name. */
const NODE_WARNING = /^\(node:\d+\) (?:\[(?=\w+\]))?(\w+)/;

/**
 * Starts a service with a practice, a partner, keys of both, a few records, an Admin and staff, signed
 * in. Its routes are those of a service of the same settings that is started in this process first.
 */
export const startFuzzTarget = async (
  changes: Readonly<Record<string, string>>,
): Promise<FuzzTarget> => {
  const settings = {
    // The pull lane is there, but leads nowhere.
    SMART_CLIENT_ID: 'birth-registry',
    SMART_ALLOWED_ISSUERS: 'https://ehr.invalid/r4',
    TRUST_PROXY: '1',
    ...changes,
  };
  const [mounted, routes] = await withMountedRoutes(() => startTestService(settings));
  await mounted.stop();
  const log = createLogReader();
  const single = await startSingle(settings, log.take);
  const { service, practice } = single;
  const { commands, url } = service;
  const { practiceId } = practice;
  const password = PASSWORD;
  const email = 'admin@cedar.example';
  const staffEmail = 'staff@registry.example';
  const memberId = await commands.accounts.addMember({
    practiceId,
    role: 'Admin',
    email,
    password,
  });
  for (const role of ['Provider', 'Viewer', 'Scribe'] as const) {
    const member = { practiceId, role, email: `${role.toLowerCase()}@cedar.example`, password };
    await commands.accounts.addMember(member);
  }
  const staffId = await commands.accounts.addStaff({ email: staffEmail, password });
  await commands.accounts.addStaff({ email: 'colleague@registry.example', password });
  const partner = { beta: true, status: 'Active' } as const;
  const partnerId = await commands.partners.create({ ...partner, name: 'Obstetrics Cloud' });
  const scopes = ['ingest:write', 'ingest:read'] as const;
  const ofPartner = await commands.keys.mintPartner({ partnerId, practiceId, name: null, scopes });
  const ofPractice = await commands.keys.mintNative({ practiceId, name: null, scopes });
  // Others of each kind, for the staff to do with what the forms say.
  const other = await commands.practices.create({ name: 'Elm House', sandbox: true, beta: true });
  await commands.keys.mintNative({ practiceId: other, name: 'spare', scopes });
  await commands.partners.create({ ...partner, name: 'Another Cloud' });

  const receipts = await pushRecords(single);
  const cookie = await sessionCookie(url, email, password);
  const checkedFile = await fillPractice(url, cookie);
  const admin = await crawl(url, cookie, routes);
  const staff = await crawl(url, await sessionCookie(url, staffEmail, password), routes);

  // What the run itself needs must not be changed.
  const needed = [practiceId, partnerId, ofPartner.keyId, ofPractice.keyId, memberId, staffId];
  const isHarmless = (text: string): boolean => !needed.some((id) => text.includes(id));
  const withHarmlessForms = (session: Session): Session => ({
    ...session,
    forms: session.forms.filter(({ action, fields }) => isHarmless(`${action} ${fields.join()}`)),
  });
  return {
    single,
    port: service.settings.port,
    logFaults: log.faults,
    target: {
      host: `127.0.0.1:${service.settings.port}`,
      nativeToken: ofPractice.token,
      partnerToken: ofPartner.token,
      checkedFiles: [checkedFile],
      sessions: [withHarmlessForms(admin.session), withHarmlessForms(staff.session)],
      routes,
      known: [...receipts, checkedFile, ...admin.addresses, ...staff.addresses].filter(isHarmless),
    },
  };
};

/** Pushes two births, one of them under two chart numbers. @returns the addresses of the receipts */
const pushRecords = async (single: SingleService): Promise<readonly string[]> => {
  const { url, token } = intakeOf(single);
  const [first, second] = [0, 1].map(smallBodies('K-')) as [string, string];
  const receipts: string[] = [];
  for (const body of [first, second, second.replaceAll('K-', 'L-')]) {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/fhir+json',
      'Idempotency-Key': `known-${receipts.length}`,
    };
    const answer = await fetch(url, { method: 'POST', headers, body });
    receipts.push(new URL(receiptAddress(answer), url).pathname);
  }
  await single.tables.allDone();
  return receipts;
};

/** Adds a field of the practice, and has a file checked. @returns the address of the file */
const fillPractice = async (url: string, Cookie: string): Promise<string> => {
  const submit = async (path: string, body: URLSearchParams | FormData) => {
    const page = await fetch(`${url}${path}`, { headers: { Cookie } });
    body.append('_csrf', readCsrfToken(await page.text()));
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie },
      body,
    });
    return answer.headers.get('location');
  };
  await submit('/registry/custom-fields', new URLSearchParams({ label: 'Room', type: 'text' }));
  const form = new FormData();
  const file = 'chart_number,mother_family_name\r\nF-1,Marin\r\n';
  // The token has to come before the file.
  const page = await fetch(`${url}/registry/import`, { headers: { Cookie } });
  form.append('_csrf', readCsrfToken(await page.text()));
  form.append('file', new Blob([file], { type: 'text/csv' }), 'births.csv');
  const location = await submit('/registry/import', form);
  if (location === null) throw new Error('The file was not checked.');
  return location;
};

/** Reads the lines of a log: none may hold what was submitted, or tell of a fault. */
const createLogReader = () => {
  const faults: string[] = [];
  let rest = '';
  const look = (line: string): void => {
    if (line.includes(MARKER)) faults.push('a line of the log holds a submitted value');
    const { level, msg, fault } = fieldsOf(line);
    // Nothing of ours goes to standard error, and what Node writes there may quote anything.
    if (level === undefined && line.trim() !== '')
      faults.push(
        `a line that is none of the log (${NODE_WARNING.exec(line)?.[1] ?? 'no warning'})`,
      );
    if (Number(level) >= WARN) faults.push(`a line of the log: ${msg} (${fault ?? 'no fault'})`);
  };
  return {
    take(text: string) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) look(line);
    },
    faults: (): readonly string[] => faults,
  };
};

const fieldsOf = (line: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
};
