import { constants, setPriority } from 'node:os';
import { changesNothing } from '../../adapters/postgres/rebuild/rehearsal-report.ts';
import { RULES } from '../../adapters/postgres/rebuild/rehearsal-rules.ts';
import type { OneTimePassword } from '../../api/commands/account-credentials.ts';
import { CommandRefused } from '../../api/commands/command-refused.ts';
import type { NativeKeyOrder } from '../../api/commands/manage-keys.ts';
import { backUp } from '../../api/operator/back-up.ts';
import { FILE_FORMATS } from '../../api/operator/export-records.ts';
import { rehearse } from '../../api/operator/rehearse.ts';
import { restore } from '../../api/operator/restore.ts';
import { rotateKeys } from '../../api/operator/rotate-keys.ts';
import { rotateSecret } from '../../api/operator/rotate-secret.ts';
import { verify } from '../../api/operator/verify.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { DOCUMENTS_PER } from '../../domain/export/bfdr/document-bundle.ts';
import { countInWords } from '../../domain/format-measures.ts';
import { DATE_ORDERS } from '../../domain/intake/form/date-order.ts';
import { CONTRACT_STATUSES } from '../../domain/partner/events.ts';
import { CLOCKS } from '../../domain/practice/clock.ts';
import { ROLES } from '../../domain/roles.ts';
import { ACCESS_KINDS } from '../../projections/lists/access.ts';
import { onStopSignal } from '../stop-signals.ts';
import { WrongUsage } from '../wrong-usage.ts';
import { alone, type OperatorCommand, onStores, type Values } from './command-line.ts';
import {
  backupInWords,
  keysInWords,
  rebuildInWords,
  restoreInWords,
  rotationInWords,
  unparkedInWords,
  verificationInWords,
} from './for-people/checks.ts';
import { historyInWords } from './for-people/history.ts';
import {
  accessTable,
  careerTable,
  keyTable,
  memberTable,
  partnerTable,
  practiceTable,
  providerTable,
  staffTable,
} from './for-people/lists.ts';
import { rehearsalInWords } from './for-people/rehearsal.ts';
import { statisticsInWords } from './for-people/statistics.ts';
import type { Style } from './for-people/style.ts';
import { momentInUtc } from './for-people/tables.ts';
import {
  addressesIn,
  claim,
  instant,
  oneOf,
  optional,
  required,
  requireOneOf,
  scopesIn,
  several,
  textOf,
  yearIn,
} from './option-values.ts';
import { passwordSource } from './password-source.ts';

const mintedInWords = (
  { keyId, token }: { readonly keyId: string; readonly token: string },
  style: Style,
): string =>
  [
    `The key ${keyId} is minted. This is its token:`,
    '',
    `  ${style.strong(token)}`,
    '',
    'It is shown this once and stored nowhere: hand it over now. `key revoke` ends the key.',
  ].join('\n');

const handedOverInWords = ({ oneTimePassword, expiresAt }: OneTimePassword, style: Style): string =>
  [
    'The account is signed out everywhere. This is its one-time password:',
    '',
    `  ${style.strong(oneTimePassword)}`,
    '',
    `It is shown this once: hand it over now. It is only good for choosing another, until ${momentInUtc(expiresAt)} UTC.`,
  ].join('\n');

const keyOrderIn = (values: Values): NativeKeyOrder => ({
  practiceId: required(values, 'practice'),
  scopes: scopesIn(values),
  name: optional(values, 'name'),
  addresses: addressesIn(values),
});

const purposeIn = (values: Values): 'swap' | 'compare' =>
  values['check'] === true ? 'compare' : 'swap';

/** Aborts when a person or the system stops the command. */
const stoppedBy = (says: string): AbortSignal => {
  const stopping = new AbortController();
  onStopSignal(() => stopping.abort(new CommandRefused('stopped', says)));
  return stopping.signal;
};

