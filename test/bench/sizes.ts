/** Everything once and with small counts: it shows that the benchmarks run, not what holds. */
const IS_QUICK = process.argv.includes('--quick');

/**
 * How many of something a run takes.
 * @param setting environment variable that says another number
 */
export const sized = (full: number, quick: number, setting?: string): number => {
  const said = setting === undefined ? undefined : process.env[setting];
  if (said !== undefined && !/^[1-9]\d{0,8}$/.test(said))
    throw new Error(`${setting} must be a whole number from 1.`);
  return said === undefined ? (IS_QUICK ? quick : full) : Number(said);
};

/** Rounds whose median counts. */
export const ROUNDS = sized(5, 1, 'BENCH_ROUNDS');
/** Runs of each of two trees that are compared. */
export const PAIRS = sized(5, 1, 'BENCH_PAIRS');
/** Rounds before zero warm up and do not count. */
export const FIRST_ROUND = sized(-1, 0);
