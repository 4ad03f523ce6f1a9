import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readCookie, readCsrfToken, sessionCookie } from '../../../scripts/demo/http-session.ts';
import { type BuiltService, startBuiltService } from '../../harness/built-service.ts';
import { throwAwayDirectory } from '../../harness/measured-service.ts';
import { smallBatchOf, smallBodies } from '../../harness/push-bodies.ts';
import { ACCEPTED } from '../../harness/units.ts';
import { HOSTILE_BUNDLES, type HostileBundle } from './bundles.ts';
import { HOSTILE_CHARTS, type HostileChart, SEARCHED } from './charts.ts';
import { HOSTILE_FILES, HOSTILE_FORMS, type HostileFile, type HostileForm } from './files.ts';
import { FLOOD_BATCH, FLOOD_MS, HOSTILE_FLOODS, type HostileFlood } from './floods.ts';
import { startHostileEhr } from './hostile-ehr.ts';
import type { OthersTask, OthersWaits } from './others.ts';

/** Something hostile, and who may send it. */
export type HostileInput =
  | ({ readonly kind: 'push' } & HostileBundle)
  | ({ readonly kind: 'chart' } & HostileChart)
  | ({ readonly kind: 'file' } & HostileFile)
  | ({ readonly kind: 'form' } & HostileForm)
  | ({ readonly kind: 'flood' } & HostileFlood);

export const HOSTILE_INPUTS: readonly HostileInput[] = [
  ...HOSTILE_BUNDLES.map((one) => ({ kind: 'push' as const, ...one })),
  ...HOSTILE_CHARTS.map((one) => ({ kind: 'chart' as const, ...one })),
  ...HOSTILE_FORMS.map((one) => ({ kind: 'form' as const, ...one })),
  ...HOSTILE_FILES.map((one) => ({ kind: 'file' as const, ...one })),
  ...HOSTILE_FLOODS.map((one) => ({ kind: 'flood' as const, ...one })),
];

/** What a sender was answered. */
export interface SentAnswer {
  /** 0: nothing. */
  readonly status: number;
  readonly ms: number;
  /** Address of the receipt of a push that was taken, and the key that may read it. */
  readonly receipt: { readonly address: string; readonly token: string } | null;
  /** Whether the answer says when to come again. */
  readonly saysWhen: boolean;
}

/** What is wanted while something hostile is worked off, milliseconds. */
export const ANSWER_MS = 20_000;
export const OTHERS_P99_MS = 100;
export const OTHERS_WORST_MS = 500;

const UNAVAILABLE = 503;
const MIN_FAULT = 500;

/** A fault is no answer; that there is no room now, and when there may be, is one. */
export const isAnswered = ({ status, saysWhen }: SentAnswer): boolean =>
  status !== 0 && (status < MIN_FAULT || (status === UNAVAILABLE && saysWhen));

/** One request that is ready to be sent, as often as wanted. */
export interface Sending {
  readonly bytes: number;
  readonly send: (withinMs: number) => Promise<SentAnswer>;
}

/** @see startHostileTarget */
export type HostileTarget = Awaited<ReturnType<typeof startHostileTarget>>;

const OTHERS = new URL('./others.ts', import.meta.url);
const SCRIBES = 6;
const KEYS = 8;
/** A flood fills it within its time. */
const QUEUE_LIMIT_RECORDS = '3000';
const IMPORT = '/registry/import';
const NEW_BIRTH = '/registry/records/new';

/**
 * Starts the built service with a practice that sends what is hostile, and another one that would
 * like to work. Everything goes through its commands and its addresses, so that the service may be
 * of another version.
 */
