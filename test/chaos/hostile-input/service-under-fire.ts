import { type SingleService, startSingle } from '../../harness/single-service.ts';
import { MARKER, type Session, type Target } from './attempt.ts';
import { openSession } from './sessions.ts';

/** A service to be tried, and what is known of it. */
export interface ServiceUnderFire {
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

/** Starts a service with a practice, a partner, keys of both, an Admin and staff, signed in. */
export const startUnderFire = async (
  changes: Readonly<Record<string, string>>,
): Promise<ServiceUnderFire> => {
  const log = newLogReader();
  const single = await startSingle(
    {
      // The pull lane is there, but leads nowhere.
      SMART_CLIENT_ID: 'birth-registry',
      SMART_ALLOWED_ISSUERS: 'https://ehr.invalid/r4',
      TRUST_PROXY: '1',
      ...changes,
    },
    log.take,
  );
  const { service, practice } = single;
  const { commands, url, settings } = service;
  const { practiceId } = practice;
  const email = 'admin@cedar.example';
  const memberId = await commands.accounts.addMember({
    practiceId,
    role: 'Admin',
    email,
    password: PASSWORD,
  });
  for (const role of ['Provider', 'Viewer', 'Scribe'] as const)
    await commands.accounts.addMember({
      practiceId,
      role,
      email: `${role.toLowerCase()}@cedar.example`,
      password: PASSWORD,
    });
  await commands.accounts.addStaff({ email: 'staff@registry.example', password: PASSWORD });
  const partner = { beta: true, status: 'Active' } as const;
  const partnerId = await commands.partners.create({ ...partner, name: 'Obstetrics Cloud' });
  const scopes = ['ingest:write', 'ingest:read'] as const;
  const ofPartner = await commands.keys.mintPartner({ partnerId, practiceId, name: null, scopes });
  const ofPractice = await commands.keys.mintNative({ practiceId, name: null, scopes });
  // Others of each kind, for the staff to do with what the forms say.
  const other = await commands.practices.create({ name: 'Elm House', sandbox: true, beta: true });
  await commands.keys.mintNative({ practiceId: other, name: 'spare', scopes });
  await commands.partners.create({ ...partner, name: 'Another Cloud' });

  const needed = [practiceId, partnerId, ofPartner.keyId, ofPractice.keyId, memberId];
  const isHarmless = (address: string): boolean => !needed.some((id) => address.includes(id));
  const sessionOf = async (one: string): Promise<Session> => {
    const { forms, links, ...session } = await openSession(url, one, PASSWORD);
    return {
      ...session,
      forms: forms.filter(({ action, fields }) => isHarmless(`${action} ${fields.join()}`)),
      links: links.filter(isHarmless),
    };
  };
  return {
    single,
    port: settings.port,
    logFaults: log.faults,
    target: {
      host: `127.0.0.1:${settings.port}`,
      nativeToken: ofPractice.token,
      partnerToken: ofPartner.token,
      checkedFiles: [],
      sessions: [await sessionOf(email), await sessionOf('staff@registry.example')],
    },
  };
};

/** Reads the lines of a log: none may hold what was submitted, or tell of a fault. */
const newLogReader = () => {
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
