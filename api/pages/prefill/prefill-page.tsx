import type { CustomField } from '../../../domain/custom-field/state.ts';
import type { KeptPrefill } from '../../../domain/us-core/kept-prefills.ts';
import { BirthForm } from '../birth-form/birth-form.tsx';
import { type FormContent, formLook } from '../birth-form/form-values.ts';
import { Notice } from '../frame/flash-messages.tsx';
import { Form } from '../frame/form.tsx';
import { useFrame } from '../frame/frame-context.ts';
import { AtAGlance } from './at-a-glance.tsx';
import { EhrBeside } from './ehr-beside.tsx';
import { ehrCandidates } from './ehr-candidates.ts';
import { LaunchChooser, PatientBanner } from './patient-banner.tsx';
import { PREFILL_PATH, prefillAt, prefillOf, type TakenAs } from './prefill-place.ts';
import { unreadInWords } from './prefill-words.ts';

/** A pre-fill to look over. */
export interface PrefillView {
  readonly kept: KeptPrefill;
  readonly as: TakenAs;
  readonly content: FormContent;
  readonly customFields: readonly CustomField[];
  /** All pre-fills of the browser, the latest first. */
  readonly launches: readonly KeptPrefill[];
}

/** The form of a birth as the EHR fills it in, with where each value came from. */
export const PrefillPage = ({ kept, as, content, customFields, launches }: PrefillView) => {
  const { timeZone } = useFrame();
  const prefill = prefillOf(kept, as);
  const candidates = ehrCandidates(prefill);
  const look = {
    ...formLook(content, timeZone),
    beside: (key: string) => (
      <EhrBeside
        name={key}
        value={content.values[key]}
        candidates={candidates.get(key) ?? []}
        hints={prefill.hints.filter(({ path }) => path === key)}
      />
    ),
  };
  const { prefillId } = kept;
  return (
    <>
      <LaunchChooser shown={kept} launches={launches} />
      {kept.chart.unread.length > 0 && (
        <Notice kind="warning">{kept.chart.unread.map(unreadInWords).join(' ')}</Notice>
      )}
      <BirthForm
        action={PREFILL_PATH}
        hidden={{ prefill_id: prefillId, as }}
        look={look}
        customFields={customFields}
        submit={{ text: 'Save', value: 'save' }}
        work="enters births"
        cancel={null}
        check={`${PREFILL_PATH}/check`}
        resume={prefillAt(prefillId)}
        lead={{
          paths: ['place_of_birth'],
          children: (
            <>
              <PatientBanner kept={kept} as={as} />
              <AtAGlance prefill={prefill} candidates={candidates} look={look} />
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
