import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SignedIn } from '../../access/signed-in.ts';
import type { RecordsOnPage } from '../../access-log/access-notes.ts';
import type { Flash } from '../../web/session/flash.ts';
import type { TimeFormat } from '../text/format-times.ts';
import type { FieldError } from './field-errors.ts';

export interface Frame extends TimeFormat {
  /** `null` before sign-in. */
  readonly who: SignedIn | null;
  readonly path: string;
  /** Errors of the form that was posted to this path. */
  readonly errors: readonly FieldError[];
  /** Hash of the stored values that the form of this path shows. */
  readonly openedHash?: string | undefined;
  /** Time of rendering, by the registry's clock. */
  readonly now: Date;
  readonly flashes: readonly Flash[];
  readonly idleMinutes: number;
  /** Records that the route logged as shown; `null` if none. */
  readonly noted: RecordsOnPage | null;
  /** Submission UUIDs of all records that components have rendered so far. */
  readonly rendered: Set<string>;
  /** Number of to-do items for the menu; missing if the seat has no such list. */
  readonly toDo?: number | undefined;
  /** Token of the session's forms, created with the first form of a page. */
  readonly csrfToken: () => string;
  readonly asset: (name: string) => string;
}

export const FrameContext = createContext<Frame | null>(null);

export const useFrame = (): Frame => {
  const frame = useContext(FrameContext);
  if (frame === null) throw new TypeError('A part of a page was written outside of it.');
  return frame;
};
