const DOMAIN = /^(?!-)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;
const LONGEST_DOMAIN = 253;
const MOST_DOMAINS = 50;

/** Domains as people type them, with commas, spaces or lines between. @returns null if one is none, or there is none */
export const typedDomains = (typed: string): readonly string[] | null => {
  const domains = typed
    .normalize('NFC')
    .toLowerCase()
    .split(/[\s,;]+/)
    .map((domain) => domain.replace(/^@/, ''))
    .filter((domain) => domain !== '');
  const areFit = domains.every((domain) => domain.length <= LONGEST_DOMAIN && DOMAIN.test(domain));
  if (domains.length === 0 || domains.length > MOST_DOMAINS || !areFit) return null;
  return [...new Set(domains)];
};
