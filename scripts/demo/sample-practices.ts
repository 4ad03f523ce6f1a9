import type { OperatorCommands } from '../../api/operator/operator-commands.ts';
import type { Lane } from '../../domain/mapping/bfdr/place-of-birth.ts';
import { ROLES, type Role } from '../../domain/roles.ts';
import type { BirthOrder } from './demo-births.ts';

export interface SignIn {
  readonly seat: Role | 'Service staff';
  readonly email: string;
  /** Name of the practice; `null` for service staff. */
  readonly practice: string | null;
}

export interface SandboxPractice {
  readonly practiceId: string;
  readonly nativeToken: string;
  readonly scribeToken: string;
  readonly partnerToken: string;
}

/** Additional practice for the benchmarks. */
export interface LivePractice {
  readonly token: string;
  readonly lane: Lane;
  readonly births: BirthOrder;
}

export interface SamplePractices {
  readonly sandbox: SandboxPractice;
  readonly live: readonly LivePractice[];
  readonly signIns: readonly SignIn[];
}

/** Shared by all accounts of the demo, which contain only synthetic births. */
export const DEMO_PASSWORD = 'cedar-maple-willow-birch';

export const OWN_FIELD = {
  label: 'Birth tub',
  type: 'choice' as const,
  choices: ['Not used', 'Labor', 'Labor and birth'],
  order: null,
};

/** Of twenty births, its own system sends twelve, and a person enters one. */
export const SANDBOX_BIRTHS: BirthOrder = {
  chartPrefix: 'CED',
  coursesPerYear: 130,
  turns: [
    ...Array.from({ length: 12 }, () => 'native' as const),
    ...Array.from({ length: 7 }, () => 'partner' as const),
    'person',
  ],
};

const SANDBOX_NAME = 'Cedar Valley Women’s Health (demo)';
const LARKSPUR_NAME = 'Larkspur Women’s Hospital (demo)';
/** With fewer than five, no benchmark. @see docs/decisions/2026-11-24-benchmark-suppression.md */
const LIVE: readonly (Omit<LivePractice, 'token'> & { readonly name: string })[] = [
  {
    name: LARKSPUR_NAME,
    lane: 'partner',
    births: { chartPrefix: 'LAR', coursesPerYear: 55, turns: ['partner'] },
  },
  ...(
    [
      ['Alder Creek Family Birth (demo)', 'ALD', 30],
      ['Juniper Hill Birth Center (demo)', 'JUN', 30],
      ['Sycamore County Hospital (demo)', 'SYC', 25],
      ['Hawthorn Women’s Clinic (demo)', 'HAW', 25],
    ] as const
  ).map(([name, chartPrefix, coursesPerYear]) => ({
    name,
    lane: 'native' as const,
    births: { chartPrefix, coursesPerYear, turns: ['native' as const] },
  })),
];

const SCOPES = ['ingest:write', 'ingest:read'] as const;

/** @param timeZone IANA name for the sandbox practice */
export const setUpPractices = async (
  commands: OperatorCommands,
  timeZone: string,
): Promise<SamplePractices> => {
  const { practices, partners, keys, customFields } = commands;
  const [practiceId, ...liveIds] = await Promise.all([
    practices.create({ name: SANDBOX_NAME, sandbox: true, beta: true }),
    ...LIVE.map(({ name }) => practices.create({ name, sandbox: false, beta: true })),
  ]);
  await practices.set(practiceId, { sandbox: null, beta: null, timeZone });
  await customFields.define(practiceId, OWN_FIELD);
  const maple = await partners.create({ name: 'Maple EHR', beta: true, status: 'Active' });
  await partners.create({ name: 'Birch Health Network', beta: false, status: 'Pending' });
  const native = (ofPractice: string, name: string) =>
    keys.mintNative({ practiceId: ofPractice, name, scopes: SCOPES });
  const partner = (ofPractice: string) =>
    keys.mintPartner({
      partnerId: maple,
      practiceId: ofPractice,
      name: 'Maple EHR feed',
      scopes: SCOPES,
    });
  const [ownKey, scribeKey, partnerKey, ...liveKeys] = await Promise.all([
    native(practiceId, 'Hospital EHR'),
    keys.mintNative({ practiceId, name: 'Ward scribe', scopes: ['ingest:write'] }),
    partner(practiceId),
    ...liveIds.map((id, at) =>
      LIVE[at]?.lane === 'partner' ? partner(id) : native(id, 'Clinic EHR'),
    ),
  ]);
  return {
    sandbox: {
      practiceId,
      nativeToken: ownKey.token,
      scribeToken: scribeKey.token,
      partnerToken: partnerKey.token,
    },
    live: LIVE.map(({ lane, births }, at) => ({ lane, births, token: liveKeys[at]?.token ?? '' })),
    signIns: await seatPeople(commands, practiceId, liveIds[0] ?? ''),
  };
};

const MEMBER_NAMES: Readonly<Record<Role, string>> = {
  Admin: 'Robin Alvarez',
  Provider: 'Dana Lindqvist',
  Viewer: 'Mei Tanaka',
  Scribe: 'Jules Okafor',
};

const seatPeople = async (
  { accounts }: OperatorCommands,
  sandbox: string,
  larkspur: string,
): Promise<readonly SignIn[]> => {
  const password = DEMO_PASSWORD;
  const signIns: SignIn[] = [];
  for (const role of ROLES) {
    const email = `${role.toLowerCase()}@cedar.example`;
    const name = MEMBER_NAMES[role];
    await accounts.addMember({ practiceId: sandbox, role, email, password, name });
    signIns.push({ seat: role, email, practice: SANDBOX_NAME });
  }
  const neighbor = { email: 'admin@larkspur.example', password, name: 'Noor Haddad' };
  await accounts.addMember({ practiceId: larkspur, role: 'Admin', ...neighbor });
  const staff = { email: 'staff@registry.example', password, name: 'Sam Reyes' };
  await accounts.addStaff(staff);
  return [
    ...signIns,
    { seat: 'Admin', email: neighbor.email, practice: LARKSPUR_NAME },
    { seat: 'Service staff', email: staff.email, practice: null },
  ];
};
