import type { Request, Response } from 'express';
import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import type { MergeReach, ProviderListing } from '../../../projections/lists/providers.ts';
import { CommandRefused } from '../../commands/command-refused.ts';
import type { App } from '../../ports/app-ports.ts';
import { TIMED_OUT, withTimeout } from '../../process/with-timeout.ts';
import { getSeat } from '../../web/guards/seats.ts';
import { nullIfLeaseUnavailable } from '../../writes/null-if-lease-unavailable.ts';
import { Confirm } from '../layout/confirm.tsx';
import { Facts } from '../layout/facts.tsx';
import { Notice } from '../layout/flash-messages.tsx';
import { createPageCommands } from '../layout/page-commands.ts';
import { RecordLink } from '../layout/record-link.tsx';
import { type Reply, redirect } from '../layout/routes.tsx';
import {
  buildProviderPath,
  findSides,
  isUnmerged,
  listMerged,
  mergeNotPossible,
  noteCareer,
} from './find-providers.ts';
import {
  formatIdentities,
  formatPart,
  formatProviderName,
  listNames,
  listPresentParts,
  ROLE_TEXT,
} from './provider-text.tsx';

const EXAMPLES = 5;
/** A merge of a few hundred records finishes within this time; a longer one shows its progress. */
const PATIENCE_MS = 5_000;

