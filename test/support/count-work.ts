import { withinBudget } from '../../domain/fhir/steps.ts';

type Method = (this: readonly unknown[], ...given: unknown[]) => unknown;

const CALLING =
  'every filter find findIndex findLast flatMap forEach map reduce some sort toSorted'.split(' ');
const SCANNING = 'includes indexOf join'.split(' ');

/**
 * Counts the work of synchronous reading: its steps, and the elements that methods of arrays visit,
 * so that a scan is counted even if the code does not count its steps.
 */
export const countWork = (work: () => unknown): number => {
  let visits = 0;
  const countingCalls = (method: Method): Method =>
    function (call, ...more) {
      const counted = (...given: unknown[]): unknown => {
        visits += 1;
        return (call as Method).apply([], given);
      };
      return method.call(this, typeof call === 'function' ? counted : call, ...more);
    };
  const countingScans = (method: Method): Method =>
    function (...given) {
      visits += this.length;
      return method.apply(this, given);
    };
  const replaced = [...CALLING, ...SCANNING].map((name) => {
    const method: Method = Reflect.get(Array.prototype, name);
    const counting = CALLING.includes(name) ? countingCalls(method) : countingScans(method);
    return { name, method, counting };
  });
  const put = (name: string, value: Method): void => {
    Object.defineProperty(Array.prototype, name, {
      value,
      writable: true,
      configurable: true,
      enumerable: false,
    });
  };
  for (const { name, counting } of replaced) put(name, counting);
  try {
    const run = withinBudget(Number.MAX_SAFE_INTEGER, work);
    if (run === null) throw new Error('Reading never ends.');
    return run.steps + visits;
  } finally {
    for (const { name, method } of replaced) put(name, method);
  }
};
