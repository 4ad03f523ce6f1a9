import type { ListedKey } from '../../../../projections/lists/accounts.ts';
import type { AuditEntry } from '../../../../projections/lists/audit.ts';
import type { AdminStanding, ListedPractice } from '../../../../projections/lists/organizations.ts';
import { AuditTrail } from '../../layout/audit-trail.tsx';
import { Section } from '../../layout/section.tsx';
import { KeyTable } from '../../parts/keys/key-table.tsx';
import { BetaToggle, SettingToggle } from '../setting-toggle.tsx';

export interface PracticePageProps {
  readonly practice: ListedPractice;
  readonly admin: AdminStanding;
  readonly keys: readonly ListedKey[];
  readonly audit: readonly AuditEntry[];
}

/** Settings, keys, and audit trail of a practice, but nothing of its records. */
export const PracticePage = ({ practice, admin, keys, audit }: PracticePageProps) => {
  const { practiceId, members, timeZone } = practice;
  const at = `/staff/practices/${practiceId}`;
  return (
    <>
      <dl class="summary-list">
        <dt>Members</dt>
        <dd>
          {members}{' '}
          {admin !== 'held' && (
            <a href={`${at}/admin`}>
              {admin === 'new'
                ? 'Invite the first Admin'
                : 'No Admin: invite one (emergency access)'}
            </a>
          )}
        </dd>
        <dt>Time zone</dt>
        <dd>{timeZone}</dd>
        <dt>Practice id</dt>
        <dd>{practiceId}</dd>
      </dl>
      <Section id="settings" heading="Settings">
        <div class="cards">
          <SandboxToggle practice={practice} at={at} />
          <BetaToggle at={at} beta={practice.beta} changes={describeBetaChange(practice)} />
        </div>
        <p class="margin-top-2">
          <a href={`${at}/name`}>Rename the practice</a>
        </p>
      </Section>
      <Section id="keys" heading="Keys">
        {keys.length === 0 ? (
          <p>
            None yet. The practice’s Admin mints its keys. A partner’s keys are minted on the
            partner’s page.
          </p>
        ) : (
          <KeyTable
            caption="Keys of the practice"
            keys={keys}
            audience="staff"
            of="holder"
            revokeAt={({ keyId }) => `${at}/keys/${keyId}/revoke`}
          />
        )}
      </Section>
      <AuditTrail entries={audit} audience="staff" />
    </>
  );
};

interface ToggleProps {
  readonly practice: ListedPractice;
  readonly at: string;
}

const SandboxToggle = ({ practice: { sandbox }, at }: ToggleProps) => (
  <SettingToggle
    action={`${at}/sandbox`}
    heading="Kind"
    current={sandbox ? 'sandbox' : 'real practice'}
    to={!sandbox}
    submit={getKindButton(!sandbox)}
    changes={describeKindChange({ sandbox })}
  />
);

export const getKindButton = (sandbox: boolean): string =>
  sandbox ? 'Make it a sandbox' : 'Make it a real practice';

export const describeKindChange = ({ sandbox }: Pick<ListedPractice, 'sandbox'>): string =>
  sandbox
    ? 'Its pages will lose the banner, and its records will count in the benchmark. Only a practice without active records can be changed.'
    : 'It will be for synthetic data only: its pages show a banner, and benchmarks leave it out. Only a practice without active records can be changed.';

export const describeBetaChange = ({ beta }: Pick<ListedPractice, 'beta'>): string =>
  beta
    ? 'No one can mint new keys for the practice. Existing keys keep working until its Admin revokes them.'
    : 'Its Admin can mint keys, and partner keys can be minted for it.';