export const startHostileTarget = async () => {
  const directory = await throwAwayDirectory();
  const ehr = await startHostileEhr();
  const service = await startBuiltService(directory.path, {
    LOG_LEVEL: 'fatal',
    QUEUE_LIMIT_RECORDS,
    SMART_CLIENT_ID: 'birth-registry',
    SMART_ALLOWED_ISSUERS: ehr.issuer,
    // Each launch comes from an address of its own, which the limiter counts.
    TRUST_PROXY: 'loopback',
  });
  const hostile = await newPractice(service, SCRIBES);
  const others = await newPractice(service, 1);
  const token = pickFrom(others.tokens, 0);
  const receipt = await pushOnce(service.url, token);
  const callers = startCallers({
    url: service.url,
    token,
    receipt,
    cookie: pickFrom(others.members, 0).cookie,
    prefix: 'O-',
  });
  const context: SendingContext = { url: service.url, ehr, ...hostile, addresses: 0 };
  const hasEnded = (): boolean =>
    service.child().exitCode !== null || service.child().signalCode !== null;

  return {
    service,
    dataDir: directory.path,
    /**
     * Makes the requests of an input, which go out at once.
     * @param from another number, other keys and accounts
     */
    prepare: async (input: HostileInput, from = 0): Promise<readonly Sending[]> => {
      if (input.kind === 'form' || input.kind === 'file') await keepSignedIn(context);
      return prepareSendings(input, from, context);
    },
    /** Watches how long others wait while the work goes on. */
    async watchOthers(work: () => Promise<unknown>): Promise<OthersWaits> {
      await callers.take();
      await work();
      return callers.take();
    },
    /** Whether its process has ended. */
    hasEnded,
    /** Starts the service again if it has ended, and waits until it is ready. */
    async revive(): Promise<void> {
      if (hasEnded()) service.restart();
      await service.ready();
    },
    async stop(): Promise<void> {
      callers.stop();
      await service.stop();
      await ehr.stop();
      await directory.remove();
    },
  };
};

/** Starts callers in a process of their own, who ask until they are stopped. */
const startCallers = (task: OthersTask) => {
  const child = fork(fileURLToPath(OTHERS), [], {
    execArgv: ['--import', import.meta.resolve('tsx')],
  });
  child.send(task);
  return {
    /** What they have seen since the last call. */
    async take(): Promise<OthersWaits> {
      const answer = once(child, 'message');
      child.send('take');
      const [seen] = await answer;
      return seen as OthersWaits;
    },
    stop: (): void => child.disconnect(),
  };
};

/** A member, and the session. */
interface Member {
  readonly email: string;
  readonly password: string;
  cookie: string;
  csrf: string;
  signedInAt: number;
}

/** A session that nobody uses ends after a while. */
const KEPT_MS = 5 * 60_000;

const keepSignedIn = async ({ url, members }: SendingContext): Promise<void> => {
  for (const member of members)
    if (performance.now() - member.signedInAt > KEPT_MS) await signIn(url, member);
};

const signIn = async (url: string, member: Member): Promise<void> => {
  member.cookie = await sessionCookie(url, member.email, member.password);
  const page = await fetch(`${url}${NEW_BIRTH}`, { headers: { Cookie: member.cookie } });
  member.csrf = readCsrfToken(await page.text());
  member.signedInAt = performance.now();
};

interface HostilePractice {
  readonly tokens: readonly string[];
  readonly partnerToken: string;
  readonly members: readonly Member[];
}

const newPractice = async (
  { url, operator }: BuiltService,
  scribes: number,
): Promise<HostilePractice> => {
  const password = randomUUID();
  const { practiceId } = await operator('practice', 'create', '--name', 'Cedar', '--beta');
  const practice = ['--practice', String(practiceId)];
  const scopes = ['--scopes', 'ingest:write,ingest:read'];
  const tokens: string[] = [];
  for (let key = 0; key < KEYS; key += 1)
    tokens.push(String((await operator('key', 'mint', ...practice, ...scopes))['token']));
  const created = ['--name', 'Obstetrics Cloud', '--beta', '--status', 'Active'];
  const { partnerId } = await operator('partner', 'create', ...created);
  const ofPartner = ['--partner', String(partnerId), ...practice, ...scopes];
  const { token: partnerToken } = await operator('partner', 'mint-key', ...ofPartner);
  const members: Member[] = [];
  for (let scribe = 0; scribe < scribes; scribe += 1) {
    const email = `${randomUUID()}@cedar.example`;
    // The lowest role that may bring a file; who shows records needs another.
    const role = scribes === 1 ? 'Admin' : 'Scribe';
    const account = ['--email', email, '--password', password, '--role', role];
    await operator('member', 'add', ...practice, ...account);
    const member = { email, password, cookie: '', csrf: '', signedInAt: 0 };
    await signIn(url, member);
    members.push(member);
  }
  return { tokens, partnerToken: String(partnerToken), members };
};

