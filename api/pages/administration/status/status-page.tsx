import type { HealthSnapshot } from '../../../health/health-snapshot.ts';
import { formatSpan } from '../../../process/progress-messages.ts';
import { Tag } from '../../layout/tag.tsx';
import { Time } from '../../layout/time.tsx';
import { buildFindings, type Finding, type FindingState } from './status-findings.ts';

export const ALL_WELL = 'Everything is running as it should. Nothing needs to be done.';

export interface AboutProcess {
  readonly role: string;
  readonly version: string;
  readonly startedAt: Date;
}

export interface StatusPageProps {
  readonly about: AboutProcess;
  readonly look: HealthSnapshot;
}

export const StatusPage = ({ about, look }: StatusPageProps) => {
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
  if (open.length === 0) return <p class="notice notice--success">{ALL_WELL}</p>;
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

interface FindingSectionProps {
  readonly finding: Finding;
  readonly now: Date;
}

const FindingSection = ({ finding, now }: FindingSectionProps) => {
  const { id, heading, state, says, command, facts } = finding;
  return (
    <section class="finding padding-bottom-1" aria-labelledby={id}>
      <div class="cluster margin-top-205 margin-bottom-1">
        <h2 id={id} class="margin-0">
          {heading}
        </h2>
        <StateTag state={state} />
      </div>
      <p>{says}</p>
      {command !== null && (
        <p class="shell">
          <code>npx --no birth-registry {command}</code>
        </p>
      )}
      {facts.length > 0 && (
        <dl class="summary-list">
          {facts.flatMap(({ name, value }) => [
            <dt key={`${name}, name`}>{name}</dt>,
            <dd key={name}>{value instanceof Date ? <Ago at={value} now={now} /> : value}</dd>,
          ])}
        </dl>
      )}
    </section>
  );
};

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

export const ROLES: Readonly<Record<string, string>> = {
  all: 'everything: accepts submissions, processes them, and keeps the read tables current',
  api: 'accepts submissions and shows pages',
  worker: 'processes submissions',
  projector: 'keeps the read tables current',
};

const ThisProcess = ({ about, at }: { readonly about: AboutProcess; readonly at: Date }) => (
  <section class="finding padding-bottom-1" aria-labelledby="process">
    <h2 id="process" class="margin-top-205 margin-bottom-1">
      This process
    </h2>
    <p>The results above cover all processes of the service. This page comes from one of them:</p>
    <dl class="summary-list">
      <dt>Role</dt>
      <dd>
        {about.role}
        {ROLES[about.role] !== undefined && ` (${ROLES[about.role]})`}
      </dd>
      <dt>Version</dt>
      <dd>{about.version}</dd>
      <dt>Running since</dt>
      <dd>
        <Ago at={about.startedAt} now={at} />
      </dd>
      <dt>Checked</dt>
      <dd>
        <Time at={at} />
      </dd>
    </dl>
  </section>
);