/** All commands, in the order of the help. */
export const COMMANDS: readonly OperatorCommand[] = [
  onStores({
    usage: 'practice create --name NAME [--sandbox] [--beta]',
    about: 'creates a practice',
    details: [
      '`--sandbox` makes it a practice for synthetic data.',
      'Without `--beta`, no one can mint a key for it.',
    ],
    example: 'practice create --name "Cedar Birth Center" --sandbox --beta',
    mayFound: true,
    prepare: (values) => {
      const name = required(values, 'name');
      const sandbox = values['sandbox'] === true;
      const beta = values['beta'] === true;
      return async ({ practices }) => ({
        practiceId: await practices.create({ name, sandbox, beta }),
      });
    },
    show: ({ practiceId }) => `The practice is set up. Its id is ${practiceId}.`,
  }),
  onStores({
    usage: 'practice list [--name PART]',
    about: 'lists all practices with their ids, or those whose name contains a text',
    example: 'practice list --name cedar',
    prepare: (values) => {
      const namePart = optional(values, 'name') ?? '';
      return async ({ lists }) => ({ practices: await lists.practices(namePart) });
    },
    show: ({ practices }, style) => practiceTable(practices, style),
  }),
  onStores({
    usage:
      'practice set --practice ID [--sandbox true|false] [--beta true|false] [--name NAME] [--time-zone ZONE] [--date-order month-first|day-first] [--clock 12|24]',
    about: 'changes a practice: sandbox, beta, name, time zone, date order, or clock',
    details: [
      'While the practice has a live record, `--sandbox` is refused.',
      'Until a time zone is set, its pages use America/New_York.',
      'Without a date order or clock, US time zones write the month first and use 12 hours; others write the day first and use 24.',
    ],
    example: 'practice set --practice 7K2MQX --beta true --time-zone America/Chicago',
    prepare: (values) => {
      const practiceId = required(values, 'practice');
      requireOneOf(values, 'sandbox', 'beta', 'name', 'time-zone', 'date-order', 'clock');
      const sandbox = claim(values, 'sandbox');
      const beta = claim(values, 'beta');
      const name = optional(values, 'name');
      const timeZone = optional(values, 'time-zone');
      const dateOrder = oneOf(values, 'date-order', DATE_ORDERS);
      const clock = oneOf(values, 'clock', CLOCKS);
      return async ({ practices }) => {
        await practices.set(practiceId, { sandbox, beta, name, timeZone, dateOrder, clock });
        return { practiceId };
      };
    },
    show: ({ practiceId }) => `Practice ${practiceId} was updated.`,
  }),
  onStores({
    usage: `member add --practice ID --email E --password-stdin | --password P --role ${ROLES.join('|')} [--name NAME]`,
    about: 'makes a person a member of a practice',
    details: [
      'The password is read from standard input, or asked for on a terminal.',
      '`--password P` works too, but leaves it in the history of the shell.',
    ],
    example: 'member add --practice 7K2MQX --email ada@cedar.example --role Admin --password-stdin',
    prepare: (values) => {
      const practiceId = required(values, 'practice');
      const email = required(values, 'email');
      const passwordOf = passwordSource(values);
      const role = oneOf(values, 'role', ROLES);
      if (role === null) throw new WrongUsage('--role is missing.');
      const name = optional(values, 'name') ?? undefined;
      return async ({ accounts }) => {
        const password = await passwordOf();
        return { memberId: await accounts.addMember({ email, password, practiceId, role, name }) };
      };
    },
    show: ({ memberId }) => `The member was added. The id of the account is ${memberId}.`,
  }),
  onStores({
    usage: 'member list --practice ID',
    about: 'lists the members of a practice and the people invited to it',
    details: ['`status` is `seated`, `invited`, or `lapsed` (the invitation expired).'],
    example: 'member list --practice 7K2MQX',
    prepare: (values) => {
      const practiceId = required(values, 'practice');
      return async ({ lists }) => ({ members: await lists.members(practiceId) });
    },
    show: ({ members }, style) => memberTable(members, style),
  }),
  onStores({
    usage: 'member remove --practice ID --email E --by NAME [--last-admin]',
    about: 'removes a member, and signs them out everywhere',
    details: ['The last Admin can be removed only with `--last-admin`.'],
    example: 'member remove --practice 7K2MQX --email ada@cedar.example --by "Sam Reyes"',
    prepare: (values) => {
      const practiceId = required(values, 'practice');
      const email = required(values, 'email');
      const lastAdmin = values['last-admin'] === true ? 'removable' : 'required';
      return async ({ members }) => {
        const memberId = await members.idOf(practiceId, email);
        await members.remove(practiceId, memberId, lastAdmin);
        return { memberId };
      };
    },
    show: () => 'The person is no longer a member, and is signed out everywhere.',
  }),
  onStores({
    usage: 'member set --practice ID --email E --auditor true|false --by NAME',
    about:
      "lets a Viewer or Provider read the practice's access log and audit trail, or stops that",
    example:
      'member set --practice 7K2MQX --email ada@cedar.example --auditor true --by "Sam Reyes"',
    prepare: (values) => {
      const practiceId = required(values, 'practice');
      const email = required(values, 'email');
      requireOneOf(values, 'auditor');
      const isAuditor = claim(values, 'auditor') === true;
      return async ({ members }) => {
        const memberId = await members.idOf(practiceId, email);
        await members.setAuditorPermission(practiceId, memberId, isAuditor);
        return { memberId };
      };
    },
    show: ({ memberId }) => `Member ${memberId} was updated.`,
  }),
  onStores({
    usage: 'member reset --practice ID --email E --by NAME',
    about: "replaces a member's password with a one-time password that works for 72 hours",
    details: ['It also removes their second factors.'],
    example: 'member reset --practice 7K2MQX --email ada@cedar.example --by "Sam Reyes"',
    prepare: (values) => {
      const practiceId = required(values, 'practice');
      const email = required(values, 'email');
      return async ({ members }) =>
        members.givePassword(practiceId, await members.idOf(practiceId, email));
    },
    show: handedOverInWords,
  }),
  onStores({
    usage: 'staff add --email E --password-stdin | --password P [--name NAME]',
    about: 'creates an account of the service staff',
    details: ['The password is read as for `member add`.'],
    example: 'staff add --email sam@registry.example --password-stdin',
    mayFound: true,
    prepare: (values) => {
      const email = required(values, 'email');
      const passwordOf = passwordSource(values);
      const name = optional(values, 'name') ?? undefined;
      return async ({ accounts }) => {
        const password = await passwordOf();
        return { staffId: await accounts.addStaff({ email, password, name }) };
      };
    },
    show: ({ staffId }) => `The account was created. Its id is ${staffId}.`,
  }),
  onStores({
    usage: 'staff list',
    about: 'lists the service staff, and when each of them last signed in',
    example: 'staff list',
    prepare:
      () =>
      async ({ lists }) => ({ staff: await lists.staff() }),
    show: ({ staff }, style) => staffTable(staff, style),
  }),
  onStores({
    usage: 'staff remove --email E --by NAME',
    about: 'closes an account of the service staff, and signs it out everywhere',
    example: 'staff remove --email sam@registry.example --by "Ada Okoye"',
    prepare: (values) => {
      const email = required(values, 'email');
      return async ({ staff }) => ({ staffId: await staff.remove(email) });
    },
    show: () => 'The account is shut, and signed out everywhere.',
  }),
  onStores({
    usage: 'staff reset --email E --by NAME',
    about: 'does the same as `member reset` for an account of the service staff',
    example: 'staff reset --email sam@registry.example --by "Ada Okoye"',
    prepare: (values) => {
      const email = required(values, 'email');
      return ({ staff }) => staff.givePassword(email);
    },
    show: handedOverInWords,
  }),
  onStores({
    usage: 'sessions end --email E --by NAME',
    about: 'signs an account out everywhere within a second',
    details: ['The person can sign in again.'],
    example: 'sessions end --email ada@cedar.example --by "Sam Reyes"',
    prepare: (values) => {
      const email = required(values, 'email');
      return async ({ accounts }) => ({ ended: await accounts.endSessions(email) });
    },
    show: ({ ended }) => `${countInWords(ended, 'session was', 'sessions were')} ended.`,
  }),
  onStores({
    usage:
      'key mint --practice ID --scopes ingest:write,ingest:read [--name NAME] [--addresses A,A]',
    about: 'mints an API key of a practice, and shows its token once',
    details: [
      '`--addresses` limits the key to addresses and networks, such as `203.0.113.0/24,2001:db8::/32`.',
    ],
    example: 'key mint --practice 7K2MQX --scopes ingest:write,ingest:read --name "Cedar EHR"',
    prepare: (values) => {
      const order = keyOrderIn(values);
      return ({ keys }) => keys.mintNative(order);
    },
    show: mintedInWords,
  }),
  onStores({
    usage: 'key list --practice ID | --partner ID',
    about: 'lists the keys of a practice or partner, and when and where each was last used',
    details: ['Tokens are never shown.'],
    example: 'key list --practice 7K2MQX',
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
    show: ({ keys }, style) => keyTable(keys, style),
  }),
  onStores({
    usage: 'key revoke --key ID',
    about: 'revokes a key in every process before the command returns',
    example: 'key revoke --key H4ZC9T',
    prepare: (values) => {
      const keyId = required(values, 'key');
      return async ({ keys }) => {
        await keys.revoke(keyId);
        return { keyId };
      };
    },
    show: ({ keyId }) => `The key ${keyId} is revoked. It no longer works.`,
  }),
  onStores({
    usage: `partner create --name NAME [--beta] [--status ${CONTRACT_STATUSES.join('|')}]`,
    about: 'creates a partner',
    details: ['Without `--status`, its contract is `Pending`.'],
    example: 'partner create --name "Maple EHR" --beta --status Active',
    mayFound: true,
    prepare: (values) => {
      const name = required(values, 'name');
      const beta = values['beta'] === true;
      const status = oneOf(values, 'status', CONTRACT_STATUSES) ?? 'Pending';
      return async ({ partners }) => ({
        partnerId: await partners.create({ name, beta, status }),
      });
    },
    show: ({ partnerId }) => `The partner is set up. Its id is ${partnerId}.`,
  }),
  onStores({
    usage: 'partner list',
    about: 'lists all partners with their ids, beta access, and contract status',
    example: 'partner list',
    prepare:
      () =>
      async ({ lists }) => ({ partners: await lists.partners() }),
    show: ({ partners }, style) => partnerTable(partners, style),
  }),
  onStores({
    usage: `partner set --partner ID [--beta true|false] [--status ${CONTRACT_STATUSES.join('|')}]`,
    about:
      "changes a partner's beta access or contract status, in every process before the command returns",
    example: 'partner set --partner W3N8RD --beta true --status Active',
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
    show: ({ partnerId }) => `Partner ${partnerId} was updated.`,
  }),
  onStores({
    usage:
      'partner mint-key --partner ID --practice ID --scopes ingest:write,ingest:read [--name NAME] [--addresses A,A]',
    about: 'mints a partner feed key for a practice, and shows its token once',
    details: ['A partner can have one live key for each practice.'],
    example: 'partner mint-key --partner W3N8RD --practice 7K2MQX --scopes ingest:write',
    prepare: (values) => {
      const order = { ...keyOrderIn(values), partnerId: required(values, 'partner') };
      return ({ keys }) => keys.mintPartner(order);
    },
    show: mintedInWords,
  }),
  onStores({
    usage: 'provider list --practice ID',
    about: 'lists the providers of a practice that partners have named',
    example: 'provider list --practice 7K2MQX',
    prepare: (values) => {
      const practiceId = required(values, 'practice');
      return async ({ providers }) => ({ providers: await providers.list(practiceId) });
    },
    show: ({ providers }, style) => providerTable(providers, style),
  }),
  onStores({
    usage: 'provider merge --practice ID --absorbed ID --survivor ID',
    about: 'merges two providers into one, and points their records to the one that remains',
    details: ['You can run it again safely.'],
    example: 'provider merge --practice 7K2MQX --absorbed B6TQ4K --survivor X9MH2C',
    prepare: (values) => {
      const practiceId = required(values, 'practice');
      const absorbed = required(values, 'absorbed');
      const survivor = required(values, 'survivor');
      return async ({ providers }) => ({
        repointed: await providers.merge({ practiceId, absorbed, survivor }),
      });
    },
    show: ({ repointed }) =>
      `The providers were merged. ${countInWords(repointed, 'record was', 'records were')} repointed.`,
  }),
  onStores({
    usage: 'provider career --provider ID',
    about: 'lists the births that a provider attended or certified, across merges',
    details: ['`replacedAt` says when an amendment named another provider instead.'],
    example: 'provider career --provider X9MH2C',
    prepare: (values) => {
      const providerId = required(values, 'provider');
      return async ({ providers }) => ({
        providerId,
        entries: await providers.career(providerId),
      });
    },
    show: ({ entries }, style) => careerTable(entries, style),
  }),
  onStores({
    usage: 'statistics --practice ID [--year Y]',
    about: 'shows the counts and rates of a practice, compared with other practices',
    details: ['Rates of other practices are `null` where too few practices have data.'],
    example: 'statistics --practice 7K2MQX --year 2026',
    prepare: (values) => {
      const practiceId = required(values, 'practice');
      const year = yearIn(values);
      return ({ statistics }) => statistics(practiceId, year);
    },
    show: statisticsInWords,
  }),
  onStores({
    usage: 'history --practice ID --chart N | --record ID [--as-of INSTANT]',
    about: 'shows what a record says, and every change with its time and author',
    details: [
      '`--record` takes the `submission_uuid` of a receipt, also for a record without a chart number.',
      '`--as-of` shows the record at that time.',
    ],
    example: 'history --practice 7K2MQX --chart MRN-1001',
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
    show: async (shown, style, { historyNames }, values) =>
      historyInWords(
        shown,
        await historyNames(required(values, 'practice'), shown),
        instant(values, 'as-of'),
        style,
      ),
  }),
  onStores({
    usage: `export --practice ID --to FILE [--format ${FILE_FORMATS.join('|')}] [--since INSTANT] [--per ${DOCUMENTS_PER.join('|')}] --by NAME`,
    about:
      'writes the records of a practice into a new file, and notes each of them in the access log',
    details: [
      'The records that changed first come first, and only you can read the file.',
      '`bundles` writes a FHIR document Bundle on each line, of voided records too.',
      '`ije` writes the state file, 4,000 characters for each child born alive, without voided records and records of partners.',
      '`--per child` writes a Bundle for each child instead of each course of care.',
      '`--since` exports only what has changed since then, and the command prints the time to give the next time.',
      'If an export stops early, the records so far stay in a file next to FILE, and the command says how to continue.',
    ],
    example: 'export --practice 7K2MQX --to /exports/cedar.ndjson --by "Sam Reyes"',
    prepare: (values) => {
      const order = {
        practiceId: required(values, 'practice'),
        to: required(values, 'to'),
        since: instant(values, 'since'),
        format: oneOf(values, 'format', FILE_FORMATS) ?? 'bundles',
        per: oneOf(values, 'per', DOCUMENTS_PER) ?? 'course',
      };
      return ({ exportRecords }, reporter) => exportRecords(order, reporter, stoppedBy('Stopped.'));
    },
    json: ({ exported, leftOut }) => ({ exported, leftOut }),
    show: ({ exported, next }) =>
      [
        `${countInWords(exported, 'record was', 'records were')} exported. The file contains data of people: keep it where only those who need it can read it.`,
        ...(next === null ? [] : [`To export what changes later: --since ${next.toISOString()}`]),
      ].join('\n'),
  }),
  onStores({
    usage: `access-log [--practice ID] [--record ID] [--person ID] [--kind ${ACCESS_KINDS.join('|')}] [--unusual] [--since INSTANT] [--until INSTANT]`,
    about: 'lists who signed in, saw or printed which records, and downloaded files',
    details: [
      'It shows the latest 10,000 entries before `--until`.',
      'What was read with keys is listed only for `--kind receipts` or one record.',
    ],
    example: 'access-log --practice 7K2MQX --kind records --since 2026-05-01T00:00:00Z',
    prepare: (values) => {
      const practiceId = optional(values, 'practice');
      const query = {
        record: optional(values, 'record'),
        person: optional(values, 'person'),
        kind: oneOf(values, 'kind', ACCESS_KINDS),
        onlyUnusual: values['unusual'] === true,
        since: instant(values, 'since'),
        until: instant(values, 'until'),
      };
      return ({ accessLog }) => accessLog(practiceId, query);
    },
    show: accessTable,
  }),
  onStores({
    usage: 'checkpoint',
    about: 'signs a checkpoint of the log, and prints it for auditors to keep',
    example: 'checkpoint',
    prepare:
      () =>
      ({ checkpoint }) =>
        checkpoint(),
    // Printing adds a line feed.
    show: ({ checkpoint }) => checkpoint.trimEnd(),
  }),
  alone({
    usage: 'verify [--against FILE]',
    about:
      'reads the whole log, and compares it with its tree, its checkpoints, and the read tables',
    details: [
      'It names every event that was changed, moved, added, or lost, and every record whose row differs.',
      '`--against` also compares the log with a checkpoint that an auditor has kept.',
    ],
    example: 'verify --against checkpoint-2026-05-12.txt',
    prepareAlone: (values) => {
      const file = optional(values, 'against');
      return async (settings, reporter) => {
        const against = file === null ? null : textOf(file, 'against');
        return verify(settings, openServiceLog('silent'), reporter, against);
      };
    },
    json: ({ streams, events, tree: { size, root }, problems }) => ({
      streams,
      events,
      tree: { size, root: Buffer.from(root).toString('base64') },
      problems,
    }),
    findsFault: ({ problems }) => problems.length > 0,
    show: verificationInWords,
  }),
  alone({
    usage: 'rehearse',
    about: 'tries the rules of this build on past records, and lists what would change',
    details: [
      'It builds separate read tables while a service of any build runs, and changes nothing.',
      'It maps each record again from the Bundle that it exports as, and looks for duplicates again.',
      'It prints counts, up to 20 ids of each kind, and what it cannot decide without the original Bundle.',
    ],
    example: 'rehearse',
    prepareAlone: () => (settings, reporter) => {
      // Yields to the service on this machine.
      setPriority(constants.priority.PRIORITY_LOW);
      const signal = stoppedBy('Stopped. Nothing of it is left.');
      return rehearse(settings, openServiceLog('silent'), reporter, RULES, signal);
    },
    findsFault: (report) => !changesNothing(report),
    show: rehearsalInWords,
  }),
  onStores({
    usage: 'rebuild [--check]',
    about: 'builds new read tables from the log, and swaps them in while the service responds',
    details: ['`--check` only lists the differences.'],
    example: 'rebuild --check',
    prepare: (values) => {
      const purpose = purposeIn(values);
      return ({ rebuild }, reporter) => rebuild(purpose, reporter);
    },
    // A rebuild has corrected the differences that it found.
    findsFault: ({ differences }, values) =>
      purposeIn(values) === 'compare' && differences.length > 0,
    show: (rebuilt, style, _commands, values) => rebuildInWords(rebuilt, purposeIn(values), style),
  }),
  onStores({
    usage: 'unpark [--stream S]',
    about: 'applies events that were parked, after their cause is fixed',
    example: 'unpark',
    prepare: (values) => {
      const stream = optional(values, 'stream');
      return ({ unpark }, { report }) => unpark(stream, report);
    },
    show: unparkedInWords,
  }),
  alone({
    usage: 'rotate-secret (with REGISTRY_SECRET and PREVIOUS_REGISTRY_SECRET set)',
    about: 'wraps the keys of the registry with a new secret',
    details: [
      'The keys stay the same.',
      'PREVIOUS_REGISTRY_SECRET is not needed if the secret was generated into DATA_DIR.',
    ],
    example: 'rotate-secret',
    prepareAlone: () => (settings, reporter) =>
      rotateSecret(settings, openServiceLog('silent'), reporter.progress),
    show: rotationInWords,
  }),
  alone({
    usage: 'rotate-keys --by NAME',
    about: 'makes a new queue key, fingerprint key, and checkpoint key while services run',
    details: ['If it is interrupted, run it again.'],
    example: 'rotate-keys --by "Sam Reyes"',
    prepareAlone: () => (settings, reporter) =>
      rotateKeys(settings, openServiceLog('silent'), reporter.progress),
    show: keysInWords,
  }),
  alone({
    usage: 'backup --to PATH [--recipient AGE1… [--recipient AGE1…]] [--recipients-file FILE]',
    about: 'copies the log and tables of the embedded stores as of one moment',
    details: [
      'Without recipients, it copies into an empty directory.',
      'With recipients, from options or BACKUP_RECIPIENTS, it writes one encrypted file.',
    ],
    example: 'backup --to /backups/2026-05-12.tar.age --recipients-file /etc/registry/recipients',
    prepareAlone: (values) => {
      const to = required(values, 'to');
      const recipients = {
        listed: several(values, 'recipient'),
        file: optional(values, 'recipients-file'),
      };
      return (settings, { progress }) => backUp(settings, to, progress, recipients);
    },
    show: backupInWords,
  }),
  alone({
    usage: 'restore --from FILE --identity FILE [--to DIR]',
    about: 'unpacks an encrypted backup into an empty directory, by default DATA_DIR',
    example:
      'restore --from /backups/2026-05-12.tar.age --identity identity.txt --to /srv/restored',
    prepareAlone: (values) => {
      const from = required(values, 'from');
      const identity = required(values, 'identity');
      const to = optional(values, 'to');
      return ({ dataDir }, { progress }) =>
        restore({ from, identity, to: to ?? dataDir }, progress);
    },
    show: restoreInWords,
  }),
];
