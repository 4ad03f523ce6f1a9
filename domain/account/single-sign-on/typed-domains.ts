const DOMAIN = /^(?!-)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;
const MAX_DOMAIN_LENGTH = 253;
const MAX_DOMAINS = 50;

/** Domains as people type them, with commas, spaces or lines between. @returns null if one is none, or there is none */
export const typedDomains = (typed: string): readonly string[] | null => {
  const domains = typed
    .normalize('NFC')
    .toLowerCase()
    .split(/[\s,;]+/)
    .map((domain) => domain.replace(/^@/, ''))
    .filter((domain) => domain !== '');
  const areFit = domains.every(
    (domain) => domain.length <= MAX_DOMAIN_LENGTH && DOMAIN.test(domain),
  );
  if (domains.length === 0 || domains.length > MAX_DOMAINS || !areFit) return null;
  return [...new Set(domains)];
};
