import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findGrant } from '../../domain/mapping/us-core/ports.ts';

const scopes = suite('granted scopes');

for (const [scope, expected] of [
  [null, 'all'],
  ['launch patient/Observation.read', 'all'],
  ['patient/Observation.rs', 'all'],
  ['patient/Observation.cruds', 'all'],
  ['patient/*.read', 'all'],
  ['patient/*.*', 'all'],
  ['user/Observation.rs', 'all'],
  ['patient/Observation.rs?category=laboratory', 'narrowed'],
  ['patient/Observation.rs?category=laboratory patient/Observation.s', 'all'],
  ['patient/Observation.r', 'none'],
  ['patient/Observation.write', 'none'],
  ['patient/Patient.read', 'none'],
  ['patient/ObservationDefinition.read', 'none'],
  ['launch openid', 'none'],
  ['', 'none'],
] as const)
  scopes(`${scope} lets the registry read Observations: ${expected}`, () => {
    assert.is(findGrant(scope, 'Observation'), expected);
  });

scopes('a Patient is read by its id: r without s is enough', () => {
  assert.is(findGrant('patient/Patient.r', 'Patient'), 'all');
  assert.is(findGrant('patient/Patient.s', 'Patient'), 'none');
});

scopes.run();
