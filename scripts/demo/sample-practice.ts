import type { OperatorCommands } from '../../api/composition/commands.ts';
import { ROLES, type Role } from '../../domain/member/events.ts';

/** A sandbox practice with somebody in every seat, and the keys of its lanes. */
export interface SamplePractice {
  readonly practiceId: string;
  readonly nativeToken: string;
  readonly partnerToken: string;
  readonly signIns: readonly SignIn[];
}

/** Who can sign in to the demo. */
export interface SignIn {
  readonly seat: Role | 'Service staff';
  readonly email: string;
}

/** One for all accounts of the demo: its data are made up and deleted when it stops. */
export const DEMO_PASSWORD = 'cedar-maple-willow-birch';

const SCOPES = ['ingest:write', 'ingest:read'] as const;

/** Sets up the sandbox practice. */
export const setUpPractice = async (commands: OperatorCommands): Promise<SamplePractice> => {
  const practiceId = await commands.practices.create({
    ...{ name: 'Cedar Birth Center (demo)', sandbox: true, beta: true },
  });
  const { token: nativeToken } = await commands.keys.mintNative({
    ...{ practiceId, name: 'Practice EHR', scopes: SCOPES },
  });
  const partnerId = await commands.partners.create({
    ...{ name: 'Maple EHR', beta: true, status: 'Active' },
  });
  const { token: partnerToken } = await commands.keys.mintPartner({
    ...{ partnerId, practiceId, name: null, scopes: SCOPES },
  });
  const signIns: SignIn[] = [];
  for (const role of ROLES) {
    const email = `${role.toLowerCase()}@cedar.example`;
    await commands.accounts.addMember({ practiceId, role, email, password: DEMO_PASSWORD });
    signIns.push({ seat: role, email });
  }
  const staffEmail = 'staff@registry.example';
  await commands.accounts.addStaff({ email: staffEmail, password: DEMO_PASSWORD });
  signIns.push({ seat: 'Service staff', email: staffEmail });
  return { practiceId, nativeToken, partnerToken, signIns };
};
