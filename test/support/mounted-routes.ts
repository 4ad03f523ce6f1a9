import { type RequestHandler, Router } from 'express';

/** A route of the running service. */
export interface MountedRoute {
  /** In capitals; `ALL` for one that takes every method. */
  readonly method: string;
  /** From the root, with its parameters as `:name`. */
  readonly path: string;
  /** What a request goes through at the route itself. */
  readonly handlers: readonly RequestHandler[];
}

/** What Express keeps of a route. */
interface ExpressRoute {
  readonly methods: Readonly<Record<string, boolean>>;
  readonly stack: readonly { readonly method?: string; readonly handle: RequestHandler }[];
}

interface Mounting extends ExpressRoute {
  readonly path: string;
  readonly within: unknown;
}

/**
 * Watches which routes are mounted while something starts: what nobody lists by hand, nobody forgets.
 * @param start begins a service and waits until it is ready
 */
export const withMountedRoutes = async <Started>(
  start: () => Promise<Started>,
): Promise<readonly [Started, readonly MountedRoute[]]> => {
  const routes: Mounting[] = [];
  const places = new Map<unknown, { readonly path: string; readonly within: unknown }>();
  const { route, use } = Router.prototype as unknown as {
    readonly route: (path: string) => ExpressRoute;
    readonly use: (...given: unknown[]) => unknown;
  };
  Object.assign(Router.prototype, {
    route(this: unknown, path: string) {
      const mounted = route.call(this, path);
      routes.push({ methods: mounted.methods, stack: mounted.stack, path, within: this });
      return mounted;
    },
    use(this: unknown, ...given: unknown[]) {
      const path = typeof given[0] === 'string' ? given[0] : '/';
      for (const handler of given.flat(Number.POSITIVE_INFINITY))
        if (typeof handler === 'function') places.set(handler, { path, within: this });
      return use.apply(this, given);
    },
  });
  try {
    const started = await start();
    const rootOf = (router: unknown): string => {
      const place = places.get(router);
      return place === undefined ? '' : joined(rootOf(place.within), place.path);
    };
    const found = routes.flatMap(({ methods, stack, path, within }) =>
      (Array.isArray(path) ? path : [path]).flatMap((one: string) =>
        Object.keys(methods).map((method) => ({
          method: method === '_all' ? 'ALL' : method.toUpperCase(),
          path: joined(rootOf(within), one),
          handlers: stack.flatMap((layer) => (layer.method === method ? [layer.handle] : [])),
        })),
      ),
    );
    return [started, found];
  } finally {
    Object.assign(Router.prototype, { route, use });
  }
};

const joined = (root: string, path: string): string =>
  `${root}${path === '/' && root !== '' ? '' : path}`.replace(/^$/, '/').replace(/^\/\/+/, '/');
