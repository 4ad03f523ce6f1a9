import { timingSafeEqual } from 'node:crypto';
import type { Metadata } from '@grpc/grpc-js';
import { unauthenticated } from '../store/errors.ts';

const USERNAME = 'registry';

/** Value of the header `authorization` for a password. @see RFC 7617 */
export const buildAuthorization = (password: string): string =>
  `Basic ${Buffer.from(`${USERNAME}:${password}`).toString('base64')}`;

interface Call {
  readonly metadata: Metadata;
  emit(event: 'error', failure: unknown): boolean;
}

type Done = (failure: ReturnType<typeof unauthenticated>) => void;

export type Guard = <A extends Call, Rest extends readonly unknown[]>(
  handle: (call: A, ...rest: Rest) => unknown,
) => (call: A, ...rest: Rest) => void;

const unguarded: Guard = (handle) => handle;

/** Checks once per call, not per message. `null` accepts all calls. */
export const createGuard = (authorization: string | null): Guard => {
  if (authorization === null) return unguarded;
  const expected = Buffer.from(authorization);
  const isAuthorized = ({ metadata }: Call): boolean => {
    const actual = Buffer.from(String(metadata.get('authorization')[0] ?? ''));
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  };
  return (handle) =>
    (call, ...rest) => {
      if (isAuthorized(call)) return void handle(call, ...rest);
      // Unary calls have a callback; streams need an error event.
      const [done] = rest as unknown as [Done | undefined];
      if (done === undefined) call.emit('error', unauthenticated());
      else done(unauthenticated());
    };
};
