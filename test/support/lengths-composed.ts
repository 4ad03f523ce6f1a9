import { mock } from 'node:test';

/**
 * The lengths of all texts whose accents are composed while something is done. Composing takes time by
 * the square of the marks on a letter: what comes from outside has to be cut before.
 */
export const lengthsComposed = <Done extends void | Promise<void>>(
  work: () => Done,
): Done extends void ? number[] : Promise<number[]> => {
  const lengths: number[] = [];
  const { normalize } = String.prototype;
  const spy = mock.method(String.prototype, 'normalize', function (this: string, form?: string) {
    lengths.push(this.length);
    return normalize.call(this, form);
  });
  const end = (): number[] => {
    spy.mock.restore();
    return lengths;
  };
  const done = work();
  return (done instanceof Promise ? done.then(end) : end()) as never;
};
