import type { NativeKeyOrder } from '../../api/commands/manage-keys.ts';
import { backUp } from '../../api/composition/commands/back-up.ts';
import { rotateSecret } from '../../api/composition/commands/rotate-secret.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { ACCESS_KINDS } from '../../domain/access-log/access-entry.ts';
import { ROLES } from '../../domain/member/events.ts';
import { CONTRACT_STATUSES } from '../../domain/partner/events.ts';
import { flag, type OperatorCommand, string, type Values, WrongUsage } from './command-line.ts';
import {
  claim,
  instant,
  oneOf,
  optional,
  required,
  requireOneOf,
  scopesIn,
  yearIn,
} from './option-values.ts';
import { PASSWORD_OPTIONS, passwordSource } from './password-source.ts';

const practiceCommands: readonly OperatorCommand[] = [
  {
    words: ['practice', 'create'],
    options: { name: string, sandbox: flag, beta: flag },
    usage: 'practice create --name NAME [--sandbox] [--beta]',
    mayFound: true,
    prepare: (values) => {
      const name = required(values, 'name');
      const sandbox = values['sandbox'] === true;
      const beta = values['beta'] === true;
      return async ({ practices }) => ({
        practiceId: await practices.create({ name, sandbox, beta }),
      });
    },
  },
  {
    words: ['practice', 'list'],
    options: { name: string },
    usage: 'practice list [--name PART]',
    prepare: (values) => {
      const namePart = optional(values, 'name') ?? '';
      return async ({ lists }) => ({ practices: await lists.practices(namePart) });
    },
  },
  {
    words: ['practice', 'set'],
    options: {
      ...{ practice: string, sandbox: string, beta: string },
      ...{ name: string, 'time-zone': string },
    },
    usage:
      'practice set --practice ID [--sandbox true|false] [--beta true|false] [--name NAME] [--time-zone ZONE]',
    prepare: (values) => {
      const practiceId = required(values, 'practice');
      requireOneOf(values, 'sandbox', 'beta', 'name', 'time-zone');
      const sandbox = claim(values, 'sandbox');
      const beta = claim(values, 'beta');
      const name = optional(values, 'name');
      const timeZone = optional(values, 'time-zone');
      return async ({ practices }) => {
        await practices.set(practiceId, { sandbox, beta, name, timeZone });
        return { practiceId };
      };
    },
  },
];

const accountCommands: readonly OperatorCommand[] = [
  {
    words: ['member', 'add'],
    options: { practice: string, email: string, ...PASSWORD_OPTIONS, role: string },
    usage: `member add --practice ID --email E --password-stdin | --password P --role ${ROLES.join('|')}`,
    prepare: (values) => {
      const practiceId = required(values, 'practice');
      const email = required(values, 'email');
      const passwordOf = passwordSource(values);
      const role = oneOf(values, 'role', ROLES);
      if (role === null) throw new WrongUsage('--role is missing.');
      return async ({ accounts }) => {
        const password = await passwordOf();
        return { memberId: await accounts.addMember({ email, password, practiceId, role }) };
      };
    },
  },
  {
    words: ['member', 'list'],
    options: { practice: string },
    usage: 'member list --practice ID',
    prepare: (values) => {
      const practiceId = required(values, 'practice');
      return async ({ lists }) => ({ members: await lists.members(practiceId) });
    },
  },
  {
    words: ['staff', 'add'],
    options: { email: string, ...PASSWORD_OPTIONS },
    usage: 'staff add --email E --password-stdin | --password P',
    mayFound: true,
    prepare: (values) => {
      const email = required(values, 'email');
      const passwordOf = passwordSource(values);
      return async ({ accounts }) => {
        const password = await passwordOf();
        return { staffId: await accounts.addStaff({ email, password }) };
      };
    },
  },
];

