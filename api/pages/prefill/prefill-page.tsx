import type { CustomField } from '../../../domain/custom-field/state.ts';
import type { SavedPrefill } from '../../../domain/mapping/us-core/prefill.ts';
import { createPracticeClock } from '../../practice-time/practice-clock.ts';
import { Notice } from '../layout/flash-messages.tsx';
import { Form } from '../layout/form.tsx';
import { useFrame } from '../layout/frame-context.ts';
import { Section } from '../layout/section.tsx';
import { BirthForm } from '../parts/birth-form/form/birth-form.tsx';
import { buildFormViewModel, type FormContent } from '../parts/birth-form/form/form-values.ts';
import { formatUnread } from '../text/prefill-text.ts';
import { AtAGlance } from './at-a-glance.tsx';
import { buildPickName, EhrValue, NONE } from './ehr-beside.tsx';
import { buildEhrCandidates } from './ehr-candidates.ts';
import { formatPerson, LaunchChooser, PatientBanner } from './patient-banner.tsx';
import {
  buildPrefill,
  buildPrefillPath,
  getNextChartRole,
  listChartsToAdd,
  PREFILL_PATH,
  type SelectedCharts,
} from './prefill-place.ts';

interface PrefillView extends SelectedCharts {
  readonly content: FormContent;
  readonly customFields: readonly CustomField[];
  /** All pre-fills of the browser, latest first. */
  readonly launches: readonly SavedPrefill[];
  /** Hidden fields in addition to the charts, such as the edition of the review. */
  readonly hidden: Readonly<Record<string, string>>;
}

export const PrefillPage = (view: PrefillView) => {
  const { primary, as, others, content, customFields, launches } = view;
  const frame = useFrame();
  const { timeZone, now, who } = frame;
  const dateOrder = who?.kind === 'member' ? who.practice.dateOrder : null;
  const clock = createPracticeClock(timeZone, now, dateOrder);
  const prefill = buildPrefill(view);
  const candidates = buildEhrCandidates(prefill, clock.offsetAt);
  const look = {
    ...buildFormViewModel(content, frame, clock),
    beside: (key: string) => (
      <EhrValue
        name={key}
        value={content.values[key]}
        isNone={content.values[buildPickName(key)] === NONE}
        candidates={candidates.get(key) ?? []}
        hints={prefill.hints.filter(({ path }) => path === key)}
      />
    ),
  };
  const { prefillId } = primary;
  const unread = [primary, ...others].flatMap(({ chart }) => chart.unread);
  const gaps = [...new Set(unread.map(formatUnread))];
  const added = others.map((other) => other.prefillId).join(' ');
  return (
    <>
      <LaunchChooser current={primary} launches={launches} />
      {gaps.length > 0 && <Notice kind="warning">{gaps.join(' ')}</Notice>}
      <BirthForm
        action={PREFILL_PATH}
        hidden={{ prefill_id: prefillId, as, with: added, ...view.hidden }}
        look={look}
        customFields={customFields}
        submit={{ text: 'Save', value: 'save' }}
        work="enter births"
        cancel={null}
        check={`${PREFILL_PATH}/check`}
        resume={buildPrefillPath(prefillId)}
        lead={{
          paths: ['place_of_birth'],
          children: (
            <>
              <PatientBanner launch={primary} as={as} />
              <BothCharts {...view} />
              <AtAGlance prefill={prefill} unread={unread} candidates={candidates} look={look} />
            </>
          ),
        }}
      />
      <Form action={PREFILL_PATH} class="margin-top-2">
        <input type="hidden" name="prefill_id" value={prefillId} />
        <button type="submit" name="discard" value="yes" class="usa-button usa-button--unstyled">
          Discard this pre-fill
        </button>
      </Form>
    </>
  );
};

const BothCharts = (view: PrefillView) => {
  const { as, others } = view;
  const offered = listChartsToAdd(view, view.launches);
  const next = getNextChartRole(view);
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
