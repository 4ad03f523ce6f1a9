import { isIP } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isPublicAddress,
  isUnderIssuer,
  type Resolve,
} from '../../adapters/egress/egress-policy.ts';

const addresses = suite('addresses that an EHR names');

const EHR = 'https://ehr.example/fhir/r4';
const LOCAL = 'http://127.0.0.1:4004/fhir';

for (const [endpoint, issuer, expected] of [
  ['https://ehr.example/token', EHR, true],
  ['https://ehr.example:8443/token', EHR, true],
  ['https://203.0.113.9/token', EHR, true],
  ['http://ehr.example/token', EHR, false],
  ['https://user:secret@ehr.example/token', EHR, false],
  ['https://ehr.example/token#part', EHR, false],
  ['https://127.0.0.1/token', EHR, false],
  ['https://localhost/token', EHR, false],
  ['https://10.1.2.3/token', EHR, false],
  ['https://192.168.0.1/token', EHR, false],
  ['https://169.254.169.254/latest/meta-data', EHR, false],
  ['https://[::1]/token', EHR, false],
  ['https://[fd00::1]/token', EHR, false],
  ['https://[::ffff:10.0.0.1]/token', EHR, false],
  ['https://0x7f000001/token', EHR, false],
  ['https://2130706433/token', EHR, false],
  ['https://0177.0.0.1/token', EHR, false],
  ['https://127.1/token', EHR, false],
  ['https://0x0a.1.2.3/token', EHR, false],
  ['https://%31%30.1.2.3/token', EHR, false],
  ['https://１０.1.2.3/token', EHR, false],
  ['https://0.0.0.0/token', EHR, false],
  ['https://100.64.0.1/token', EHR, false],
  ['https://172.16.0.1/token', EHR, false],
  ['https://172.31.255.255/token', EHR, false],
  ['https://172.32.0.1/token', EHR, true],
  ['https://192.0.0.8/token', EHR, false],
  ['https://198.18.0.1/token', EHR, false],
  ['https://224.0.0.1/token', EHR, false],
  ['https://255.255.255.255/token', EHR, false],
  ['https://127.0.0.1./token', EHR, false],
  ['https://LOCALHOST/token', EHR, false],
  ['https://any.localhost/token', EHR, false],
  ['https://[::]/token', EHR, false],
  ['https://[::127.0.0.1]/token', EHR, false],
  ['https://[::ffff:127.0.0.1]/token', EHR, false],
  ['https://[::ffff:a9fe:a9fe]/token', EHR, false],
  ['https://[::ffff:203.0.113.9]/token', EHR, false],
  ['https://[0:0:0:0:0:ffff:0a01:0203]/token', EHR, false],
  ['https://[64:ff9b::10.1.2.3]/token', EHR, false],
  ['https://[64:ff9b:1::10.1.2.3]/token', EHR, false],
  ['https://[2002:7f00:1::]/token', EHR, false],
  ['https://[2001:0:7f00:1::]/token', EHR, false],
  ['https://[fe80::1]/token', EHR, false],
  ['https://[fec0::1]/token', EHR, false],
  ['https://[ff02::1]/token', EHR, false],
  ['https://[2606:4700::1111]/token', EHR, true],
  ['gopher://ehr.example/token', EHR, false],
  ['ftp://ehr.example/token', EHR, false],
  ['javascript:alert(1)', EHR, false],
  ['data:text/html,x', EHR, false],
  ['//ehr.example/token', EHR, false],
  ['/token', EHR, false],
  ['https://ehr.example@10.1.2.3/token', EHR, false],
  ['https://10.1.2.3\\@ehr.example/token', EHR, false],
  ['file:///etc/passwd', EHR, false],
  ['not an address', EHR, false],
  ['https://10.1.2.3/token', 'https://10.1.2.3/fhir', true],
  ['http://127.0.0.1:9/token', LOCAL, true],
  ['http://localhost:9/token', LOCAL, true],
  ['https://127.0.0.1:9/token', LOCAL, true],
  ['http://10.1.2.3/token', LOCAL, false],
  ['http://ehr.example/token', LOCAL, false],
  ['file:///etc/passwd', LOCAL, false],
] as const)
  addresses(`${endpoint} of ${issuer} may be called: ${expected}`, async () => {
    assert.is(await isPublicAddress(endpoint, issuer), expected);
  });

for (const [resolved, expected] of [
  [['203.0.113.9'], true],
  [['10.1.2.3'], false],
  [['203.0.113.9', '10.1.2.3'], false],
  [['203.0.113.9', '::1'], false],
  [['::ffff:192.168.0.1'], false],
  [['fe80::1%eth0'], false],
] as const)
  addresses(
    `a name that resolves to ${resolved.join(' and ')} may be called: ${expected}`,
    async () => {
      const resolve: Resolve = async () =>
        resolved.map((address) => ({ address, family: isIP(address) }));
      assert.is(await isPublicAddress('https://login.ehr.example/token', EHR, resolve), expected);
      // The EHR itself was listed by the operator, wherever it is.
      assert.is(await isPublicAddress('https://ehr.example/token', EHR, resolve), true);
    },
  );

for (const [next, expected] of [
  ['https://ehr.example/fhir/r4/Observation?page=2', true],
  ['https://ehr.example/fhir/r4?_getpages=1', true],
  ['https://ehr.example:443/fhir/r4/x', true],
  ['https://ehr.example/fhir/r4-old/Observation', false],
  ['https://ehr.example/fhir/r4/../admin', false],
  ['https://ehr.example/fhir/r4/%2e%2e/admin', false],
  ['https://ehr.example/fhir/r4/..%2fadmin', false],
  ['https://ehr.example/other', false],
  ['http://ehr.example/fhir/r4/Observation', false],
  ['https://ehr.example:8443/fhir/r4/Observation', false],
  ['https://someone@ehr.example/fhir/r4/Observation', false],
  ['https://ehr.example.evil.example/fhir/r4/Observation', false],
  ['about:blank', false],
] as const)
  addresses(`the token may go to ${next}: ${expected}`, () => {
    assert.is(isUnderIssuer(next, EHR), expected);
    assert.is(isUnderIssuer(next, `${EHR}/`), expected);
  });

addresses.run();
