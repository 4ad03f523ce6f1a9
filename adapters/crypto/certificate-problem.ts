export type CertificateProblem = 'expired' | 'other-host' | 'not-trusted';

const EXPIRED = /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|certificate (?:has expired|is not yet valid)/;
const OTHER_HOST = /ALTNAME|HOSTNAME_MISMATCH/;
const NOT_TRUSTED = /_CERT|CERT_|LEAF_SIGNATURE|INVALID_(?:CA|PURPOSE)|\bcertificate\b/;
const OF_SERVER = /^ERR_SSL|\balert\b/;

/** By the code of Node, or what gRPC repeats of it. `null` if the error is not about a certificate. */
export const findCertificateProblem = (error: unknown): CertificateProblem | null => {
  if (!(error instanceof Error)) return null;
  const { code } = error as { code?: unknown };
  const [, ofConnection = ''] = /Last error: (.*)/s.exec(error.message) ?? [];
  const text = typeof code === 'string' ? code : ofConnection;
  // The server refuses ours.
  if (OF_SERVER.test(text)) return null;
  if (EXPIRED.test(text)) return 'expired';
  if (OTHER_HOST.test(text)) return 'other-host';
  return NOT_TRUSTED.test(text) ? 'not-trusted' : null;
};
