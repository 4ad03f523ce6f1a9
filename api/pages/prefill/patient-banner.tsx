import type { LaunchedPerson, SavedPrefill } from '../../../domain/mapping/us-core/prefill.ts';
import { Time } from '../layout/time.tsx';
import { formatDate } from '../text/format-dates.ts';
import { buildPrefillPath, type ChartRole, PREFILL_PATH } from './prefill-place.ts';

/** Omits the name if the EHR shows it next to the page. */
export const PatientBanner = ({
  launch: { chart, savedAt },
  as,
}: {
  readonly launch: SavedPrefill;
  readonly as: ChartRole;
}) => {
  const other: ChartRole = as === 'mother' ? 'newborn' : 'mother';
  return (
    <section
      class="patient-banner card card--ground margin-top-105 margin-bottom-2 cluster flex-align-start flex-justify"
      aria-label="Patient in the EHR"
    >
      <div>
        {chart.needsPatientBanner && (
          <>
            <p class="font-sans-md text-bold">{chart.person.name ?? 'Name not in the EHR'}</p>
            <p>{listFacts(chart.person)}</p>
          </>
        )}
        <p class="quiet">
          Read <Time at={savedAt} /> from {getHost(chart.issuer)}; kept for 30 minutes.
        </p>
      </div>
      <p class="cluster cluster--close">
        Using this as the {as}’s chart.{' '}
        <button type="submit" name="switch" value={other} class="usa-button usa-button--outline">
          This is the {other}’s chart
        </button>
      </p>
    </section>
  );
};

const listFacts = ({ birthDate, sex, medicalRecordNumber }: LaunchedPerson): string =>
  [
    birthDate === null ? 'Birth date not in the EHR' : `Born ${formatDate(birthDate)}`,
    ...(sex === null || sex === 'unknown' ? [] : [sex]),
    ...(medicalRecordNumber === null ? [] : [`medical record number ${medicalRecordNumber}`]),
  ].join(', ');

const getHost = (issuer: string): string =>
  URL.canParse(issuer) ? new URL(issuer).host : 'the EHR';

export const formatPerson = ({ name, birthDate }: LaunchedPerson): string =>
  `${name ?? 'Name not in the EHR'}, ${birthDate === null ? 'birth date not in the EHR' : `born ${formatDate(birthDate)}`}`;

/** Other launches of the browser; patients are never mixed. */
export const LaunchChooser = ({
  current,
  launches,
}: {
  readonly current: SavedPrefill | null;
  readonly launches: readonly SavedPrefill[];
}) =>
  launches.every(({ prefillId }) => prefillId === current?.prefillId) ? null : (
    <nav class="launches card margin-bottom-205" aria-label="Patients read from the EHR">
      <h2>Patients read from the EHR</h2>
      <ul>
        {launches.map(({ prefillId, savedAt, chart }) => (
          <li key={prefillId}>
            {prefillId === current?.prefillId ? (
              <strong aria-current="page">{formatPerson(chart.person)}</strong>
            ) : (
              <a href={buildPrefillPath(prefillId)}>{formatPerson(chart.person)}</a>
            )}
            , read <Time at={savedAt} />
            {prefillId === current?.prefillId && ' (shown below)'}
          </li>
        ))}
      </ul>
    </nav>
  );

/** Asks the clinician whose chart it is; age and sex cannot decide that. */
export const WhoseChart = ({ launch }: { readonly launch: SavedPrefill }) => (
  <>
    <section
      class="patient-banner card card--ground margin-top-105 margin-bottom-2 cluster flex-align-start flex-justify"
      aria-label="Patient in the EHR"
    >
      <div>
        <p class="font-sans-md text-bold">{launch.chart.person.name ?? 'Name not in the EHR'}</p>
        <p>{listFacts(launch.chart.person)}</p>
      </div>
    </section>
    <h2>Whose chart is this?</h2>
    <p>The chart’s age and sex don’t settle it. You can change your answer later.</p>
    <div class="buttons">
      {(['mother', 'newborn'] as const).map((as) => (
        <a
          key={as}
          class="usa-button usa-button--outline"
          href={`${PREFILL_PATH}?id=${launch.prefillId}&as=${as}`}
        >
          The {as}’s chart
        </a>
      ))}
    </div>
  </>
);
