import { exec, suite as uvuSuite } from 'uvu';

// Without a handler, Node ends the process, and with it what the other rows of the file have to say.
const unawaited: unknown[] = [];
process.on('unhandledRejection', (reason) => unawaited.push(reason));

type Suite<T> = ReturnType<typeof uvuSuite<T>>;
type Handler<T> = Parameters<Suite<T>>[1];

/** Rejections that nobody has awaited since the last call. */
export const takeUnawaited = async (): Promise<readonly Error[]> => {
  // Node reports them once its microtasks are done.
  await new Promise(setImmediate);
  return unawaited
    .splice(0)
    .map((reason) => (reason instanceof Error ? reason : new Error(String(reason))));
};

/** A row that also fails by a rejection that nobody awaits. Its own failure comes first. */
export const failUnawaited =
  <T>(handler: Handler<T>): Handler<T> =>
  async (context) => {
    try {
      await handler(context);
    } catch (error) {
      await takeUnawaited();
      throw error;
    }
    const [first] = await takeUnawaited();
    if (first !== undefined) throw first;
  };

/** Suites as uvu makes them. The bundler gives it to test files in the place of uvu's. */
export const suite = <T>(title?: string, context?: T): Suite<T> => {
  const made = uvuSuite<T>(title, context);
  const add =
    (row: Suite<T> | Suite<T>['only']) =>
    (name: string, handler: Handler<T>): void =>
      row(name, failUnawaited(handler));
  return Object.assign(add(made), made, { only: add(made.only) });
};

/** The suite without a name. */
export const test = suite();

export { exec };
