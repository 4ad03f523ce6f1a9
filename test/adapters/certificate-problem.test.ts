import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findCertificateProblem } from '../../adapters/crypto/certificate-problem.ts';

const ofNode = (code: string) => Object.assign(new Error('any'), { code });

/** As gRPC repeats the text of OpenSSL. */
const ofGrpc = (text: string) =>
  Object.assign(new Error(`14 UNAVAILABLE: No connection established. Last error: ${text}`), {
    code: 14,
  });

const CASES = [
  ['expired', ofNode('CERT_HAS_EXPIRED'), ofGrpc('Error: certificate has expired.')],
  ['expired', ofNode('CERT_NOT_YET_VALID'), ofGrpc('Error: certificate is not yet valid.')],
  [
    'other-host',
    ofNode('ERR_TLS_CERT_ALTNAME_INVALID'),
    ofGrpc(
      "Error [ERR_TLS_CERT_ALTNAME_INVALID]: Hostname/IP does not match certificate's altnames",
    ),
  ],
  ['not-trusted', ofNode('DEPTH_ZERO_SELF_SIGNED_CERT'), ofGrpc('Error: self-signed certificate.')],
  [
    'not-trusted',
    ofNode('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
    ofGrpc('Error: unable to verify the first certificate.'),
  ],
  [
    'not-trusted',
    ofNode('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'),
    ofGrpc('Error: unable to get local issuer certificate.'),
  ],
  // The server wants one of ours.
  [
    null,
    ofNode('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
    ofGrpc('Error: ssl3_read_bytes:tlsv13 alert certificate required'),
  ],
  [null, ofNode('ECONNREFUSED'), ofGrpc('Error: connect ECONNREFUSED 127.0.0.1:2113')],
  [null, ofNode('28P01'), ofGrpc('Failed to connect')],
] as const;

for (const [problem, ...errors] of CASES)
  for (const error of errors)
    test(`${'code' in error ? error.code : ''} ${error.message} is ${problem}`, () => {
      assert.is(findCertificateProblem(error), problem);
    });

test.run();
