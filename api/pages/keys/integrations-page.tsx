import { isReplaceable, LIFETIME_DAYS } from '../../../domain/api-key/lifetime.ts';
import type { ListedKey } from '../../../projections/lists/accounts.ts';
import type { AuditEntry } from '../../../projections/lists/audit.ts';
import type { ListedPush } from '../../../projections/lists/practice-activity.ts';
import { AuditTrail } from '../layout/audit-trail.tsx';
import { DataTable } from '../layout/data-table.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { ErrorSummary } from '../layout/error-summary.tsx';
import type { FieldError } from '../layout/field-errors.ts';
import { Notice } from '../layout/flash-messages.tsx';
import { Form } from '../layout/form.tsx';
import { useFrame } from '../layout/frame-context.ts';
import { Pagination } from '../layout/pagination.tsx';
import { SelectField } from '../layout/select-field.tsx';
import { Time } from '../layout/time.tsx';
import { FormIdField, KeyFields } from './key-fields.tsx';
import type { TypedKey } from './key-order.ts';
import { formatKeyName, KeyTable } from './key-table.tsx';

export const LIMITED_MESSAGE = 'Limited availability.';

/** Heading of the keys that still work outside the beta. */
export const LIVE_KEYS = 'Keys that still work';

/** Heading of the submissions that stored nothing. */
export const REPLAYED = 'Replayed submissions';

export const NOTHING_SENT_MESSAGE =
  'Nothing has been sent yet. A submission shows up here at once.';

export interface IntegrationsPageProps {
  readonly keys: readonly ListedKey[];
  /** Outside the beta, a notice replaces the keys, and working keys can only be revoked. */
  readonly isInBeta: boolean;
  /** `null` for a read-only seat. */
  readonly form: MintFormProps | null;
  readonly pushes: readonly ListedPush[];
  /** Keys with submissions that queued nothing, also outside the beta. */
  readonly replayingKeys: readonly ListedKey[];
  readonly page: number;
  readonly pages: number;
  /** `null` for a seat that may not see it. */
  readonly audit: readonly AuditEntry[] | null;
}

export interface MintFormProps {
  readonly typed: TypedKey;
  readonly errors: readonly FieldError[];
  readonly newFormId: () => string;
}

/** Keys, recent submissions, and the audit trail. */
export const IntegrationsPage = (props: IntegrationsPageProps) => {
  const { keys, isInBeta, form, audit } = props;
  return (
    <>
      <ErrorSummary errors={form?.errors ?? []} />
      {isInBeta ? <Keys keys={keys} mayRevoke={form !== null} /> : <LimitedAvailability />}
      {isInBeta && form !== null && <MintForm {...form} />}
      {!isInBeta && form !== null && <KeysLeft keys={keys} />}
      <Pushes {...props} />
      {audit !== null && <AuditTrail entries={audit} audience="practice" />}
    </>
  );
};

const LimitedAvailability = () => (
  <section aria-labelledby="keys">
    <h2 id="keys">API keys</h2>
    <Notice kind="info">
      {LIMITED_MESSAGE} Connecting an EHR is in a beta with a few practices, and yours is not among
      them yet, so no keys can be made here. Ask the service staff to take your practice in.
    </Notice>
  </section>
);

/** A leaked key must be revoked at once, even outside the beta. */
const KeysLeft = ({ keys }: { readonly keys: readonly ListedKey[] }) => {
  const live = keys.filter(({ kind, revokedAt }) => kind === 'native' && revokedAt === null);
  return live.length === 0 ? null : (
    <section aria-labelledby="keys-left">
      <h2 id="keys-left">{LIVE_KEYS}</h2>
      <KeyTable
        caption={LIVE_KEYS}
        keys={live}
        audience="practice"
        of="holder"
        revokeAt={({ keyId }) => `/registry/integrations/keys/${keyId}/revoke`}
      />
    </section>
  );
};

const Keys = ({
  keys,
  mayRevoke,
}: {
  readonly keys: readonly ListedKey[];
  readonly mayRevoke: boolean;
}) => {
  const { now } = useFrame();
  return (
    <section aria-labelledby="keys">
      <h2 id="keys">API keys</h2>
      {keys.length === 0 ? (
        <EmptyState>
          No keys yet. {mayRevoke ? 'Mint one below' : 'Ask an Admin of your practice to mint one'},
          then give it to the person who sends births from your EHR.
        </EmptyState>
      ) : (
        <>
          <KeyTable
            caption="API keys of the practice"
            keys={keys}
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
          {mayRevoke && keys.some(({ kind, revokedAt }) => kind === 'partner' && !revokedAt) && (
            <p class="quiet">
              Keys of partners are minted and revoked by the service staff. Ask them to revoke one.
            </p>
          )}
        </>
      )}
    </section>
  );
};

const LIFETIMES = LIFETIME_DAYS.map((days) => ({
  value: String(days),
  text: days === 365 ? 'After 1 year' : `After ${days} days`,
}));

const MintForm = ({ typed, errors, newFormId }: MintFormProps) => (
  <section aria-labelledby="mint">
    <h2 id="mint">Mint a key</h2>
    <div class="mint cluster flex-align-start">
      <Form action="/registry/integrations/keys">
        <FormIdField formId={newFormId()} />
        <KeyFields typed={typed} errors={errors} />
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
        <FormIdField formId={newFormId()} />
        <h3>For a scribe</h3>
        <p>A key that may send births and can read nothing.</p>
        <button type="submit" class="usa-button usa-button--outline">
          Mint Scribe key
        </button>
      </Form>
    </div>
  </section>
);

const Pushes = ({ pushes, replayingKeys, page, pages }: IntegrationsPageProps) => (
  <section aria-labelledby="ingestions">
    <h2 id="ingestions">Recent submissions</h2>
    <p class="quiet">
      What EHRs have sent with a key. The sender can look up the result of each record with the same
      key. <a href={buildSubmissionsPath(page)}>Refresh</a>
    </p>
    {pushes.length === 0 ? (
      <EmptyState>{NOTHING_SENT_MESSAGE}</EmptyState>
    ) : (
      <DataTable
        caption="Submissions, the latest first"
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
  </section>
);

const Replays = ({ keys }: { readonly keys: readonly ListedKey[] }) => (
  <>
    <h3>{REPLAYED}</h3>
    <p class="quiet">
      These were answered with the receipt of an earlier submission and stored nothing, because
      their Idempotency-Key had been used before in this practice. A few are normal: a sender that
      got no answer sends again. If births are missing, ask the sender whether its Idempotency-Keys
      are random.
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

/** Address of a page of recent submissions. */
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
