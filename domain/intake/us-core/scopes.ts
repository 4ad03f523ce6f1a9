/** What the registry asks an EHR for. @see spec "Pull lane (EHR launch); no API key" */
export const LAUNCH_SCOPES =
  'launch openid fhirUser patient/Patient.read patient/Observation.read patient/Condition.read patient/Encounter.read';

/** A type of resource that the registry reads. */
export type PulledType = 'Patient' | 'Observation' | 'Condition' | 'Encounter';

/** How much of a type may be read; `narrowed`: some categories only. */
export type Grant = 'all' | 'narrowed' | 'none';

const SCOPE = /^(?:patient|user|system)\/([A-Za-z]+|\*)\.(read|\*|[cruds]+)(\?.*)?$/;

/** Version 2 letters: `r` reads one, `s` searches. */
const reads = (letters: string, type: PulledType): boolean =>
  letters === 'read' || letters === '*' || letters.includes(type === 'Patient' ? 'r' : 's');

/**
 * What a granted scope lets the registry read of a type, in the words of SMART 1 (`.read`) or 2
 * (`.rs`, with or without a filter).
 * @param scope null: the EHR does not say, so as it was asked for (RFC 6749, 5.1)
 */
export const findGrant = (scope: string | null, type: PulledType): Grant => {
  let grant: Grant = 'none';
  for (const one of (scope ?? LAUNCH_SCOPES).split(/\s+/)) {
    const [, named, letters = '', filter] = SCOPE.exec(one) ?? [];
    if ((named !== type && named !== '*') || !reads(letters, type)) continue;
    if (filter === undefined) return 'all';
    grant = 'narrowed';
  }
  return grant;
};
