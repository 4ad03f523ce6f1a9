import { parseDateAndTime } from '../../../domain/fhir/dates.ts';
import type { EhrSourceWithDisplay, PrefillHint } from '../../../domain/mapping/us-core/prefill.ts';
import { buildFieldId } from '../layout/field-errors.ts';
import { useFrame } from '../layout/frame-context.ts';
import { formatHint, formatSources, IN_THE_EHR } from '../text/prefill-text.ts';
import { type EhrCandidate, findCurrentCandidate } from './ehr-candidates.ts';

export interface EhrValueProps {
  readonly name: string;
  readonly value: string | undefined;
  /** True if a person rejected all conflicting values. */
  readonly isNone: boolean;
  readonly candidates: readonly EhrCandidate[];
  readonly hints: readonly PrefillHint[];
}

export const buildPickName = (key: string): string => `pick.${key}`;
/** Answer for a typed value. */
export const TYPED = 'typed';
/** Answer for none of the values. */
export const NONE = 'none';
/** Hidden field with the previous choice. */
export const buildPickedName = (key: string): string => `picked.${key}`;

export const CHOOSE_ONE = 'Conflicting values: choose one';

export const EhrValue = ({ name, value, isNone, candidates, hints }: EhrValueProps) => {
  const times = useFrame();
  return (
    <>
      {candidates.length === 1 && <Mark name={name} value={value} candidates={candidates} />}
      {candidates.length > 1 && (
        <Choice name={name} value={value} isNone={isNone} candidates={candidates} />
      )}
      {hints.map((hint) => (
        <p key={hint.text} class="margin-top-05 margin-bottom-0 font-sans-2xs">
          {IN_THE_EHR} {formatHint(hint, times)} <Where from={hint.from} />{' '}
          {hint.value !== undefined && hint.value !== value && (
            <button
              type="submit"
              name="use"
              value={`${name}=${hint.value}`}
              class="usa-button usa-button--unstyled"
              data-ehr-use={hint.value}
            >
              Use “{hint.value}”
            </button>
          )}
        </p>
      ))}
    </>
  );
};

const Mark = ({ name, value, candidates }: Omit<EhrValueProps, 'hints' | 'isNone'>) => {
  const times = useFrame();
  const [candidate] = candidates;
  if (candidate === undefined) return null;
  const isEdited = findCurrentCandidate(candidates, value) === -1;
  return (
    <div
      class="ehr-mark"
      id={`${buildFieldId(name)}-ehr`}
      data-ehr={candidate.text}
      data-ehr-value={formatPlainValue(candidate)}
    >
      <p data-ehr-same hidden={isEdited}>
        <span class="ehr-mark__word">From the EHR</span>{' '}
        {times.namesZone && isUtcTime(candidate) && <>{candidate.inWords(times)} </>}
        <Doubts candidate={candidate} />
        <Where from={candidate.offer.from} />
      </p>
      <p data-ehr-edited hidden={!isEdited}>
        <span class="ehr-mark__word ehr-mark__word--edited">Edited</span> The EHR says{' '}
        {candidate.inWords(times)}. <Where from={candidate.offer.from} />
      </p>
    </div>
  );
};

/** Times in UTC are converted; others stay as they were sent. */
const isUtcTime = ({ offer }: EhrCandidate): boolean =>
  parseDateAndTime(String(offer.value))?.offsetMinutes === 0;

const Choice = ({ name, value, isNone, candidates }: Omit<EhrValueProps, 'hints'>) => {
  const times = useFrame();
  const standing = findCurrentCandidate(candidates, value);
  const id = buildFieldId(buildPickName(name));
  const typed = (value ?? '').trim() === '' ? '' : TYPED;
  return (
    <fieldset class="usa-fieldset ehr-choice caution" data-ehr-choice>
      <legend>
        <span class="ehr-mark__word ehr-mark__word--choice">{CHOOSE_ONE}</span>
      </legend>
      <input
        type="hidden"
        name={buildPickedName(name)}
        value={standing === -1 ? typed : standing}
      />
      {candidates.map((candidate, index) => (
        <div key={candidate.text} class="usa-radio">
          <input
            class="usa-radio__input"
            type="radio"
            id={`${id}-${index}`}
            name={buildPickName(name)}
            value={String(index)}
            checked={index === standing}
            data-ehr={candidate.text}
            data-ehr-value={formatPlainValue(candidate)}
          />
          <label class="usa-radio__label" for={`${id}-${index}`}>
            {candidate.inWords(times)}
            <span class="beneath">{formatSources(candidate.offer.from, times)}</span>
            <Doubts candidate={candidate} />
          </label>
        </div>
      ))}
      <div class="usa-radio">
        <input
          class="usa-radio__input"
          type="radio"
          id={`${id}-none`}
          name={buildPickName(name)}
          value={NONE}
          checked={isNone}
        />
        <label class="usa-radio__label" for={`${id}-none`}>
          None of these (leave empty)
        </label>
      </div>
      <p data-ehr-edited hidden={standing !== -1 || (value ?? '').trim() === ''}>
        <span class="ehr-mark__word ehr-mark__word--edited">Edited</span> You typed a different
        value.
      </p>
    </fieldset>
  );
};

/** A list cannot appear in a field with another spelling. */
const formatPlainValue = ({ offer }: EhrCandidate): string | undefined =>
  Array.isArray(offer.value) ? undefined : String(offer.value);

const Where = ({ from }: { readonly from: EhrSourceWithDisplay }) => (
  <span class="ehr-mark__where quiet">{formatSources(from, useFrame())}</span>
);

const Doubts = ({ candidate: { offer } }: { readonly candidate: EhrCandidate }) => (
  <>
    {offer.derived !== null && <span class="display-block margin-top-05">{offer.derived}</span>}
    {offer.caution !== null && (
      <span class="caution display-block margin-top-05">{offer.caution}</span>
    )}
  </>
);
