import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mapChart } from '../../domain/us-core/map-chart.ts';
import { quantity } from '../../scripts/ehr-simulator/resources.ts';
import {
  apgar5,
  BORN,
  birthWeight,
  dueDate,
  fromNewbornChart,
  gestationalAge,
  newbornChart,
  stay,
  TODAY,
  twins,
} from '../support/charts.ts';
import { runs } from '../support/runs.ts';

const mapper = suite('the US Core mapper');

mapper('any JSON gives an answer, as mother and as newborn', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const spoilt = <T extends object>(resource: T) =>
    fc
      .array(fc.tuple(fc.constantFrom(...Object.keys(resource)), json), { maxLength: 4 })
      .map((changes) => ({ ...resource, ...Object.fromEntries(changes) }));
  const part = fc.oneof(
    json,
    spoilt(birthWeight(quantity(3410, 'g'))),
    spoilt(apgar5('a', 9, '09:16')),
    spoilt(gestationalAge('18185-9', { valueString: '39w' }, BORN)),
    spoilt(dueDate('2026-05-15')),
    spoilt(twins),
    spoilt(stay('it', BORN)),
    spoilt({
      resourceType: 'Patient',
      id: 'c',
      name: [{ family: 'A' }],
      birthDate: BORN,
      identifier: [],
      address: [],
      telecom: [],
      contact: [],
      extension: [],
      _birthDate: {},
      multipleBirthInteger: 1,
      multipleBirthBoolean: false,
      deceasedBoolean: true,
      gender: 'f',
    }),
  );
  const list = fc.array(part, { maxLength: 5 });
  fc.assert(
    fc.property(part, list, list, list, (patient, observations, conditions, encounters) => {
      for (const patientId of ['c', 'm']) {
        const chart = {
          ...newbornChart(),
          patientId,
          patient,
          observations,
          conditions,
          encounters,
        };
        const read = mapChart(chart, TODAY);
        // It can be kept, and what was kept is the same.
        assert.equal(JSON.parse(JSON.stringify(read)), read);
      }
    }),
    runs(400),
  );
});

mapper('every value keeps its resource, and the order of entries does not matter', () => {
  const entries = [
    birthWeight(quantity(3410, 'g')),
    apgar5('a', 9, '09:16'),
    apgar5('b', 8, '09:17'),
    gestationalAge('76516-4', quantity(277, 'd'), BORN),
  ];
  const forwards = fromNewbornChart(entries);
  assert.equal(fromNewbornChart([...entries].reverse()).values, forwards.values);
  for (const candidates of Object.values(forwards.values))
    for (const { from } of candidates) assert.match(from.resource, /^(Patient|Observation)\/\w/);
});

mapper.run();
