import { Command, Option } from '@commander-js/extra-typings';
import type { OneTimePassword } from '../../../api/commands/account-credentials.ts';
import type { MintedKey } from '../../../api/commands/manage-keys.ts';
import { countInWords } from '../../../domain/format-measures.ts';
import { DATE_ORDERS } from '../../../domain/mapping/form/date-order.ts';
import { CONTRACT_STATUSES } from '../../../domain/partner/events.ts';
import { CLOCKS } from '../../../domain/practice/clock.ts';
import { ROLES } from '../../../domain/roles.ts';
import { type OperatorCommand, onStores } from '../command-line.ts';
import {
  careerTable,
  keyTable,
  memberTable,
  partnerTable,
  practiceTable,
  providerTable,
  staffTable,
} from '../for-people/lists.ts';
import type { Style } from '../for-people/style.ts';
import { momentInUtc } from '../for-people/tables.ts';
import { parseAddresses, parseBoolean, parseScopes } from '../option-values.ts';
import { readPassword } from '../password-source.ts';

const showMinted = ({ keyId, token }: MintedKey, style: Style): string =>
  [
    `The key ${keyId} is minted. This is its token:`,
    '',
    `  ${style.strong(token)}`,
    '',
    'It is shown this once and stored nowhere: hand it over now. `key revoke` ends the key.',
  ].join('\n');

const showOneTimePassword = (
  { oneTimePassword, expiresAt }: OneTimePassword,
  style: Style,
): string =>
  [
    'The account is signed out everywhere. This is its one-time password:',
    '',
    `  ${style.strong(oneTimePassword)}`,
    '',
    `It is shown this once: hand it over now. It is only good for choosing another, until ${momentInUtc(expiresAt)} UTC.`,
  ].join('\n');