export const showPreview = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const { practiceId } = getSeat(res);
  const { all, absorbed, survivor } = await findSides(app, req, res);
  const at = buildProviderPath(absorbed);
  if (!isUnmerged(absorbed)) return redirect(at);
  const [reach, lines] = await Promise.all([
    app.reads.findMergeImpact(practiceId, absorbed.providerId),
    app.reads.findCareerLines(practiceId, absorbed.providerId, { most: EXAMPLES, skip: 0 }),
  ]);
  // A merge only updates current parts.
  const examples = lines.filter((line) => listPresentParts(line.parts).length > 0);
  await noteCareer(app, res, examples);
  const { absorbedName, survivorName } = listNames(absorbed, survivor);
  return {
    title: `Merge ${absorbedName} into ${survivorName}`,
    tabTitle: 'Merge a provider',
    children: (
      <Confirm
        action={`${at}/merge/${survivor.providerId}`}
        submit={`Merge into ${survivorName}`}
        cancel={at}
        destructive
      >
        <Notice kind="warning" id="merge-is-final">
          A merge cannot be undone.
        </Notice>
        <div class="merge-sides cards">
          <Side heading="Merged" provider={absorbed} />
          <Side heading="Kept" provider={survivor} />
        </div>
        <h2>What changes</h2>
        <ul class="usa-list">
          <Changes
            absorbed={absorbed}
            survivor={survivor}
            reach={reach}
            following={listMerged(all, absorbed)}
          />
        </ul>
        {examples.length > 0 && (
          <>
            <h2>{formatExamplesHeading(examples.length, reach)}</h2>
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
    ),
  };
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
    <Facts
      ruled
      of={[
        ['Role', ROLE_TEXT[provider.role]],
        ['Credentials', provider.credentials ?? '–'],
        ['NPI', provider.npi ?? '–'],
        ['Source', `${provider.partnerName ?? 'A partner'} as ${provider.identity}`],
      ]}
    />
  </div>
);

const Changes = ({
  absorbed,
  survivor,
  reach,
  following,
}: {
  readonly absorbed: ProviderListing;
  readonly survivor: ProviderListing;
  readonly reach: MergeReach;
  /** Identities that were merged into the absorbed provider earlier, and now follow it. */
  readonly following: readonly ProviderListing[];
}) => {
  const { absorbedName, survivorName } = listNames(absorbed, survivor);
  const differs = absorbed.npi !== null && survivor.npi !== null && absorbed.npi !== survivor.npi;
  return (
    <>
      {differs && (
        <li>
          <strong>The two have different NPIs.</strong> That usually means they are two people.
        </li>
      )}
      <li data-message="merge-reach">
        {reach.records === 0
          ? `No record names ${absorbedName} yet.`
          : `${countInWords(reach.records, 'record')} will name ${survivorName} instead of ${absorbedName}: ${formatReach(reach)}.`}
        {reach.voided > 0 &&
          ` ${reach.voided} of them ${reach.voided === 1 ? 'is' : 'are'} voided.`}
      </li>
      <li>
        Births that {absorbed.partnerName ?? 'the partner'} sends for {absorbedName} in the future
        will also count for {survivorName}.
      </li>
      <li data-message="merge-roles">
        {survivorName} keeps their name, credentials, and role ({formatRole(survivor)})
        {absorbed.role === survivor.role
          ? '.'
          : `; in the statistics, births attended as ${formatRole(absorbed)} move to that role.`}
      </li>
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

const formatExamplesHeading = (examples: number, { records }: MergeReach): string => {
  if (examples < records) return 'Some of the records';
  return examples === 1 ? 'The record' : 'The records';
};

const formatReach = ({ attendant, certifier }: Omit<MergeReach, 'voided'>): string =>
  [
    ...(attendant > 0 ? [`${numberInWords(attendant)} as attendant`] : []),
    ...(certifier > 0 ? [`${numberInWords(certifier)} as certifier`] : []),
  ].join(', ');

const formatRole = ({ role }: ProviderListing): string => ROLE_TEXT[role].toLowerCase();

export const merge = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const { practiceId } = getSeat(res);
  const { absorbed, survivor } = await findSides(app, req, res);
  const { absorbedName, survivorName } = listNames(absorbed, survivor);
  const { records } = await app.reads.findMergeImpact(practiceId, absorbed.providerId);
  const { providers } = createPageCommands(app, res);
  const begin = () =>
    providers.merge({
      practiceId,
      absorbed: absorbed.providerId,
      survivor: survivor.providerId,
    });
  const merging = begin();
  const here = `${buildProviderPath(absorbed)}/merge/${survivor.providerId}`;
  const progress = `${here}/progress?of=${records}`;
  try {
    const repointed = await withTimeout(PATIENCE_MS, nullIfLeaseUnavailable(merging));
    if (repointed === TIMED_OUT) {
      completeMerge(merging, begin).catch(
        app.onFault(
          'A merge of providers stopped midway. Its page or the same command resumes it.',
        ),
      );
      return redirect(progress);
    }
    if (repointed === null) {
      // A merge that lost its lease midway resumes; it does not restart.
      const hasBegun = !isUnmerged((await findSides(app, req, res)).absorbed);
      return hasBegun
        ? redirect(progress, CUT_SHORT, 'warning')
        : redirect(here, NOT_BEGUN, 'warning');
    }
    return redirect(buildProviderPath(survivor), {
      id: 'merged',
      text: `${absorbedName} was merged into ${survivorName}. ${countInWords(repointed, 'record')} now ${repointed === 1 ? 'names' : 'name'} ${survivorName}.`,
    });
  } catch (error) {
    if (error instanceof CommandRefused)
      throw mergeNotPossible(
        'Someone else merged one of the two in the meantime. Review both again.',
      );
    throw error;
  }
};

/** At ten seconds of waiting for the lease per attempt, about five minutes. */
const MAX_TRIES = 30;

/** Keeps a merge running in the background, even if the lease was busy or lost. */
const completeMerge = async (
  merging: Promise<number>,
  again: () => Promise<number>,
): Promise<void> => {
  let current = merging;
  for (let tries = 1; tries < MAX_TRIES; tries += 1) {
    if ((await nullIfLeaseUnavailable(current)) !== null) return;
    current = again();
  }
  await current;
};

const NOT_BEGUN =
  'Your practice is saving many records right now, so the merge didn’t start. Try again in a moment.';
const CUT_SHORT =
  'Your practice is saving many records right now, so the merge stopped partway. Select Resume merge in a moment.';