/** @returns the address of its receipt */
const pushOnce = async (url: string, token: string): Promise<string> => {
  const taken = await fetch(`${url}/api/registry/fhir/Bundle`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/fhir+json' },
    body: smallBodies('P-')(0),
  });
  if (taken.status !== ACCEPTED) throw new Error(`A push was answered with ${taken.status}.`);
  return taken.headers.get('content-location') ?? '';
};

interface SendingContext extends HostilePractice {
  readonly url: string;
  readonly ehr: Awaited<ReturnType<typeof startHostileEhr>>;
  addresses: number;
}

const prepareSendings = (
  input: HostileInput,
  from: number,
  context: SendingContext,
): readonly Sending[] => {
  const { atOnce = 1 } = input;
  const places = Array.from({ length: atOnce }, (_, place) => from + place);
  switch (input.kind) {
    case 'push':
      return places.map((place) => preparePush(input, place, context));
    case 'chart':
      return places.map(() => prepareLaunch(input, context));
    case 'file':
      return places.map((place) => prepareFile(input, place, context));
    case 'flood':
      return input.what === 'push'
        ? places.flatMap((place) => context.tokens.map((key) => prepareFlood(place, key, context)))
        : prepareGuesses(atOnce, context);
    case 'form':
      return Array.from({ length: input.accounts ?? 1 }, (_, account) =>
        places.map(() => prepareForm(input, pickFrom(context.members, from + account), context)),
      ).flat();
  }
};

const pickFrom = <One>(list: readonly One[], place: number): One => {
  const picked = list[place % list.length];
  if (picked === undefined) throw new RangeError('Nothing to pick from.');
  return picked;
};

const GZIP_MAGIC = 0x1f;

const preparePush = (
  { bodyOf, isOfPartner = false }: HostileBundle,
  place: number,
  { url, tokens, partnerToken }: SendingContext,
): Sending => {
  const body = Buffer.from(bodyOf(place) as string);
  const token = isOfPartner ? partnerToken : pickFrom(tokens, place);
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/fhir+json',
    ...(body[0] === GZIP_MAGIC ? { 'Content-Encoding': 'gzip' } : {}),
  };
  return {
    bytes: body.length,
    send: (withinMs) =>
      timed(withinMs, async (signal) => {
        const address = `${url}/api/registry/fhir/Bundle`;
        const answer = await fetch(address, { method: 'POST', headers, body, signal });
        const receipt = answer.headers.get('content-location');
        return {
          answer,
          receipt:
            answer.status === ACCEPTED && receipt !== null ? { address: receipt, token } : null,
        };
      }),
  };
};

/** Pushes one Bundle after the other, and answers for the last. */
const prepareFlood = (place: number, key: string, { url }: SendingContext): Sending => {
  const prefix = `F-${place}-${key.slice(-4)}-`;
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/fhir+json' };
  return {
    bytes: Buffer.byteLength(smallBatchOf(prefix, 0, FLOOD_BATCH)),
    send: async (withinMs) => {
      const until = performance.now() + FLOOD_MS;
      for (let n = 0; ; n += 1) {
        const body = smallBatchOf(prefix, n * FLOOD_BATCH, FLOOD_BATCH);
        const answered = await timed(withinMs, async (signal) => {
          const address = `${url}/api/registry/fhir/Bundle`;
          const answer = await fetch(address, { method: 'POST', headers, body, signal });
          return { answer, receipt: null };
        });
        if (!isAnswered(answered) || performance.now() > until) return answered;
      }
    },
  };
};

