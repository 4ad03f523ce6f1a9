import {
  findOffsets,
  type OffsetAt,
  type WhichMoment,
} from '../../../../../domain/course/local-times.ts';
import { parseDateAndTime } from '../../../../../domain/fhir/dates.ts';
import type { FormValues } from '../../../../../domain/mapping/form/form-fields.ts';
import { formatClock } from '../../../../../domain/mapping/form/format-course.ts';
import {
  type DateReading,
  type ParsedLocalTime,
  parseTypedTime,
} from '../../../../../domain/mapping/form/parse-dates.ts';
import { splitStated } from '../../../../../domain/mapping/form/parse-offset.ts';
import { createOffsetAt, zoneName } from '../../../../practice-time/practice-clock.ts';
import type { Choice } from '../../../layout/select-field.tsx';
import { listIndexes } from './form-layout.ts';

/** Time of birth that occurs twice because the clocks were set back. */
export interface AmbiguousTime {
  /** Typed text, without the answer. */
  readonly text: string;
  /** Chosen moment; '' if unanswered. */
  readonly which: WhichMoment | '';
  /** "1:30 AM". */
  readonly clock: string;
  /** "First 1:30 AM (EDT)" and "Second 1:30 AM (EST)". */
  readonly choices: readonly Choice[];
}

export const buildWhichKey = (key: string): string => `${key}_which`;

/** @param timeZone IANA name */
export const findAmbiguousTimes = (
  values: FormValues,
  timeZone: string,
  reading: DateReading,
): Readonly<Record<string, AmbiguousTime>> => {
  const offsetAt = createOffsetAt(timeZone);
  const found: Record<string, AmbiguousTime> = {};
  for (const { key, local, offsets } of listDoubtfulTimes(values, offsetAt, reading)) {
    const { stated } = local;
    // A typed offset already decides it and remains in the text.
    if (typeof stated === 'number') continue;
    const { date, timeOfDay } = local;
    const time = parseDateAndTime(`${date}T${timeOfDay}`);
    if (time === null) continue;
    const clock = formatClock(time).toUpperCase();
    const [first, second] = offsets.map((offset) =>
      zoneName(new Date(`${date}T${timeOfDay}${offset}`), timeZone),
    );
    const text = values[key] ?? '';
    found[key] = {
      text: stated === null ? text : splitStated(trimAnswers(text)).text,
      which: stated ?? '',
      clock,
      choices: [
        { value: 'first', text: `First ${clock} (${first})` },
        { value: 'second', text: `Second ${clock} (${second})` },
      ],
    };
  }
  return found;
};

/**
 * Appends the answers to the texts (`1:30 am second`), so they are stored and parsed like typed
 * text. Answers that are no longer needed are dropped; typed text takes precedence.
 */
export const applyAnsweredTimes = (
  values: FormValues,
  answerTo: (key: string) => string,
  clock: DateReading & { readonly offsetAt: OffsetAt },
): FormValues => {
  if (listIndexes('children', values).every((index) => answerTo(buildTimeKey(index)) === ''))
    return values;
  const answered = listDoubtfulTimes(values, clock.offsetAt, clock).flatMap(({ key, local }) => {
    const answer = answerTo(key);
    return local.stated === null && (answer === 'first' || answer === 'second')
      ? [[key, `${values[key] ?? ''} ${answer}`] as const]
      : [];
  });
  return { ...values, ...Object.fromEntries(answered) };
};

const buildTimeKey = (index: number): string => `children.${index}.birth_time`;

const trimAnswers = (text: string): string => text.trim().replace(/\s+/gu, ' ');

interface DoubtfulTime {
  readonly key: string;
  readonly local: ParsedLocalTime;
  readonly offsets: readonly string[];
}

const listDoubtfulTimes = (
  values: FormValues,
  offsetAt: OffsetAt,
  reading: DateReading,
): readonly DoubtfulTime[] =>
  listIndexes('children', values).flatMap((index) => {
    const key = buildTimeKey(index);
    const local = parseTypedTime(values, key, reading);
    if (local === null) return [];
    const offsets = findOffsets(`${local.date}T${local.timeOfDay}`, offsetAt) ?? [];
    return offsets.length > 1 ? [{ key, local, offsets }] : [];
  });
