import type { Tables } from '../../throw-away/pushed-practice.ts';

/** What a record must come to. */
interface Expected {
  status: 'live' | 'voided';
  version: number;
}

/** What was acknowledged, and what must therefore be there in the end: that, once, and no more. */
export interface ExpectedRecords {
  /** A version of the record was taken. */
  told(chart: string): void;
  /** The record was retracted. */
  retracted(chart: string): void;
  /** One was sent, and no answer came: it may be there, once. */
  maybe(chart: string): void;
  /** How many of each there are. */
  readonly counts: () => Readonly<Record<string, number>>;
  /** What is not as it must be, a line each. */
  faults(tables: Tables, practiceId: string): Promise<readonly string[]>;
}

/** @see ExpectedRecords */
export const newExpectedRecords = (): ExpectedRecords => {
  const expected = new Map<string, Expected>();
  const maybes = new Set<string>();
  return {
    told(chart) {
      const held = expected.get(chart);
      if (held === undefined) expected.set(chart, { status: 'live', version: 1 });
      else Object.assign(held, { status: 'live', version: held.version + 1 });
    },
    retracted(chart) {
      const held = expected.get(chart);
      // Nothing is appended for what is voided already.
      if (held?.status === 'live')
        Object.assign(held, { status: 'voided', version: held.version + 1 });
    },
    maybe: (chart) => void maybes.add(chart),
    counts: () => ({ records: expected.size, 'without an answer': maybes.size }),

    async faults(tables, practiceId) {
      const rows = (await tables.query(
        `select chart_number as chart, status, version
         from read.birth_record where practice_id = '${practiceId}'`,
      )) as unknown as readonly HeldRecord[];
      const faults: string[] = [];
      const seen = new Set<string>();
      for (const { chart, status, version } of rows) {
        if (seen.has(chart)) faults.push(`${chart} is held by two records.`);
        seen.add(chart);
        const wanted = expected.get(chart) ?? (maybes.has(chart) ? FIRST : undefined);
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

interface HeldRecord {
  readonly chart: string;
  readonly status: string;
  readonly version: number;
}

const FIRST: Expected = { status: 'live', version: 1 };
