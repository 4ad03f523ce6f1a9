import type { SavedPrefill } from '../../../domain/intake/us-core/prefill.ts';
import { Section } from '../layout/section.tsx';
import { formatPerson } from './patient-banner.tsx';
import { getNextChartRole, listChartsToAdd, type SelectedCharts } from './prefill-place.ts';

export const BothCharts = ({
  taken,
  launches,
}: {
  readonly taken: SelectedCharts;
  readonly launches: readonly SavedPrefill[];
}) => {
  const { as, others } = taken;
  const offered = listChartsToAdd(taken, launches);
  const next = getNextChartRole(taken);
  return (
    <Section
      id="both-charts"
      heading="Mother’s and newborn’s chart"
      class="both-charts margin-top-2"
    >
      {others.length > 0 && (
        <ul>
          {others.map(({ prefillId, chart }, index) => (
            <li key={prefillId}>
              Added as the {index === 0 && as === 'newborn' ? 'mother' : 'newborn'}’s chart:{' '}
              <strong>{formatPerson(chart.person)}</strong>{' '}
              <button
                type="submit"
                name="take_out"
                value={prefillId}
                class="usa-button usa-button--unstyled"
              >
                Remove<span class="usa-sr-only"> {formatPerson(chart.person)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {offered.map(({ prefillId, chart }) => (
        <p key={prefillId}>
          <button
            type="submit"
            name="add_chart"
            value={prefillId}
            class="usa-button usa-button--outline"
          >
            Add the {next}’s chart: {formatPerson(chart.person)}
          </button>
        </p>
      ))}
      {offered.length === 0 && (
        <p class="quiet">
          To fill in more, open the {next}’s chart in your EHR in this browser, launch Birth
          Registry from there, and come back to this page. Nothing you typed will be lost.
        </p>
      )}
    </Section>
  );
};