const keyCommands: readonly OperatorCommand[] = [
  {
    words: ['key', 'mint'],
    options: { practice: string, scopes: string, name: string },
    usage: 'key mint --practice ID --scopes ingest:write,ingest:read [--name NAME]',
    prepare: (values) => {
      const order = keyOrderIn(values);
      return ({ keys }) => keys.mintNative(order);
    },
  },
  {
    words: ['key', 'list'],
    options: { practice: string, partner: string },
    usage: 'key list --practice ID | --partner ID',
    prepare: (values) => {
      const practiceId = optional(values, 'practice');
      const partnerId = optional(values, 'partner');
      if (partnerId !== null && practiceId === null)
        return async ({ lists }) => ({ keys: await lists.keysOfPartner(partnerId) });
      if (practiceId !== null && partnerId === null)
        return async ({ lists }) => ({ keys: await lists.keysOfPractice(practiceId) });
      throw new WrongUsage(
        'The keys of one practice or one partner can be listed. Give either --practice or --partner.',
      );
    },
  },
  {
    words: ['key', 'revoke'],
    options: { key: string },
    usage: 'key revoke --key ID',
    prepare: (values) => {
      const keyId = required(values, 'key');
      return async ({ keys }) => {
        await keys.revoke(keyId);
        return { keyId };
      };
    },
  },
];

const keyOrderIn = (values: Values): NativeKeyOrder => ({
  practiceId: required(values, 'practice'),
  scopes: scopesIn(values),
  name: optional(values, 'name'),
});

const partnerCommands: readonly OperatorCommand[] = [
  {
    words: ['partner', 'create'],
    options: { name: string, beta: flag, status: string },
    usage: `partner create --name NAME [--beta] [--status ${CONTRACT_STATUSES.join('|')}]`,
    mayFound: true,
    prepare: (values) => {
      const name = required(values, 'name');
      const beta = values['beta'] === true;
      const status = oneOf(values, 'status', CONTRACT_STATUSES) ?? 'Pending';
      return async ({ partners }) => ({
        partnerId: await partners.create({ name, beta, status }),
      });
    },
  },
  {
    words: ['partner', 'list'],
    options: {},
    usage: 'partner list',
    prepare:
      () =>
      async ({ lists }) => ({ partners: await lists.partners() }),
  },
  {
    words: ['partner', 'set'],
    options: { partner: string, beta: string, status: string },
    usage: `partner set --partner ID [--beta true|false] [--status ${CONTRACT_STATUSES.join('|')}]`,
    prepare: (values) => {
      const partnerId = required(values, 'partner');
      requireOneOf(values, 'beta', 'status');
      const beta = claim(values, 'beta');
      const status = oneOf(values, 'status', CONTRACT_STATUSES);
      return async ({ partners }) => {
        await partners.set(partnerId, { beta, status });
        return { partnerId };
      };
    },
  },
  {
    words: ['partner', 'mint-key'],
    options: { partner: string, practice: string, scopes: string, name: string },
    usage:
      'partner mint-key --partner ID --practice ID --scopes ingest:write,ingest:read [--name NAME]',
    prepare: (values) => {
      const order = { ...keyOrderIn(values), partnerId: required(values, 'partner') };
      return ({ keys }) => keys.mintPartner(order);
    },
  },
];

const providerCommands: readonly OperatorCommand[] = [
  {
    words: ['provider', 'list'],
    options: { practice: string },
    usage: 'provider list --practice ID',
    prepare: (values) => {
      const practiceId = required(values, 'practice');
      return async ({ providers }) => ({ providers: await providers.list(practiceId) });
    },
  },
  {
    words: ['provider', 'merge'],
    options: { practice: string, absorbed: string, survivor: string },
    usage: 'provider merge --practice ID --absorbed ID --survivor ID',
    prepare: (values) => {
      const practiceId = required(values, 'practice');
      const absorbed = required(values, 'absorbed');
      const survivor = required(values, 'survivor');
      return async ({ providers }) => ({
        repointed: await providers.merge({ practiceId, absorbed, survivor }),
      });
    },
  },
  {
    words: ['provider', 'career'],
    options: { provider: string },
    usage: 'provider career --provider ID',
    prepare: (values) => {
      const providerId = required(values, 'provider');
      return async ({ providers }) => ({
        providerId,
        entries: await providers.career(providerId),
      });
    },
  },
];

