import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { memberFold } from '../../../domain/account/member.ts';
import type { MemberEvent } from '../../../domain/account/member-events.ts';
import {
  findSecondFactorTime,
  findTenantAddress,
  findVerifiedEmail,
  parseDomains,
  resolveSignIn,
} from '../../../domain/account/single-sign-on/decide.ts';
import { unknownStaff } from '../../../domain/account/staff.ts';

const NOW = new Date('2026-11-24T12:00:00Z');
const SERVICE = { practiceId: null, allowedDomains: ['cedar.example'] };
const CEDAR = { practiceId: 'cedar', allowedDomains: ['cedar.example'] };

const refused = (why: string) => ({ kind: 'refused', why });
const email = { kind: 'email', email: 'ada@cedar.example' };

for (const [what, by, claims, expected] of [
  ['verified', SERVICE, { email: ' Ada@Cedar.example ', isEmailVerified: true }, email],
  [
    'not verified',
    SERVICE,
    { email: 'ada@cedar.example', isEmailVerified: false },
    refused('email-not-verified'),
  ],
  [
    'of which nothing is said',
    SERVICE,
    { email: 'ada@cedar.example', isEmailVerified: null },
    refused('email-not-verified'),
  ],
  [
    'of which nothing is said, by the provider of a practice',
    CEDAR,
    { email: 'ada@cedar.example', isEmailVerified: null },
    email,
  ],
  [
    'not verified, by the provider of a practice',
    CEDAR,
    { email: 'ada@cedar.example', isEmailVerified: false },
    refused('email-not-verified'),
  ],
  ['missing', SERVICE, { email: null, isEmailVerified: true }, refused('email-missing')],
  ['that is none', SERVICE, { email: 'ada', isEmailVerified: true }, refused('email-missing')],
  [
    'of another domain',
    SERVICE,
    { email: 'ada@larch.example', isEmailVerified: true },
    refused('domain-not-allowed'),
  ],
  [
    'of a part of the domain',
    SERVICE,
    { email: 'ada@sub.cedar.example', isEmailVerified: true },
    refused('domain-not-allowed'),
  ],
  [
    'with the domain in front',
    SERVICE,
    { email: '"ada@cedar.example"@evil.example', isEmailVerified: true },
    refused('email-missing'),
  ],
] as const)
  test(`an email ${what}: ${JSON.stringify(expected)}`, () => {
    assert.equal(findVerifiedEmail(claims, by), expected);
  });

const MICROSOFT = 'https://login.microsoftonline.com';

for (const [issuer, address] of [
  [`${MICROSOFT}/common/v2.0`, `${MICROSOFT}/YOUR-TENANT-ID/v2.0`],
  [`${MICROSOFT}/organizations/v2.0/`, `${MICROSOFT}/YOUR-TENANT-ID/v2.0`],
  [`${MICROSOFT}/Consumers`, `${MICROSOFT}/YOUR-TENANT-ID/v2.0`],
  [`${MICROSOFT}/{tenantid}/v2.0`, `${MICROSOFT}/YOUR-TENANT-ID/v2.0`],
  ['https://sts.windows.net/{tenantid}/', `${MICROSOFT}/YOUR-TENANT-ID/v2.0`],
  [
    'https://login.microsoftonline.us/common/v2.0',
    'https://login.microsoftonline.us/YOUR-TENANT-ID/v2.0',
  ],
  ['https://id.example/{tenant}/oidc', 'https://id.example/YOUR-TENANT-ID/oidc'],
  ['https://id.example/%7Btenant%7D', 'https://id.example/YOUR-TENANT-ID'],
  [`${MICROSOFT}/8f7c2a10-0000-4000-8000-000000000000/v2.0`, null],
  ['https://id.example/common', null],
  ['https://id.example', null],
  ['no address', null],
] as const)
  test(`the issuer ${issuer} is ${address === null ? 'of one tenant' : 'for all tenants'}`, () => {
    assert.is(findTenantAddress(issuer), address);
  });

