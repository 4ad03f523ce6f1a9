import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { observation, quantity } from '../../scripts/ehr-simulator/resources.ts';
import {
  apgar5,
  BORN,
  birthWeight,
  dueDate,
  fromNewbornChart,
  gestationalAge,
  mapped,
  mappedIn,
  newbornChart,
  stay,
  twins,
} from '../support/charts.ts';
import { runs } from '../support/runs.ts';

const mapper = suite('the US Core mapper');

mapper('any JSON gives an answer, as mother and as newborn', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const spoiled = <T extends object>(resource: T) =>
    fc
      .array(fc.tuple(fc.constantFrom(...Object.keys(resource)), json), { maxLength: 4 })
      .map((changes) => ({ ...resource, ...Object.fromEntries(changes) }));
  const part = fc.oneof(
    json,
    spoiled(birthWeight(quantity(3410, 'g'))),
    spoiled(apgar5('a', 9, '09:16')),
    spoiled(gestationalAge('18185-9', { valueString: '39w' }, BORN)),
    spoiled(dueDate('2026-05-15')),
    spoiled(twins),
    spoiled(stay('it', BORN)),
    spoiled({
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
        // Without parts that it has twice, so that each list has one name.
        const read = mapped(JSON.parse(JSON.stringify(chart)));
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

mapper('a time in UTC says the same as on the clock of the practice', () => {
  const zone = fc.constantFrom('America/New_York', 'America/Los_Angeles', 'Pacific/Honolulu');
  // Around the birth and the nights in which clocks change; midnight in UTC is a day.
  const minute = fc
    .integer({ min: 1, max: 60 * 24 * 400 })
    .filter((minutes) => minutes % (60 * 24) !== 0);
  fc.assert(
    fc.property(zone, fc.array(minute, { minLength: 1, maxLength: 4 }), (timeZone, minutes) => {
      const moments = minutes.map((one) =>
        Temporal.Instant.from('2025-10-01T00:00:00Z').add({ minutes: one }),
      );
      const readAs = (write: (moment: Temporal.Instant) => string) => {
        const observations = moments.map((moment, index) =>
          observation(
            { id: `w${index}`, patient: 'c', code: ['29463-7', 'Weight'], at: write(moment) },
            quantity(3 + index / 10, 'kg'),
          ),
        );
        return mappedIn(timeZone, newbornChart({ observations }));
      };
      const local = (moment: Temporal.Instant) => moment.toString({ timeZone });
      assert.equal(
        readAs((moment) => moment.toString()),
        readAs(local),
      );
    }),
    runs(200),
  );
});

mapper.run();