export const PRACTICE_COMMANDS: readonly OperatorCommand[] = [
  onStores({
    command: new Command('practice create')
      .requiredOption('--name <NAME>')
      .option('--sandbox', 'makes it a practice for synthetic data')
      .option('--beta', 'lets keys be minted for it'),
    about: 'Creates a practice.',
    example: 'practice create --name "Cedar Birth Center" --sandbox --beta',
    mayFound: true,
    run: async ({ name, sandbox = false, beta = false }, { practices }) => ({
      practiceId: await practices.create({ name, sandbox, beta }),
    }),
    show: ({ practiceId }) => `The practice is set up. Its id is ${practiceId}.`,
  }),
  onStores({
    command: new Command('practice list').option(
      '--name <PART>',
      'lists only those whose name contains a text',
    ),
    about: 'Lists practices with their ids.',
    example: 'practice list --name cedar',
    run: async ({ name = '' }, { lists }) => ({ practices: await lists.practices(name) }),
    show: ({ practices }, style) => practiceTable(practices, style),
  }),
  onStores({
    command: new Command('practice set')
      .requiredOption('--practice <ID>')
      .option(
        '--sandbox <true|false>',
        'is refused while the practice has a live record',
        parseBoolean,
      )
      .option('--beta <true|false>', '', parseBoolean)
      .option('--name <NAME>')
      .option('--time-zone <ZONE>', 'is America/New_York until it is set')
      .addOption(new Option('--date-order <ORDER>').choices(DATE_ORDERS))
      .addOption(new Option('--clock <HOURS>').choices(CLOCKS)),
    about:
      'Changes a practice.\nWithout a date order or clock, US time zones write the month first and use 12 hours; others write the day first and use 24.',
    example: 'practice set --practice 7K2MQX --beta true --time-zone America/Chicago',
    anyOf: ['sandbox', 'beta', 'name', 'timeZone', 'dateOrder', 'clock'],
    run: async (
      {
        practice,
        sandbox = null,
        beta = null,
        name = null,
        timeZone = null,
        dateOrder = null,
        clock = null,
      },
      { practices },
    ) => {
      await practices.set(practice, { sandbox, beta, name, timeZone, dateOrder, clock });
      return { practiceId: practice };
    },
    show: ({ practiceId }) => `Practice ${practiceId} was updated.`,
  }),
  onStores({
    command: new Command('member add')
      .requiredOption('--practice <ID>')
      .requiredOption('--email <E>')
      .option('--password-stdin', 'reads the password from standard input, or asks on a terminal')
      .option('--password <P>', 'works too, but leaves it in the history of the shell')
      .addOption(new Option('--role <ROLE>').choices(ROLES).makeOptionMandatory())
      .option('--name <NAME>'),
    about: 'Makes a person a member of a practice.',
    example: 'member add --practice 7K2MQX --email ada@cedar.example --role Admin --password-stdin',
    oneOf: ['passwordStdin', 'password'],
    run: async ({ practice, email, password, role, name }, { accounts }) => ({
      memberId: await accounts.addMember({
        email,
        password: password ?? (await readPassword()),
        practiceId: practice,
        role,
        name,
      }),
    }),
    show: ({ memberId }) => `The member was added. The id of the account is ${memberId}.`,
  }),
  onStores({
    command: new Command('member list').requiredOption('--practice <ID>'),
    about:
      'Lists the members of a practice and the people invited to it.\n`status` is `seated`, `invited`, or `lapsed` (the invitation expired).',
    example: 'member list --practice 7K2MQX',
    run: async ({ practice }, { lists }) => ({ members: await lists.members(practice) }),
    show: ({ members }, style) => memberTable(members, style),
  }),
  onStores({
    command: new Command('member remove')
      .requiredOption('--practice <ID>')
      .requiredOption('--email <E>')
      .option('--last-admin', 'lets the last Admin be removed'),
    about: 'Removes a member, and signs them out everywhere.',
    example: 'member remove --practice 7K2MQX --email ada@cedar.example --by "Sam Reyes"',
    needsName: true,
    run: async ({ practice, email, lastAdmin }, { members }) => {
      const memberId = await members.findMemberId(practice, email);
      await members.remove(practice, memberId, lastAdmin ? 'removable' : 'required');
      return { memberId };
    },
    show: () => 'The person is no longer a member, and is signed out everywhere.',
  }),
  onStores({
    command: new Command('member set')
      .requiredOption('--practice <ID>')
      .requiredOption('--email <E>')
      .requiredOption('--auditor <true|false>', '', parseBoolean),
    about:
      "Lets a Viewer or Provider read the practice's access log and audit trail, or stops that.",
    example:
      'member set --practice 7K2MQX --email ada@cedar.example --auditor true --by "Sam Reyes"',
    needsName: true,
    run: async ({ practice, email, auditor }, { members }) => {
      const memberId = await members.findMemberId(practice, email);
      await members.setAuditorPermission(practice, memberId, auditor);
      return { memberId };
    },
    show: ({ memberId }) => `Member ${memberId} was updated.`,
  }),
  onStores({
    command: new Command('member reset')
      .requiredOption('--practice <ID>')
      .requiredOption('--email <E>'),
    about:
      "Replaces a member's password with a one-time password that works for 72 hours.\nIt also removes their second factors.",
    example: 'member reset --practice 7K2MQX --email ada@cedar.example --by "Sam Reyes"',
    needsName: true,
    run: async ({ practice, email }, { members }) =>
      members.givePassword(practice, await members.findMemberId(practice, email)),
    show: showOneTimePassword,
  }),
  onStores({
    command: new Command('staff add')
      .requiredOption('--email <E>')
      .option('--password-stdin', 'reads the password as for `member add`')
      .option('--password <P>')
      .option('--name <NAME>'),
    about: 'Creates an account of the service staff.',
    example: 'staff add --email sam@registry.example --password-stdin',
    mayFound: true,
    oneOf: ['passwordStdin', 'password'],
    run: async ({ email, password, name }, { accounts }) => ({
      staffId: await accounts.addStaff({
        email,
        password: password ?? (await readPassword()),
        name,
      }),
    }),
    show: ({ staffId }) => `The account was created. Its id is ${staffId}.`,
  }),
  onStores({
    command: new Command('staff list'),
    about: 'Lists the service staff, and when each of them last signed in.',
    example: 'staff list',
    run: async (_options, { lists }) => ({ staff: await lists.staff() }),
    show: ({ staff }, style) => staffTable(staff, style),
  }),
  onStores({
    command: new Command('staff remove').requiredOption('--email <E>'),
    about: 'Closes an account of the service staff, and signs it out everywhere.',
    example: 'staff remove --email sam@registry.example --by "Ada Okoye"',
    needsName: true,
    run: async ({ email }, { staff }) => ({ staffId: await staff.remove(email) }),
    show: () => 'The account is shut, and signed out everywhere.',
  }),
  onStores({
    command: new Command('staff reset').requiredOption('--email <E>'),
    about: 'Does the same as `member reset` for an account of the service staff.',
    example: 'staff reset --email sam@registry.example --by "Ada Okoye"',
    needsName: true,
    run: ({ email }, { staff }) => staff.givePassword(email),
    show: showOneTimePassword,
  }),
  onStores({
    command: new Command('sessions end').requiredOption('--email <E>'),
    about: 'Signs an account out everywhere within a second.\nThe person can sign in again.',
    example: 'sessions end --email ada@cedar.example --by "Sam Reyes"',
    needsName: true,
    run: async ({ email }, { accounts }) => ({ ended: await accounts.endSessions(email) }),
    show: ({ ended }) => `${countInWords(ended, 'session was', 'sessions were')} ended.`,
  }),
  onStores({
    command: new Command('key mint')
      .requiredOption('--practice <ID>')
      .requiredOption('--scopes <ingest:write,ingest:read>', '', parseScopes)
      .option('--name <NAME>')
      .option(
        '--addresses <A,A>',
        'limits the key to addresses and networks, such as `203.0.113.0/24,2001:db8::/32`',
        parseAddresses,
      ),
    about: 'Mints an API key of a practice, and shows its token once.',
    example: 'key mint --practice 7K2MQX --scopes ingest:write,ingest:read --name "Cedar EHR"',
    run: ({ practice, scopes, name = null, addresses = [] }, { keys }) =>
      keys.mintNative({ practiceId: practice, scopes, name, addresses }),
    show: showMinted,
  }),
  onStores({
    command: new Command('key list').option('--practice <ID>').option('--partner <ID>'),
    about:
      'Lists the keys of a practice or partner, and when and where each was last used.\nTokens are never shown.',
    example: 'key list --practice 7K2MQX',
    oneOf: ['practice', 'partner'],
    run: async ({ practice = '', partner }, { lists }) => ({
      keys: await (partner === undefined
        ? lists.keysOfPractice(practice)
        : lists.keysOfPartner(partner)),
    }),
    show: ({ keys }, style) => keyTable(keys, style),
  }),
  onStores({
    command: new Command('key revoke').requiredOption('--key <ID>'),
    about: 'Revokes a key in every process before the command returns.',
    example: 'key revoke --key H4ZC9T',
    run: async ({ key }, { keys }) => {
      await keys.revoke(key);
      return { keyId: key };
    },
    show: ({ keyId }) => `The key ${keyId} is revoked. It no longer works.`,
  }),
  onStores({
    command: new Command('partner create')
      .requiredOption('--name <NAME>')
      .option('--beta', 'gives it beta access')
      .addOption(
        new Option('--status <STATUS>', 'is `Pending` unless given').choices(CONTRACT_STATUSES),
      ),
    about: 'Creates a partner.',
    example: 'partner create --name "Maple EHR" --beta --status Active',
    mayFound: true,
    run: async ({ name, beta = false, status = 'Pending' }, { partners }) => ({
      partnerId: await partners.create({ name, beta, status }),
    }),
    show: ({ partnerId }) => `The partner is set up. Its id is ${partnerId}.`,
  }),
  onStores({
    command: new Command('partner list'),
    about: 'Lists all partners with their ids, beta access, and contract status.',
    example: 'partner list',
    run: async (_options, { lists }) => ({ partners: await lists.partners() }),
    show: ({ partners }, style) => partnerTable(partners, style),
  }),
  onStores({
    command: new Command('partner set')
      .requiredOption('--partner <ID>')
      .option('--beta <true|false>', '', parseBoolean)
      .addOption(new Option('--status <STATUS>').choices(CONTRACT_STATUSES)),
    about:
      "Changes a partner's beta access or contract status, in every process before the command returns.",
    example: 'partner set --partner W3N8RD --beta true --status Active',
    anyOf: ['beta', 'status'],
    run: async ({ partner, beta = null, status = null }, { partners }) => {
      await partners.set(partner, { beta, status });
      return { partnerId: partner };
    },
    show: ({ partnerId }) => `Partner ${partnerId} was updated.`,
  }),
  onStores({
    command: new Command('partner mint-key')
      .requiredOption('--partner <ID>')
      .requiredOption('--practice <ID>')
      .requiredOption('--scopes <ingest:write,ingest:read>', '', parseScopes)
      .option('--name <NAME>')
      .option('--addresses <A,A>', '', parseAddresses),
    about:
      'Mints a partner feed key for a practice, and shows its token once.\nA partner can have one live key for each practice.',
    example: 'partner mint-key --partner W3N8RD --practice 7K2MQX --scopes ingest:write',
    run: ({ partner, practice, scopes, name = null, addresses = [] }, { keys }) =>
      keys.mintPartner({ partnerId: partner, practiceId: practice, scopes, name, addresses }),
    show: showMinted,
  }),
  onStores({
    command: new Command('provider list').requiredOption('--practice <ID>'),
    about: 'Lists the providers of a practice that partners have named.',
    example: 'provider list --practice 7K2MQX',
    run: async ({ practice }, { providers }) => ({ providers: await providers.list(practice) }),
    show: ({ providers }, style) => providerTable(providers, style),
  }),
  onStores({
    command: new Command('provider merge')
      .requiredOption('--practice <ID>')
      .requiredOption('--absorbed <ID>')
      .requiredOption('--survivor <ID>'),
    about:
      'Merges two providers into one, and points their records to the one that remains.\nYou can run it again safely.',
    example: 'provider merge --practice 7K2MQX --absorbed B6TQ4K --survivor X9MH2C',
    run: async ({ practice, absorbed, survivor }, { providers }) => ({
      repointed: await providers.merge({ practiceId: practice, absorbed, survivor }),
    }),
    show: ({ repointed }) =>
      `The providers were merged. ${countInWords(repointed, 'record was', 'records were')} repointed.`,
  }),
  onStores({
    command: new Command('provider career').requiredOption('--provider <ID>'),
    about:
      'Lists the births that a provider attended or certified, across merges.\n`replacedAt` says when an amendment named another provider instead.',
    example: 'provider career --provider X9MH2C',
    run: async ({ provider }, { providers }) => ({
      providerId: provider,
      entries: await providers.career(provider),
    }),
    show: ({ entries }, style) => careerTable(entries, style),
  }),
];
