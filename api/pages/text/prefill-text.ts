import type { EhrSource } from '../../../domain/course/course.ts';
import type {
  EhrSourceWithDisplay,
  PrefillHint,
  UnreadPart,
} from '../../../domain/mapping/us-core/prefill.ts';
import { buildFullLabel, parseValuePlace } from './field-labels.ts';
import { formatDateAndTime } from './format-dates.ts';
import type { TimeFormat } from './format-times.ts';
import { uncapitalize } from './text-case.ts';

const KINDS: Readonly<Record<string, string>> = {
  Patient: 'Patient details',
  Observation: 'Measurement or finding',
  Condition: 'Diagnosis',
  Encounter: 'Visit or stay',
};

export const IN_THE_EHR = 'In the EHR:';

/** "Birth weight, May 12, 2026, 2:03 PM". */
export const formatSources = (
  { resource, display, date }: EhrSourceWithDisplay,
  times: TimeFormat,
): string =>
  [
    display ?? KINDS[resource.split('/')[0] ?? ''] ?? 'Chart',
    ...(date === null ? [] : [formatDateAndTime(date, times)]),
  ].join(', ');

/** "measurement or finding Observation/123, code 8339-4, May 12, 2026, 2:03 PM". */
export const formatChartPlace = (
  { resource, code, date }: EhrSource,
  times: TimeFormat,
): string => {
  const kind = KINDS[resource.split('/')[0] ?? ''];
  return [
    kind === undefined ? resource : `${kind.toLowerCase()} ${resource}`,
    ...(code === null ? [] : [`code ${code}`]),
    ...(date === null ? [] : [formatDateAndTime(date, times)]),
  ].join(', ');
};

const PARTS: Readonly<Record<UnreadPart['part'], string>> = {
  Patient: 'Patient details',
  Observation: 'Measurements and findings',
  Condition: 'Conditions',
  Encounter: 'Visits and stays',
};

const MISSING: Readonly<Record<UnreadPart['part'], string>> = {
  Patient: 'Names and dates',
  Observation: 'Birth weight, Apgar scores, gestational age, and other values',
  Condition: 'Diagnoses, and what follows from them, such as the delivery method,',
  Encounter: 'The attendant and the time of admission',
};

export const formatUnread = ({ part, why, of = [] }: UnreadPart): string => {
  const name = PARTS[part];
  const named = of.length === 0 ? '' : ` (${of.map(uncapitalize).join(', ')})`;
  switch (why) {
    case 'not-granted':
      return `${name} were not shared by the EHR. Enter them by hand.`;
    case 'narrowed':
      return `${name} were only partly shared by the EHR. Enter what is missing by hand.`;
    case 'not-readable':
      return `${name} could not be read. Enter them by hand.`;
    case 'failed':
      return `The EHR reported an error in the search for ${name.toLowerCase()}. ${MISSING[part]} may be missing: check the chart.`;
    case 'incomplete':
      return `${name} could not be read completely. Check the chart for newer values.`;
    case 'replaced':
      return 'The EHR no longer uses this chart, such as after a merge. Open the patient’s other chart, or check each value.';
    case 'too-large':
      return `${name} are partly too large to read. Enter what is missing by hand.`;
    case 'modified':
      return `${name} are partly marked in a way that may change what they mean, so those were not read. Check the chart.`;
    case 'other-type':
      return `${name}${named} are partly in a form that could not be read. Compare them with the chart, and enter what is missing by hand.`;
    case 'repeated':
      return `${name}${named} have more than one answer where there should be one. Compare them with the chart.`;
  }
};

/** Label of a form field in a list: "Child 2: birth weight". */
export const formatKey = (key: string, children: readonly number[]): string => {
  const place = parseValuePlace(key);
  if (place === null) return key;
  const row = place.field.startsWith('children.') ? children.indexOf(place.index ?? 0) : -1;
  return buildFullLabel(row === -1 ? place : { ...place, index: row }, children.length);
};

/** EHR text that fits no field unchanged. */
export const formatHint = ({ kind, text }: PrefillHint, times: TimeFormat): string => {
  switch (kind) {
    case 'attendant':
      return `Attendant: ${text}.`;
    case 'admission':
      return `Admitted: ${formatDateAndTime(text, times)}.`;
    case 'condition':
      return `Diagnosis: ${text}.`;
    case 'place':
    case 'plurality':
    case 'parity':
    case 'smoking':
    case 'prenatal-visits':
      return /[.!?]$/.test(text) ? text : `${text}.`;
  }
};
