import { isReplaceable, LIFETIME_DAYS } from '../../../domain/api-key/lifetime.ts';
import type { ListedKey } from '../../../projections/lists/accounts.ts';
import type { AuditEntry } from '../../../projections/lists/audit.ts';
import type { ListedPush } from '../../../projections/lists/practice-activity.ts';
import { slicePage } from '../../web/page-number.ts';
import { AuditTrail } from '../layout/audit-trail.tsx';
import { DataTable } from '../layout/data-table.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { Notice } from '../layout/flash-messages.tsx';
import { Form } from '../layout/form.tsx';
import { useFrame } from '../layout/frame-context.ts';
import { FormIdField } from '../layout/hidden-fields.tsx';
import { Pagination } from '../layout/pagination.tsx';
import { Section } from '../layout/section.tsx';
import { SelectField } from '../layout/select-field.tsx';
import { Time } from '../layout/time.tsx';
import { KeyFields, type TypedKey } from '../parts/keys/key-fields.tsx';
import { formatKeyName, KeyTable } from '../parts/keys/key-table.tsx';

export const LIMITED_MESSAGE = 'Limited availability.';

export const LIVE_KEYS = 'Keys that still work';

export const KEY_PAGE = 'keys';

export const REPLAYED = 'Repeated submissions';

export const NOTHING_SENT_MESSAGE =
  'Nothing has been sent yet. A submission shows up here at once.';

export interface IntegrationsPageProps {
  readonly keys: readonly ListedKey[];
  /** One-based page of the keys. */
  readonly keyPage: number;
  /** Outside the beta, a notice replaces the keys, and working keys can only be revoked. */
  readonly isInBeta: boolean;
  /** Values of the form for a new key; `null` if the role may only read. */
  readonly typed: TypedKey | null;
  readonly pushes: readonly ListedPush[];
  /** Keys with submissions that queued nothing, also outside the beta. */
  readonly replayingKeys: readonly ListedKey[];
  readonly page: number;
  readonly pages: number;
  /** `null` if the role may not see it. */
  readonly audit: readonly AuditEntry[] | null;
}

export const IntegrationsPage = (props: IntegrationsPageProps) => {
  const { keys, keyPage, isInBeta, typed, audit } = props;
  return (
    <>
      {isInBeta ? (
        <Keys keys={keys} keyPage={keyPage} mayRevoke={typed !== null} />
      ) : (
        <LimitedAvailability />
      )}
      {isInBeta && typed !== null && <MintForm typed={typed} />}
      {!isInBeta && typed !== null && <KeysLeft keys={keys} keyPage={keyPage} />}
      <Pushes {...props} />
      {audit !== null && <AuditTrail entries={audit} audience="practice" />}
    </>
  );
};

const LimitedAvailability = () => (
  <Section id="keys" heading="API keys">
    <Notice kind="info">
      {LIMITED_MESSAGE} Connecting an EHR is in beta with a few practices, and yours is not one of
      them yet, so no keys can be minted here. Ask the service staff to add your practice.
    </Notice>
  </Section>
);

/** A leaked key must be revoked at once, even outside the beta. */
const KeysLeft = ({ keys, keyPage }: Pick<IntegrationsPageProps, 'keys' | 'keyPage'>) => {
  const live = keys.filter(({ kind, revokedAt }) => kind === 'native' && revokedAt === null);
  const { rows, ...place } = slicePage(live, keyPage);
  return live.length === 0 ? null : (
    <Section id="keys-left" heading={LIVE_KEYS}>
      <KeyTable
        caption={LIVE_KEYS}
        keys={rows}
        audience="practice"
        of="holder"
        revokeAt={({ keyId }) => `/registry/integrations/keys/${keyId}/revoke`}
      />
      <KeyPagination {...place} />
    </Section>
  );
};

const KeyPagination = (place: { readonly page: number; readonly pages: number }) => (
  <Pagination {...place} of="keys" href={(to) => `/registry/integrations?${KEY_PAGE}=${to}#keys`} />
);

const Keys = ({
  keys,
  keyPage,
  mayRevoke,
}: Pick<IntegrationsPageProps, 'keys' | 'keyPage'> & { readonly mayRevoke: boolean }) => {
  const { now } = useFrame();
  const { rows, ...place } = slicePage(keys, keyPage);
  return (
    <Section id="keys" heading="API keys">
      {keys.length === 0 ? (
        <EmptyState>
          No keys yet. {mayRevoke ? 'Mint one below' : 'Ask an Admin of your practice to mint one'},
          then give it to the person who sends births from your EHR.
        </EmptyState>
      ) : (
        <>
          <KeyTable
            caption="API keys of the practice"
            keys={rows}
            audience="practice"
            of="holder"
            addressesAt={(key) =>
              mayRevoke && key.kind === 'native' && key.revokedAt === null
                ? `/registry/integrations/keys/${key.keyId}/addresses`
                : null
            }
            replaceAt={(key) =>
              mayRevoke && key.kind === 'native' && isReplaceable(key, now)
                ? `/registry/integrations/keys/${key.keyId}/replace`
                : null
            }
            revokeAt={({ keyId, kind }) =>
              mayRevoke && kind === 'native' ? `/registry/integrations/keys/${keyId}/revoke` : null
            }
          />
          <KeyPagination {...place} />
          {mayRevoke && keys.some(({ kind, revokedAt }) => kind === 'partner' && !revokedAt) && (
            <p class="quiet">
              The service staff mint and revoke keys of partners. To have one revoked, ask them.
            </p>
          )}
        </>
      )}
    </Section>
  );
};

