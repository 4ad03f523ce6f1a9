import { type DateParts, findDateParts, formatDate } from './date-formats.ts';
import {
  type Condition,
  type FormatToken,
  type OpenSection,
  splitSections,
} from './format-tokens.ts';
import { formatNumber, type NumberPart, parseNumberParts } from './number-parts.ts';

export interface NumberFormat {
  /** Dates as `2026-05-12`, no commas. `null` if the display loses the value: a date without year, say. */
  formatNumber(value: number, countsFrom1904: boolean): string | null;
  /** Formats a text. Returns `null` if the sheet displays nothing. */
  formatText(text: string): string | null;
}

/** Built-in formats, which a workbook refers to only by number. @see ECMA-376 18.8.30 "numFmt" */
const BUILT_IN: ReadonlyMap<number, string> = new Map([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [5, '"$"#,##0_);\\("$"#,##0\\)'],
  [6, '"$"#,##0_);\\("$"#,##0\\)'],
  [7, '"$"#,##0.00_);\\("$"#,##0.00\\)'],
  [8, '"$"#,##0.00_);\\("$"#,##0.00\\)'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  ...[14, 15, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map(
    (id) => [id, 'yyyy/m/d'] as const,
  ),
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  ...[18, 20, 32, 34, 55].map((id) => [id, 'h:mm'] as const),
  ...[19, 21, 33, 35, 56].map((id) => [id, 'h:mm:ss'] as const),
  [22, 'm/d/yy h:mm'],
  [37, '#,##0_);\\(#,##0\\)'],
  [38, '#,##0_);\\(#,##0\\)'],
  [39, '#,##0.00_);\\(#,##0.00\\)'],
  [40, '#,##0.00_);\\(#,##0.00\\)'],
  [41, '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)'],
  [42, '_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)'],
  [43, '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)'],
  [44, '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
  [48, '##0.0E+0'],
  [49, '@'],
]);

/** Finds a format by its code if the workbook defines one, or else by its number. */
export const findNumberFormat = (id: number, code: string | undefined): NumberFormat =>
  parseFormat(code ?? BUILT_IN.get(id) ?? 'General');

const MAX_CODE_LENGTH = 255;
/** For positive and negative numbers, zero, and texts. */
const MAX_SECTIONS = 4;
/** Displayed by a sheet if no section is for the number. */
const NO_SECTION_TEXT = '########';

interface Section {
  readonly condition: Condition | null;
  /** Of the first kind that fits. */
  readonly shows:
    | { readonly kind: 'number'; readonly parts: readonly NumberPart[] | null }
    | { readonly kind: 'date'; readonly parts: DateParts | null }
    | { readonly kind: 'text'; readonly before: string; readonly after: string };
}

const parseFormat = (code: string): NumberFormat => {
  const sections = code.length > MAX_CODE_LENGTH ? [] : splitSections(code).map(parseSection);
  const isUnclear = sections.some(({ condition }) => Number.isNaN(condition?.limit));
  if (sections.length === 0 || sections.length > MAX_SECTIONS || isUnclear)
    return { formatNumber: () => null, formatText: (text) => text };
  const last = sections.at(-1);
  const ofTexts =
    sections.length === MAX_SECTIONS || last?.shows.kind === 'text' ? last : undefined;
  const ofNumbers = ofTexts === undefined ? sections : sections.slice(0, -1);
  return {
    formatNumber(value, countsFrom1904) {
      const { section, isSigned } = chooseSection(
        value,
        ofNumbers.length === 0 ? [GENERAL] : ofNumbers,
      );
      if (section === 'none') return NO_SECTION_TEXT;
      if (section === 'unclear' || section.shows.kind === 'text' || section.shows.parts === null)
        return null;
      return section.shows.kind === 'date'
        ? formatDate(value, section.shows.parts, countsFrom1904)
        : formatNumber(value, section.shows.parts, isSigned);
    },
    formatText(text) {
      if (ofTexts === undefined || text.trim() === '') return text;
      const { shows } = ofTexts;
      if (shows.kind === 'text')
        return `${shows.before.trimStart()}${text}${shows.after.trimEnd()}`;
      const isGeneral =
        shows.kind === 'number' && shows.parts?.some(({ kind }) => kind === 'general');
      return isGeneral === true ? text : null;
    },
  };
};

/** @see ECMA-376 18.8.31, for the order of sections and conditions */
const chooseSection = (
  value: number,
  sections: readonly Section[],
): { readonly section: Section | 'none' | 'unclear'; readonly isSigned: boolean } => {
  const [first, second, third] = sections;
  const isNegative = value < 0;
  if (sections.every(({ condition }) => condition === null)) {
    const ofNegatives = isNegative ? second : undefined;
    const section = ofNegatives ?? (value === 0 ? third : undefined) ?? first ?? 'unclear';
    return { section, isSigned: isNegative && ofNegatives === undefined };
  }
  const met = sections.find(({ condition }) => condition?.isMet(value));
  const others = sections.filter(({ condition }) => condition === null);
  // Programs differ about a condition after a section without one, and about two sections without one.
  const isUnclear = first?.condition === null || (met === undefined && others.length > 1);
  return {
    section: isUnclear ? 'unclear' : (met ?? others[0] ?? 'none'),
    isSigned: isNegative && met?.condition?.isOfNegatives !== true,
  };
};

const parseSection = ({ tokens, condition }: OpenSection): Section => {
  const has = (kind: FormatToken['kind']) => tokens.some((one) => one.kind === kind);
  const at = tokens.findIndex(({ kind, text }) => kind === 'sign' && text === '@');
  const isDate = !has('general') && (has('letters') || has('elapsed') || has('half'));
  // Letters beside places for digits are words: only fractions of a second have both.
  if (isDate && (has('elapsed') || !hasDigits(tokens)))
    return { condition, shows: { kind: 'date', parts: findDateParts(tokens) } };
  if (at < 0 || hasDigits(tokens))
    return { condition, shows: { kind: 'number', parts: parseNumberParts(tokens) } };
  const join = (some: readonly FormatToken[]) => some.map(({ text }) => text).join('');
  const before = join(tokens.slice(0, at));
  return { condition, shows: { kind: 'text', before, after: join(tokens.slice(at + 1)) } };
};

/** True if there are places for digits other than those of fractions of a second. */
const hasDigits = (tokens: readonly FormatToken[]): boolean => {
  let isOfSeconds = false;
  return tokens.some(({ kind, text }) => {
    if (kind === 'letters') isOfSeconds = /^s/i.test(text);
    else if (kind === 'sign' && '0#?'.includes(text)) return !isOfSeconds;
    else if (!(kind === 'sign' && text === '.')) isOfSeconds = false;
    return false;
  });
};

const GENERAL = parseSection({ tokens: [{ kind: 'general', text: '' }], condition: null });
