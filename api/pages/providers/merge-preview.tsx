import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import type {
  CareerLine,
  MergeReach,
  ProviderListing,
} from '../../../projections/lists/providers.ts';
import { Confirm } from '../layout/confirm.tsx';
import { Notice } from '../layout/flash-messages.tsx';
import { RecordLink } from '../layout/record-link.tsx';
import {
  formatIdentities,
  formatPart,
  formatProviderName,
  listNames,
  listPresentParts,
  ROLE_TEXT,
} from './provider-text.ts';

export const MERGE_IS_FINAL_MESSAGE = 'A merge cannot be undone.';

export interface MergePreviewProps {
  readonly absorbed: ProviderListing;
  readonly survivor: ProviderListing;
  readonly reach: MergeReach;
  readonly examples: readonly CareerLine[];
  /** Identities that were merged into the absorbed provider earlier, and now follow it. */
  readonly following: readonly ProviderListing[];
}

export const MergePreview = (props: MergePreviewProps) => {
  const { absorbed, survivor, examples } = props;
  const { absorbedName, survivorName } = listNames(absorbed, survivor);
  const from = `/registry/providers/${absorbed.providerId}`;
  return (
    <Confirm
      action={`${from}/merge/${survivor.providerId}`}
      submit={`Merge into ${survivorName}`}
      cancel={from}
      destructive
    >
      <Notice kind="warning">{MERGE_IS_FINAL_MESSAGE}</Notice>
      <div class="merge-sides cards">
        <Side heading="Merged" provider={absorbed} />
        <Side heading="Kept" provider={survivor} />
      </div>
      <h2>What changes</h2>
      <ul class="usa-list">
        <Changes {...props} />
      </ul>
      {examples.length > 0 && (
        <>
          <h2>{examples.length === 1 ? 'The record' : 'Some of the records'}</h2>
          <ul class="usa-list">
            {examples.map(({ submissionUuid, chartNumber, parts: had }) => (
              <li key={submissionUuid}>
                <RecordLink id={submissionUuid}>{chartNumber ?? 'Record'}</RecordLink>:{' '}
                {formatPart(listPresentParts(had)).toLowerCase()} by {absorbedName}
              </li>
            ))}
          </ul>
        </>
      )}
    </Confirm>
  );
};

const Side = ({
  heading,
  provider,
}: {
  readonly heading: string;
  readonly provider: ProviderListing;
}) => (
  <div class="card">
    <h2>
      {heading}: {formatProviderName(provider)}
    </h2>
    <dl class="summary-list">
      <div>
        <dt>Role</dt>
        <dd>{ROLE_TEXT[provider.role]}</dd>
      </div>
      <div>
        <dt>Credentials</dt>
        <dd>{provider.credentials ?? '–'}</dd>
      </div>
      <div>
        <dt>NPI</dt>
        <dd>{provider.npi ?? '–'}</dd>
      </div>
      <div>
        <dt>Source</dt>
        <dd>
          {provider.partnerName ?? 'A partner'} as {provider.identity}
        </dd>
      </div>
    </dl>
  </div>
);

const Changes = ({ absorbed, survivor, reach, following }: MergePreviewProps) => {
  const { absorbedName, survivorName } = listNames(absorbed, survivor);
  const differs = absorbed.npi !== null && survivor.npi !== null && absorbed.npi !== survivor.npi;
  return (
    <>
      {differs && (
        <li>
          <strong>The two have different NPIs.</strong> That usually means they are two people.
        </li>
      )}
      <li>
        {reach.records === 0
          ? `No record names ${absorbedName} yet.`
          : describeReach(reach, absorbedName, survivorName)}
        {reach.voided > 0 &&
          ` ${reach.voided} of them ${reach.voided === 1 ? 'is' : 'are'} voided.`}
      </li>
      <li>
        Births that {absorbed.partnerName ?? 'the partner'} sends for {absorbedName} in the future
        will also count for {survivorName}.
      </li>
      <li>{describeRoles(absorbed, survivor, survivorName)}</li>
      {following.length > 0 && (
        <li>
          {formatIdentities(following)} {following.length === 1 ? 'was' : 'were'} merged into{' '}
          {absorbedName} earlier and will also count for {survivorName}.
        </li>
      )}
      <li>Each record’s history keeps what was sent, under the original name.</li>
    </>
  );
};

export const describeReach = (
  reach: Omit<MergeReach, 'voided'>,
  absorbedName: string,
  survivorName: string,
): string =>
  `${countInWords(reach.records, 'record')} will name ${survivorName} instead of ${absorbedName}: ${formatReach(reach)}.`;

const formatReach = ({ attendant, certifier }: Omit<MergeReach, 'voided'>): string =>
  [
    ...(attendant > 0 ? [`${numberInWords(attendant)} as attendant`] : []),
    ...(certifier > 0 ? [`${numberInWords(certifier)} as certifier`] : []),
  ].join(', ');

export const describeRoles = (
  absorbed: Pick<ProviderListing, 'role'>,
  survivor: Pick<ProviderListing, 'role'>,
  survivorName: string,
): string => {
  const keeps = `${survivorName} keeps their name, credentials, and role (${ROLE_TEXT[survivor.role].toLowerCase()})`;
  return absorbed.role === survivor.role
    ? `${keeps}.`
    : `${keeps}; in the statistics, births attended as ${ROLE_TEXT[absorbed.role].toLowerCase()} move to that role.`;
};
