import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isUnderIssuer, mayCall } from '../../adapters/smart/outside-address.ts';

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
  ['file:///etc/passwd', EHR, false],
  ['not an address', EHR, false],
  ['https://10.1.2.3/token', 'https://10.1.2.3/fhir', true],
  ['http://127.0.0.1:9/token', LOCAL, true],
  ['http://localhost:9/token', LOCAL, true],
  ['http://10.1.2.3/token', LOCAL, false],
] as const)
  addresses(`${endpoint} of ${issuer} may be called: ${expected}`, async () => {
    assert.is(await mayCall(endpoint, issuer), expected);
  });

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
