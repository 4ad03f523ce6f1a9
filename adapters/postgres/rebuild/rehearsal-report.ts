import { toFieldPath } from '../../../domain/course/course-paths.ts';

export type Example =
  /** A record would be mapped differently. */
  | { readonly kind: 'mapping'; readonly record: string; readonly fields: readonly string[] }
  /** A record would be refused. */
  | { readonly kind: 'refused'; readonly record: string; readonly codes: readonly string[] }
  /** Two records would become match candidates, or would no longer be. */
  | { readonly kind: 'flag-found' | 'flag-lost'; readonly records: readonly [string, string] }
  /** A row of a table would change, appear or disappear. */
  | {
      readonly kind: 'table';
      readonly table: string;
      readonly row: Readonly<Record<string, unknown>>;
      readonly would: 'change' | 'come' | 'go';
      readonly columns: readonly string[];
    };

export interface RehearsalReport {
  readonly records: number;
  readonly changes: {
    readonly mapping: {
      readonly records: number;
      readonly refused: number;
      readonly fields: Readonly<Record<string, number>>;
    };
    readonly flags: { readonly found: number; readonly lost: number };
    readonly figures: { readonly records: number };
    /** Number of rows that would change, by table. */
    readonly tables: Readonly<Record<string, number>>;
  };
  /** Data that cannot be decided again, because the submitted Bundle is not stored. */
  readonly notDecided: {
    readonly refused: number;
    /** Records without the name or time needed to compare them with others. */
    readonly notCompared: number;
    /** Fingerprints shared by too many records. Their pairs are not counted. */
    readonly tooCommon: number;
  };
  /** First examples of each kind of change. */
  readonly examples: readonly Example[];
}

/** Maximum number of examples per kind. */
export const MAX_EXAMPLES = 20;

/** True if the tested rules leave existing data unchanged. */
export const changesNothing = ({
  changes: { mapping, flags, figures, tables },
}: Pick<RehearsalReport, 'changes'>): boolean =>
  Object.keys(tables).length === 0 &&
  [mapping.records, mapping.refused, flags.found, flags.lost, figures.records].every(
    (count) => count === 0,
  );

export const createReport = () => {
  const fields = new Map<string, number>();
  const tables = new Map<string, number>();
  const examples: Example[] = [];
  const exampleCounts = new Map<string, number>();
  let [records, mapped, refused, notCompared, figures] = [0, 0, 0, 0, 0];

  const show = (example: Example, group: string = example.kind): void => {
    const before = exampleCounts.get(group) ?? 0;
    if (before === MAX_EXAMPLES) return;
    exampleCounts.set(group, before + 1);
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
      // Drops the index of the child.
      const names = [...new Set(paths.map(toFieldPath))];
      for (const name of names) count(fields, name);
      show({ kind: 'mapping', record, fields: names });
    },
    refusal(record: string, codes: readonly string[]): void {
      refused += 1;
      show({ kind: 'refused', record, codes });
    },
    /** @param formatCount records behind the rows, if statistics count them */
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
