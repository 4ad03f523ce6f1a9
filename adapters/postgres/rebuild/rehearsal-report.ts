import { toFieldPath } from '../../../domain/course/course-paths.ts';

/** What a rehearsal shows of one change; ids only. */
export type Example =
  /** A record would be read otherwise. */
  | { readonly kind: 'mapping'; readonly record: string; readonly fields: readonly string[] }
  /** A record would not be taken. */
  | { readonly kind: 'refused'; readonly record: string; readonly codes: readonly string[] }
  /** Two records would look alike, or would not any more. */
  | { readonly kind: 'flag-found' | 'flag-lost'; readonly records: readonly [string, string] }
  /** A row of a table would be another, would be there, or would not be there. */
  | {
      readonly kind: 'table';
      readonly table: string;
      readonly row: Readonly<Record<string, unknown>>;
      readonly would: 'change' | 'come' | 'go';
      readonly columns: readonly string[];
    };

/** What the rules of this build would change of the past. */
export interface RehearsalReport {
  /** Records that were looked at. */
  readonly records: number;
  readonly changes: {
    /** Records that would be read otherwise, and refused ones; of each field, in how many. */
    readonly mapping: {
      readonly records: number;
      readonly refused: number;
      readonly fields: Readonly<Record<string, number>>;
    };
    /** Pairs of records that would look alike, and that would not any more. */
    readonly flags: { readonly found: number; readonly lost: number };
    /** Records that would count otherwise in a figure. */
    readonly figures: { readonly records: number };
    /** Rows that would be others, by table. */
    readonly tables: Readonly<Record<string, number>>;
  };
  /** What cannot be decided again, because the Bundle that was sent is not kept. */
  readonly notDecided: {
    /** Submissions that were refused. */
    readonly refused: number;
    /** Records without the name or the time by which they are compared with others. */
    readonly notCompared: number;
    /** Fingerprints that so many records share that their pairs are not counted. */
    readonly tooCommon: number;
  };
  /** The first of each kind of change. */
  readonly examples: readonly Example[];
}

/** Most examples of a kind. */
export const MAX_EXAMPLES = 20;

/** Whether the rules that were tried leave the past as it is. */
export const changesNothing = ({
  changes: { mapping, flags, figures, tables },
}: Pick<RehearsalReport, 'changes'>): boolean =>
  Object.keys(tables).length === 0 &&
  [mapping.records, mapping.refused, flags.found, flags.lost, figures.records].every(
    (count) => count === 0,
  );

/** Gathers what a rehearsal finds, in a memory that does not grow with it. */
export const createReport = () => {
  const fields = new Map<string, number>();
  const tables = new Map<string, number>();
  const examples: Example[] = [];
  const shown = new Map<string, number>();
  let [records, mapped, refused, notCompared, figures] = [0, 0, 0, 0, 0];

  const show = (example: Example, group: string = example.kind): void => {
    const before = shown.get(group) ?? 0;
    if (before === MAX_EXAMPLES) return;
    shown.set(group, before + 1);
    examples.push(example);
  };
  const count = (counts: Map<string, number>, name: string): void => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };

  return {
    show,
    looked(isCompared: boolean): void {
      records += 1;
      if (!isCompared) notCompared += 1;
    },
    mapping(record: string, paths: readonly string[]): void {
      mapped += 1;
      // Of which child does not matter.
      const names = [...new Set(paths.map(toFieldPath))];
      for (const name of names) count(fields, name);
      show({ kind: 'mapping', record, fields: names });
    },
    refusal(record: string, codes: readonly string[]): void {
      refused += 1;
      show({ kind: 'refused', record, codes });
    },
    /** @param inFigures records behind the rows, if figures are counted from them */
    table(
      table: string,
      rows: number,
      inFigures: number,
      first: readonly Extract<Example, { kind: 'table' }>[],
    ): void {
      tables.set(table, rows);
      figures += inFigures;
      for (const example of first) show(example, table);
    },
    report: (
      flags: RehearsalReport['changes']['flags'],
      {
        refused: refusedBefore,
        tooCommon,
      }: Pick<RehearsalReport['notDecided'], 'refused' | 'tooCommon'>,
    ): RehearsalReport => ({
      records,
      changes: {
        mapping: { records: mapped, refused, fields: Object.fromEntries(fields) },
        flags,
        figures: { records: figures },
        tables: Object.fromEntries(tables),
      },
      notDecided: { refused: refusedBefore, notCompared, tooCommon },
      examples,
    }),
  };
};
