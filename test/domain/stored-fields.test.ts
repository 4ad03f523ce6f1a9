import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  buildDataExported,
  buildRecordsPrinted,
  buildRecordsShown,
} from '../../domain/access-log/decide.ts';
import { useBreakGlass } from '../../domain/account/break-glass.ts';
import { addMember } from '../../domain/account/decide-member.ts';
import { addStaff } from '../../domain/account/decide-staff.ts';
import { inviteMember } from '../../domain/account/invitations.ts';
import { unknownMember } from '../../domain/account/member.ts';
import { unknownStaff } from '../../domain/account/staff.ts';
import {
  buildPartnerKeyMinted,
  mintNativeKey,
  mintPartnerKey,
} from '../../domain/api-key/decide.ts';
import { unknownKey } from '../../domain/api-key/state.ts';
import { createPartner, setPartner } from '../../domain/partner/decide.ts';
import { evolve as evolvePartner, unknownPartner } from '../../domain/partner/state.ts';
import { setCompleteness } from '../../domain/practice/completeness.ts';
import {
  changeCustomField,
  defineCertificateField,
  defineCustomField,
} from '../../domain/practice/custom-fields.ts';
import { createPractice, setPractice, setSingleSignOn } from '../../domain/practice/decide.ts';
import { evolve as evolvePractice, unknownPractice } from '../../domain/practice/state.ts';
import { mergeProviders, recordMention } from '../../domain/provider/decide.ts';
import { noMerges, unknownProvider } from '../../domain/provider/state.ts';
import { claimWork, dismissWork } from '../../domain/work-items/decide.ts';
import { initialWork } from '../../domain/work-items/state.ts';

/** A field that no event has; the compiler lets it pass where a command is made elsewhere. */
const EXTRA = { token: 'rgk_smuggled' };

const AT = new Date('2026-05-13T11:00:00Z');
const KEY = {
  keyId: 'k-1',
  practiceId: 'cedar',
  name: 'Maple EHR',
  tokenHash: 'hash',
  lastFour: 'wxyz',
  scopes: ['ingest:write'],
  addresses: ['203.0.113.0/24'],
  ...EXTRA,
} as const;
const PARTNER = { partnerId: 'maple', name: 'Maple', beta: true, status: 'Active' } as const;
const PRACTICE = { practiceId: 'cedar', name: 'Cedar', sandbox: false, beta: true };
const FIELD = { fieldId: 'tub', type: 'text', label: 'Tub', choices: [], order: null } as const;

const practice = evolvePractice(unknownPractice, { type: 'PracticeCreated', data: PRACTICE });
const withField = evolvePractice(practice, {
  type: 'CustomFieldDefined',
  data: { ...FIELD, practiceId: 'cedar', order: 1 },
});
const partner = evolvePartner(unknownPartner, { type: 'PartnerCreated', data: PARTNER });
const account = {
  email: 'ana@cedar.example',
  password: 'violet harbor 81 lantern',
  isCommonPassword: () => false,
};
const shown = {
  practiceId: 'cedar',
  at: AT,
  recordIds: ['r-1'],
  filters: [],
  ...EXTRA,
};
const work = {
  practiceId: 'cedar',
  kind: 'missing',
  key: 'record-1',
  memberId: 'ana',
  at: AT.toISOString(),
  since: null,
  parts: ['sex'],
  ...EXTRA,
} as const;
const provider = {
  providerId: 'p-1',
  identity: '1',
  npi: null,
  name: 'Maya',
  credentials: null,
  role: 'midwife',
  ...EXTRA,
} as const;

/** Commands with a field too many, and what they lead to. */
const COMMANDS: Readonly<Record<string, () => unknown>> = {
  mintNativeKey: () => mintNativeKey(KEY, practice),
  mintPartnerKey: () =>
    mintPartnerKey(
      { ...KEY, partnerId: 'maple' },
      { practice, partner, place: { status: 'free' }, holder: unknownKey },
    ),
  partnerKeyMinted: () => [buildPartnerKeyMinted({ ...KEY, partnerId: 'maple' })],
  createPartner: () => createPartner({ ...PARTNER, ...EXTRA }),
  setPartner: () => setPartner({ beta: false, status: 'Pending', ...EXTRA }, partner),
  createPractice: () => createPractice({ ...PRACTICE, ...EXTRA }),
  setPractice: () =>
    setPractice({ sandbox: true, beta: false, name: 'Elm', ...EXTRA }, practice, false),
  setSingleSignOn: () =>
    setSingleSignOn(
      {
        practiceId: 'cedar',
        issuer: 'https://id.cedar.example',
        clientId: 'registry',
        allowedDomains: ['cedar.example'],
        ...EXTRA,
      },
      practice,
      true,
    ),
  setCompleteness: () =>
    setCompleteness({ neededItems: ['sex'], daysUntilDue: 5, ...EXTRA }, practice),
  breakGlass: () =>
    useBreakGlass(
      { practiceId: 'cedar', email: account.email, reason: 'All have left.', at: AT, ...EXTRA },
      practice,
      false,
    ),
  defineCustomField: () => defineCustomField({ ...FIELD, ...EXTRA }, practice),
  defineCertificateField: () =>
    defineCertificateField({ fieldId: 'pay', item: 'PAY', label: '', ...EXTRA }, practice),
  changeCustomField: () =>
    changeCustomField(
      { fieldId: 'tub', label: 'Pool', addedChoices: null, order: 2, ...EXTRA },
      withField,
    ),
  inviteMember: () =>
    inviteMember(
      {
        memberId: 'm-1',
        practiceId: 'cedar',
        email: account.email,
        role: 'Viewer',
        endsAt: AT.toISOString(),
        byStaff: false,
        name: 'Ana',
        ...EXTRA,
      },
      { practice, member: unknownMember, hasAdmin: true, now: AT },
    ),
  addMember: () =>
    addMember(
      { ...account, memberId: 'm-1', practiceId: 'cedar', role: 'Viewer', name: 'Ana', ...EXTRA },
      { ...account, practice, member: unknownMember, staff: unknownStaff },
    ),
  addStaff: () =>
    addStaff(
      { ...account, staffId: 's-1', name: 'Ana', ...EXTRA },
      { ...account, staff: unknownStaff, member: unknownMember },
    ),
  mentionProvider: () =>
    recordMention({ practiceId: 'cedar', partnerId: 'maple', provider }, unknownProvider),
  mergeProviders: () =>
    mergeProviders(
      { practiceId: 'cedar', partnerId: 'maple', absorbed: 'a', survivor: 'b', ...EXTRA },
      noMerges,
    ),
  takeWork: () => claimWork({ ...work, from: null }, initialWork),
  dismissWork: () => dismissWork(work, initialWork),
  showRecords: () => buildRecordsShown({ ...shown, place: 'list' }),
  printRecords: () => buildRecordsPrinted({ ...shown, place: 'record', by: 'browser' }),
  exportFile: () => buildDataExported({ ...shown, what: 'records-csv', rows: 1 }),
};

const stored = suite('what a command is stored as');
for (const [name, decide] of Object.entries(COMMANDS))
  stored(`${name} stores the fields of its events, and none that came along`, () => {
    const text = JSON.stringify(decide());
    assert.match(text, /"type":"[A-Z]/);
    assert.not.match(text, EXTRA.token);
  });
stored.run();