const LIFETIMES = LIFETIME_DAYS.map((days) => ({
  value: String(days),
  text: days === 365 ? 'After 1 year' : `After ${days} days`,
}));

const MintForm = ({ typed }: { readonly typed: TypedKey }) => (
  <Section id="mint" heading="Mint a key">
    <div class="mint cluster flex-align-start">
      <Form action="/registry/integrations/keys" values={typed}>
        <FormIdField />
        <KeyFields scopes={typed.scopes} />
        <SelectField
          name="lifetime"
          label="Expires"
          hint="Home reminds you 14 days before a key expires."
          empty="Never"
          choices={LIFETIMES}
          value={typed.lifetime === null ? undefined : String(typed.lifetime)}
        />
        <div class="buttons">
          <button type="submit" class="usa-button">
            Mint key
          </button>
        </div>
      </Form>
      <Form action="/registry/integrations/scribe-key" class="card card--ground maxw-mobile">
        <FormIdField />
        <h3>For a scribe</h3>
        <p>A key that can send births but cannot read anything.</p>
        <button type="submit" class="usa-button usa-button--outline">
          Mint Scribe key
        </button>
      </Form>
    </div>
  </Section>
);

const Pushes = ({ pushes, replayingKeys, page, pages }: IntegrationsPageProps) => (
  <Section id="ingestions" heading="Recent submissions">
    <p class="quiet">
      What EHRs have sent with a key. The sender can look up the result of each record with the same
      key. <a href={buildSubmissionsPath(page)}>Refresh</a>
    </p>
    {pushes.length === 0 ? (
      <EmptyState>{NOTHING_SENT_MESSAGE}</EmptyState>
    ) : (
      <DataTable
        caption="Submissions, latest first"
        captionHidden
        rows={pushes}
        keyOf={({ ingestionId }) => ingestionId}
        columns={[
          { heading: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
          {
            heading: 'Key',
            namesRow: true,
            cell: ({ keyName, partnerName }) =>
              [partnerName, keyName ?? (partnerName === null ? 'A key without a name' : null)]
                .filter((name) => name !== null)
                .join(': '),
          },
          { heading: 'Status', cell: formatState },
          { heading: 'Records', figures: true, cell: ({ records }) => formatFigure(records) },
          { heading: 'Accepted', figures: true, cell: ({ accepted }) => formatFigure(accepted) },
          { heading: 'Rejected', figures: true, cell: ({ rejected }) => formatFigure(rejected) },
        ]}
      />
    )}
    <Pagination page={page} pages={pages} of="submissions" href={buildSubmissionsPath} />
    {replayingKeys.length > 0 && <Replays keys={replayingKeys} />}
  </Section>
);

const Replays = ({ keys }: { readonly keys: readonly ListedKey[] }) => (
  <>
    <h3>{REPLAYED}</h3>
    <p class="quiet">
      These repeat an earlier submission of this practice with the same Idempotency-Key. They were
      answered with its receipt, and nothing was stored. A few are normal: a sender that gets no
      answer sends again. If births are missing, ask the sender whether its Idempotency-Keys are
      random.
    </p>
    <ul class="usa-list">
      {keys.map((key) => (
        <li key={key.keyId}>
          {[key.partnerName, formatKeyName(key)].filter((name) => name !== null).join(': ')}:{' '}
          {key.replays.toLocaleString('en-US')}
          {key.lastReplayAt !== null && (
            <>
              , last <Time at={key.lastReplayAt} />
            </>
          )}
        </li>
      ))}
    </ul>
  </>
);

export const buildSubmissionsPath = (page: number): string =>
  page === 1
    ? '/registry/integrations#ingestions'
    : `/registry/integrations?page=${page}#ingestions`;

const formatState = ({ status, error }: ListedPush) => {
  switch (status) {
    case 'queued':
      return 'Waiting';
    case 'processing':
      return 'Processing';
    case 'completed':
      return 'Done';
    case 'failed':
      return (
        <>
          Failed <span class="beneath">{error}</span>
        </>
      );
  }
};

const formatFigure = (count: number | null): string => count?.toLocaleString('en-US') ?? '–';