const ada = { memberId: 'ada', email: 'ada@cedar.example' };
const seated = (practiceId: string): MemberEvent => ({
  type: 'MemberAdded',
  data: { ...ada, practiceId, role: 'Viewer' },
});
const removed: MemberEvent = {
  type: 'MemberRemoved',
  data: { memberId: 'ada', practiceId: 'cedar' },
};
const invited = (practiceId: string, endsAt = '2026-11-25T12:00:00Z'): MemberEvent => ({
  type: 'MemberInvited',
  data: { ...ada, practiceId, role: 'Viewer', endsAt, byStaff: false },
});
const staff = { status: 'known', staffId: 'ada', email: ada.email } as const;
const account = { kind: 'account' };
const seatAt = (practiceId: string) => ({ kind: 'invitation', practiceId });

for (const [what, by, given, person, own, expected] of [
  ['a member, by the service', SERVICE, [seated('cedar')], unknownStaff, [], account],
  [
    'a member of a practice with its own',
    SERVICE,
    [seated('cedar')],
    unknownStaff,
    ['cedar'],
    refused('practice-has-provider'),
  ],
  ['a member, by their practice', CEDAR, [seated('cedar')], unknownStaff, ['cedar'], account],
  [
    'a member of another practice',
    CEDAR,
    [seated('larch')],
    unknownStaff,
    ['cedar'],
    refused('no-account'),
  ],
  ['the staff, by the service', SERVICE, [], staff, [], account],
  ['the staff, by a practice', CEDAR, [], staff, ['cedar'], refused('no-account')],
  ['nobody', SERVICE, [], unknownStaff, [], refused('no-account')],
  ['a former member', SERVICE, [seated('cedar'), removed], unknownStaff, [], refused('no-account')],
  ['an invited person', SERVICE, [invited('cedar')], unknownStaff, [], seatAt('cedar')],
  [
    'an invited person, by the practice',
    CEDAR,
    [invited('cedar'), invited('larch')],
    unknownStaff,
    ['cedar'],
    seatAt('cedar'),
  ],
  [
    'a person whom another practice has invited',
    CEDAR,
    [invited('larch')],
    unknownStaff,
    ['cedar'],
    refused('no-account'),
  ],
  [
    'a person whom a practice with its own has invited',
    SERVICE,
    [invited('cedar')],
    unknownStaff,
    ['cedar'],
    refused('no-account'),
  ],
  [
    'a person whom two practices have invited',
    SERVICE,
    [invited('cedar'), invited('larch')],
    unknownStaff,
    [],
    refused('several-invitations'),
  ],
  [
    'an invitation that has ended',
    SERVICE,
    [invited('cedar', '2026-11-24T12:00:00Z')],
    unknownStaff,
    [],
    refused('no-account'),
  ],
  ['an invited person of the staff', SERVICE, [invited('cedar')], staff, [], account],
] as const)
  test(`${what}: ${JSON.stringify(expected)}`, () => {
    const member = given.reduce(memberFold.evolve, memberFold.initial);
    const owner = { member, staff: person, withOwnProvider: new Set<string>(own) };
    assert.equal(resolveSignIn(by, owner, NOW), expected);
  });

test('a second factor at the provider counts from when it was shown', () => {
  const earlier = new Date('2026-11-24T11:00:00Z');
  const later = new Date('2026-11-24T13:00:00Z');
  const shownAt = (methods: readonly string[], authenticatedAt: Date | null) =>
    findSecondFactorTime({ methods, authenticatedAt }, NOW)?.getTime() ?? null;
  assert.is(shownAt(['pwd', 'mfa'], earlier), earlier.getTime());
  assert.is(shownAt(['hwk'], later), NOW.getTime());
  assert.is(shownAt(['otp'], null), 0);
  for (const methods of [[], ['pwd'], ['sms'], ['kba', 'pin']])
    assert.is(shownAt(methods, earlier), null);
});

test('domains are read as people type them', () => {
  assert.equal(parseDomains(' Cedar.example, @larch.example\nCEDAR.example '), [
    'cedar.example',
    'larch.example',
  ]);
  for (const none of [
    '',
    ' , ',
    'cedar',
    'ada@cedar.example',
    'https://cedar.example',
    '*.example',
    '-a.example',
    // Longer than the longest domains: refused before it is normalized.
    `cedar.example${' '.repeat(20_000)}`,
  ])
    assert.is(parseDomains(none), null, none);
});

test.run();
