/** Rounds whose median counts. */
export const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
