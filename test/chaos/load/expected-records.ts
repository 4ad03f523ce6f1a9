import type { Tables } from '../../harness/measured-service.ts';

interface HeldRecord {
  readonly chart: string;
  readonly status: string;
  readonly version: number;
}

/** @see newExpectedRecords */
export type ExpectedRecords = ReturnType<typeof newExpectedRecords>;

/** What was acknowledged, and must therefore be stored in the end: that, once, and no more. */
export const newExpectedRecords = () => {
  const expected = new Map<string, { status: 'live' | 'voided'; version: number }>();
  const maybes = new Set<string>();
  return {
    /** A version of the record was taken. */
    sent(chart: string): void {
      expected.set(chart, { status: 'live', version: (expected.get(chart)?.version ?? 0) + 1 });
    },
    /** The record was retracted. */
    retracted(chart: string): void {
      const held = expected.get(chart);
      // A record that is voided already gets no new version.
      if (held?.status === 'live')
        expected.set(chart, { status: 'voided', version: held.version + 1 });
    },
    /** One was sent, and no answer came: it may be there, once. */
    maybe: (chart: string): void => void maybes.add(chart),
    /** How many of each there are. */
    counts: () => ({ records: expected.size, 'without an answer': maybes.size }),

    /** What is not as it must be, a line each. */
    async faults(tables: Tables, practiceId: string): Promise<readonly string[]> {
      const rows = (await tables.query(
        `select chart_number as chart, status, version
         from read.birth_record where practice_id = '${practiceId}'`,
      )) as unknown as readonly HeldRecord[];
      const faults: string[] = [];
      const seen = new Set<string>();
      for (const { chart, status, version } of rows) {
        if (seen.has(chart)) faults.push(`${chart} is held by two records.`);
        seen.add(chart);
        const first = maybes.has(chart) ? { status: 'live', version: 1 } : undefined;
        const wanted = expected.get(chart) ?? first;
        if (wanted === undefined) faults.push(`${chart} was never sent.`);
        else if (wanted.status !== status || wanted.version !== version)
          faults.push(
            `${chart} is ${status}, version ${version}, instead of ${wanted.status}, version ${wanted.version}.`,
          );
      }
      for (const chart of expected.keys())
        if (!seen.has(chart)) faults.push(`${chart} was acknowledged and is lost.`);
      return faults;
    },
  };
};