/** An address that the limiter has not counted. */
const newAddress = (context: SendingContext): string => {
  context.addresses += 1;
  return `203.0.${Math.floor(context.addresses / 250)}.${context.addresses % 250}`;
};

const prepareGuesses = (count: number, context: SendingContext): readonly Sending[] => {
  const { url } = context;
  const opened = fetch(`${url}/sign-in`).then(async (page) => ({
    Cookie: readCookie(page.headers),
    _csrf: readCsrfToken(await page.text()),
  }));
  const address = newAddress(context);
  return Array.from({ length: count }, () => ({
    bytes: 0,
    send: (withinMs) =>
      timed(withinMs, async (signal) => {
        const { Cookie, _csrf } = await opened;
        const email = `${randomUUID()}@cedar.example`;
        const body = new URLSearchParams({ _csrf, email, password: 'not the password' });
        const headers = { Cookie, 'X-Forwarded-For': address };
        const sent = { method: 'POST', redirect: 'manual', headers, body, signal } as const;
        return { answer: await fetch(`${url}/sign-in`, sent), receipt: null };
      }),
  }));
};

const prepareLaunch = (chart: HostileChart, context: SendingContext): Sending => {
  const { url, ehr } = context;
  // Made now rather than while others are watched.
  const bytes = SEARCHED.flatMap(chart.pagesOf).reduce((sum, { length }) => sum + length, 0);
  return {
    bytes,
    send: (withinMs) =>
      timed(withinMs, async (signal) => {
        const address = newAddress(context);
        const own = { redirect: 'manual', signal } as const;
        const headers = { 'X-Forwarded-For': address };
        const begun = await fetch(`${url}${ehr.launchPath(chart)}`, { ...own, headers });
        const away = begun.headers.get('location');
        if (away === null) return { answer: begun, receipt: null };
        const back = await fetch(away, { ...own });
        const answer = await fetch(back.headers.get('location') ?? '', {
          ...own,
          headers: { ...headers, Cookie: readCookie(begun.headers) },
        });
        return { answer, receipt: null };
      }),
  };
};

const prepareFile = (
  { bytesOf }: HostileFile,
  place: number,
  { url, members }: SendingContext,
): Sending => {
  const bytes = bytesOf(place);
  const { cookie, csrf } = pickFrom(members, place);
  return {
    bytes: bytes.length,
    send: (withinMs) =>
      timed(withinMs, async (signal) => {
        const body = new FormData();
        body.set('_csrf', csrf);
        body.set('file', new Blob([new Uint8Array(bytes)]), 'births.csv');
        const headers = { Cookie: cookie };
        const sent = { method: 'POST', redirect: 'manual', headers, body, signal } as const;
        const answer = await fetch(`${url}${IMPORT}`, sent);
        return { answer, receipt: null };
      }),
  };
};

const prepareForm = (
  { path, fields }: HostileForm,
  { cookie, csrf }: Member,
  { url }: SendingContext,
): Sending => {
  const body = new URLSearchParams(
    [['_csrf', csrf], ...fields()].map(([name, value]) => [name ?? '', value ?? '']),
  ).toString();
  const headers = { Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded' };
  return {
    bytes: body.length,
    send: (withinMs) =>
      timed(withinMs, async (signal) => {
        const sent = { method: 'POST', redirect: 'manual', headers, body, signal } as const;
        return { answer: await fetch(`${url}${path}`, sent), receipt: null };
      }),
  };
};

/** Sends something and reads its whole answer. */
const timed = async (
  withinMs: number,
  send: (
    signal: AbortSignal,
  ) => Promise<{ readonly answer: Response; readonly receipt: SentAnswer['receipt'] }>,
): Promise<SentAnswer> => {
  const began = performance.now();
  try {
    const { answer, receipt } = await send(AbortSignal.timeout(withinMs));
    await answer.arrayBuffer();
    const saysWhen = answer.headers.has('retry-after');
    return { status: answer.status, ms: performance.now() - began, receipt, saysWhen };
  } catch {
    // The process has ended, or took too long.
    return { status: 0, ms: performance.now() - began, receipt: null, saysWhen: false };
  }
};
