import type { Router } from 'express';
import type { HealthSnapshot } from '../../../health/health-snapshot.ts';
import { formatSpan } from '../../../process/progress-messages.ts';
import { requireStaff } from '../../../web/guards/seats.ts';
import { Facts } from '../../layout/facts.tsx';
import { createRouter, page } from '../../layout/routes.tsx';
import { Tag } from '../../layout/tag.tsx';
import { Time } from '../../layout/time.tsx';
import { buildFindings, type Finding, type FindingState } from './status-findings.ts';

interface AboutProcess {
  readonly role: string;
  readonly version: string;
  readonly startedAt: Date;
}

const PAGE = '/staff/status';

/** @param look returns a recent health snapshot */
export const staffStatusRouter = (
  about: AboutProcess,
  look: () => Promise<HealthSnapshot>,
): Router =>
  createRouter(
    page(PAGE, requireStaff, async () => ({
      title: 'Status',
      action: (
        <a class="usa-button" href={PAGE}>
          Refresh
        </a>
      ),
      children: <StatusPage about={about} look={await look()} />,
    })),
  );

const StatusPage = ({
  about,
  look,
}: {
  readonly about: AboutProcess;
  readonly look: HealthSnapshot;
}) => {
  const findings = buildFindings(look);
  return (
    <>
      <Summary findings={findings} />
      {findings.map((finding) => (
        <FindingSection key={finding.id} finding={finding} now={look.at} />
      ))}
      <ThisProcess about={about} at={look.at} />
    </>
  );
};

const Summary = ({ findings }: { readonly findings: readonly Finding[] }) => {
  const open = findings.filter(({ state }) => state !== 'well');
  if (open.length === 0)
    return (
      <p class="notice notice--success" data-message="all-well">
        Everything is running as it should. Nothing needs to be done.
      </p>
    );
  const filterByState = (target: FindingState) => open.filter(({ state }) => state === target);
  const [act, look] = [filterByState('act'), filterByState('look')];
  return (
    <p class={`notice notice--${act.length > 0 ? 'error' : 'warning'}`}>
      {act.length > 0 && <>Action needed: {listLinks(act)}. </>}
      {look.length > 0 && <>Needs review: {listLinks(look)}.</>}
    </p>
  );
};

const listLinks = (findings: readonly Finding[]) =>
  findings.flatMap(({ id, heading }, index) => [
    ...(index > 0 ? [', '] : []),
    <a key={id} href={`#${id}`}>
      {heading}
    </a>,
  ]);

const FindingSection = ({
  finding: { id, heading, state, says, command, facts },
  now,
}: {
  readonly finding: Finding;
  readonly now: Date;
}) => (
  <section class="finding padding-bottom-1" aria-labelledby={id}>
    <div class="cluster margin-top-205 margin-bottom-1">
      <h2 id={id} class="margin-0">
        {heading}
      </h2>
      <StateTag state={state} />
    </div>
    <p data-message={`${id}-${state}`}>{says}</p>
    {command !== null && (
      <p class="shell">
        <code>npx --no birth-registry {command}</code>
      </p>
    )}
    {facts.length > 0 && (
      <Facts
        of={facts.map(({ name, value }) => [
          name,
          value instanceof Date ? <Ago at={value} now={now} /> : value,
        ])}
      />
    )}
  </section>
);

/** Time with its age, since the page shows no seconds. */
const Ago = ({ at, now }: { readonly at: Date; readonly now: Date }) => {
  const span = formatSpan((now.getTime() - at.getTime()) / 1000);
  return (
    <>
      <Time at={at} /> <span class="text-no-wrap">({span} ago)</span>
    </>
  );
};

const StateTag = ({ state }: { readonly state: FindingState }) => {
  if (state === 'act') return <span class="tag tag--refused">Critical</span>;
  return state === 'look' ? <Tag kind="warning" /> : <Tag kind="live" text="OK" />;
};

const ROLES: Readonly<Record<string, string>> = {
  all: 'everything: accepts submissions, processes them, and keeps the read tables current',
  api: 'accepts submissions and shows pages',
  worker: 'processes submissions',
  projector: 'keeps the read tables current',
};

const ThisProcess = ({ about, at }: { readonly about: AboutProcess; readonly at: Date }) => {
  const role = ROLES[about.role];
  return (
    <section class="finding padding-bottom-1" aria-labelledby="process">
      <h2 id="process" class="margin-top-205 margin-bottom-1">
        This process
      </h2>
      <p>The results above cover all processes of the service. This page comes from one of them:</p>
      <Facts
        of={[
          ['Role', `${about.role}${role === undefined ? '' : ` (${role})`}`],
          ['Version', about.version],
          ['Running since', <Ago key="since" at={about.startedAt} now={at} />],
          ['Checked', <Time key="checked" at={at} />],
        ]}
      />
    </section>
  );
};
