export interface FormatToken {
  readonly kind: 'literal' | 'elapsed' | 'half' | 'letters' | 'exponent' | 'general' | 'sign';
  readonly text: string;
}

export interface Condition {
  readonly isMet: (value: number) => boolean;
  /** NaN if it cannot be read. */
  readonly limit: number;
  /** True if only negative numbers meet it: their sign is not displayed. */
  readonly isOfNegatives: boolean;
}

const TOKENS =
  /"([^"]*)"|\\(.)|\[\$([^[\]-]*)[^[\]]*\]|\[([^[\]]*)\]|(_).|\*.|(general)|(am\/pm|a\/p)|(e[+-])|(([bdeghmsy])\10*)|(.)/gisu;
const ELAPSED = /^(?:h+|m+|s+)$/i;

export const splitSections = (code: string): readonly OpenSection[] => {
  let open: OpenSection = { tokens: [], condition: null };
  const sections = [open];
  for (const match of code.matchAll(TOKENS)) {
    const [, quoted, escaped, currency, bracket, space, general, half, exponent, letters, , sign] =
      match;
    const add = (kind: FormatToken['kind'], text: string) => open.tokens.push({ kind, text });
    const literal = quoted ?? escaped ?? currency;
    if (sign === ';') {
      open = { tokens: [], condition: null };
      sections.push(open);
    } else if (literal !== undefined) add('literal', literal);
    else if (bracket !== undefined) {
      if (ELAPSED.test(bracket)) add('elapsed', bracket.toLowerCase());
      // Other brackets are colors and calendars.
      else open.condition ??= parseCondition(bracket);
    } else if (space !== undefined) add('literal', ' ');
    else if (general !== undefined) add('general', general);
    else if (half !== undefined) add('half', half);
    else if (exponent !== undefined) add('exponent', exponent);
    else if (letters !== undefined) add('letters', letters);
    else if (sign !== undefined) add('sign', sign);
  }
  return sections;
};

export interface OpenSection {
  readonly tokens: FormatToken[];
  condition: Condition | null;
}

const CONDITION = /^(<=|>=|<>|<|>|=)(.*)$/s;

const parseCondition = (bracket: string): Condition | null => {
  const [, operator = '', text = ''] = CONDITION.exec(bracket) ?? [];
  const isMet = COMPARISONS[operator];
  if (isMet === undefined) return null;
  const limit = text.trim() === '' ? Number.NaN : Number(text);
  return {
    limit,
    isMet: (value) => isMet(value, limit),
    isOfNegatives: operator === '<' ? limit <= 0 : /^<?=$/.test(operator) && limit < 0,
  };
};

const COMPARISONS: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '<=': (value, limit) => value <= limit,
  '>=': (value, limit) => value >= limit,
  '<>': (value, limit) => value !== limit,
  '<': (value, limit) => value < limit,
  '>': (value, limit) => value > limit,
  '=': (value, limit) => value === limit,
};
