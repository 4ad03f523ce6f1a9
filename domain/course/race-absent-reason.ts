import { cacheTexts } from '../fhir/json.ts';
import { RACE_ABSENT_REASONS, type RaceAbsentReason } from './codes.ts';
import { MAX_TEXT } from './limits.ts';
import { parseSearchWords } from './search-words.ts';

type Words = Readonly<Record<RaceAbsentReason, readonly string[]>>;

/** Words, and codes of v3-NullFlavor, v3-ActReason, and data-absent-reason, that state a reason. */
const STATED: Words = {
  declined: (
    'prefus decline declined declines declining refuse refused refuses refusal withheld withhold ' +
    'undisclosed nondisclosed unwilling'
  ).split(' '),
  'asked but unknown': 'asku asked unsure'.split(' '),
  unknown: (
    'unk unknown unspecified unavailable unreported undetermined unidentified nask ni nav na none ' +
    'missing blank unable'
  ).split(' '),
};

/** Words that state a reason only with a negation: "prefer not to say". */
const NEGATED: Words = {
  declined: (
    'prefer prefers preferred choose chooses chose opt opts opted wish wishes wished want wants ' +
    'wanted willing rather would wouldn disclose disclosed'
  ).split(' '),
  'asked but unknown': 'know knows knew sure'.split(' '),
  unknown: (
    'reported stated recorded available specified documented collected provided obtain obtained ' +
    'obtainable determine determined given entered answered known information data answer response ' +
    'identified applicable file'
  ).split(' '),
};

const NEGATIONS: ReadonlySet<string> = new Set('not no non t cannot unable out'.split(' '));

const FILLERS = (
  'patient pt mother client person parent respondent she they race ethnicity to say state specify ' +
  'share provide report respond identify ask question this the a of or and by but at on time is was ' +
  'has have had be does did do doesn didn don could couldn temp i self her my own left'
).split(' ');

const WORDS: ReadonlySet<string> = new Set([
  ...[STATED, NEGATED].flatMap((words) => Object.values(words).flat()),
  ...NEGATIONS,
  ...FILLERS,
]);

const PHRASES: ReadonlyMap<string, RaceAbsentReason> = new Map([
  ['n a', 'unknown'],
  ['not asked', 'unknown'],
]);

/** `null` if any word may be about a race. */
export const findRaceAbsentReason = (text: string | null): RaceAbsentReason | null =>
  text === null || text.length > MAX_TEXT ? null : findReason(text);

const findReason = cacheTexts((text): RaceAbsentReason | null => {
  const words = parseSearchWords(text);
  const phrase = PHRASES.get(words.join(' '));
  if (phrase !== undefined) return phrase;
  if (!words.every((word) => WORDS.has(word))) return null;
  const isNegated = words.some((word) => NEGATIONS.has(word));
  const states = (reason: RaceAbsentReason) => (word: string) =>
    STATED[reason].includes(word) || (isNegated && NEGATED[reason].includes(word));
  return RACE_ABSENT_REASONS.find((reason) => words.some(states(reason))) ?? null;
});

export const pickRaceAbsentReason = (
  stated: readonly (RaceAbsentReason | null)[],
): RaceAbsentReason | null => RACE_ABSENT_REASONS.find((one) => stated.includes(one)) ?? null;
