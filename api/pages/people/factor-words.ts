const FACTORS: Readonly<Record<string, string>> = { totp: 'App' };

/** What a person signs in with beside their password. */
export const factorWords = (kinds: readonly string[]): string =>
  kinds.map((kind) => FACTORS[kind] ?? kind).join(', ') || 'None';