const statisticsCommands: readonly OperatorCommand[] = [
  {
    words: ['statistics'],
    options: { practice: string, year: string },
    usage: 'statistics --practice ID [--year Y]',
    prepare: (values) => {
      const practiceId = required(values, 'practice');
      const year = yearIn(values);
      return ({ statistics }) => statistics(practiceId, year);
    },
  },
];

const logCommands: readonly OperatorCommand[] = [
  {
    words: ['history'],
    options: { practice: string, chart: string, record: string, 'as-of': string },
    usage: 'history --practice ID --chart N | --record ID [--as-of INSTANT]',
    prepare: (values) => {
      const practiceId = required(values, 'practice');
      const chartNumber = optional(values, 'chart')?.trim() || null;
      const record = optional(values, 'record');
      const asOf = instant(values, 'as-of');
      if (chartNumber !== null && record === null)
        return ({ history }) => history(practiceId, chartNumber, asOf);
      if (record !== null && chartNumber === null)
        return ({ historyOfRecord }) => historyOfRecord(practiceId, record, asOf);
      throw new WrongUsage(
        'The history of one chart number or one record can be shown. Give either --chart or --record.',
      );
    },
  },
  {
    words: ['access-log'],
    options: {
      ...{ practice: string, record: string, person: string, kind: string },
      ...{ since: string, until: string },
    },
    usage: `access-log [--practice ID] [--record ID] [--person ID] [--kind ${ACCESS_KINDS.join('|')}] [--since INSTANT] [--until INSTANT]`,
    prepare: (values) => {
      const practiceId = optional(values, 'practice');
      const query = {
        record: optional(values, 'record'),
        person: optional(values, 'person'),
        kind: oneOf(values, 'kind', ACCESS_KINDS),
        since: instant(values, 'since'),
        until: instant(values, 'until'),
      };
      return ({ accessLog }) => accessLog(practiceId, query);
    },
  },
  {
    words: ['verify'],
    options: {},
    usage: 'verify',
    prepare:
      () =>
      async ({ verify }) => {
        const { streams, events, problems } = await verify(toStandardError);
        return { streams, events, problems };
      },
  },
];

const tableCommands: readonly OperatorCommand[] = [
  {
    words: ['rebuild'],
    options: { check: flag },
    usage: 'rebuild [--check]',
    prepare: (values) => {
      const purpose = values['check'] === true ? 'compare' : 'swap';
      return ({ rebuild }) => rebuild(purpose, toStandardError);
    },
  },
  {
    words: ['unpark'],
    options: { stream: string },
    usage: 'unpark [--stream S]',
    prepare: (values) => {
      const stream = optional(values, 'stream');
      return ({ unpark }) => unpark(stream, toStandardError);
    },
  },
];

const secretCommands: readonly OperatorCommand[] = [
  {
    words: ['rotate-secret'],
    options: {},
    usage: 'rotate-secret (with REGISTRY_SECRET and PREVIOUS_REGISTRY_SECRET set)',
    prepareAlone: () => (settings) => rotateSecret(settings, openServiceLog('silent')),
  },
];

const backupCommands: readonly OperatorCommand[] = [
  {
    words: ['backup'],
    options: { to: string },
    usage: 'backup --to DIR',
    prepareAlone: (values) => {
      const to = required(values, 'to');
      return (settings) => backUp(settings, to);
    },
  },
];

/** Standard output is for the one JSON object. */
const toStandardError = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Every command there is. */
export const COMMANDS: readonly OperatorCommand[] = [
  ...practiceCommands,
  ...accountCommands,
  ...keyCommands,
  ...partnerCommands,
  ...providerCommands,
  ...statisticsCommands,
  ...logCommands,
  ...tableCommands,
  ...secretCommands,
  ...backupCommands,
];
