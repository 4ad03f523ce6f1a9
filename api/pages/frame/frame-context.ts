import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SignedIn } from '../../access/signed-in.ts';
import type { RecordsOnPage } from '../../access-log/access-notes.ts';
import type { Flash } from '../../web/flash.ts';

/** What the parts of a page may know of the request that it answers. */
export interface Frame {
  /** Null before sign-in. */
  readonly who: SignedIn | null;
  /** Path of the page, without its query. */
  readonly path: string;
  /** When the page is made, on the registry's clock. */
  readonly now: Date;
  /** IANA name of the zone in which the page shows times. */
  readonly timeZone: string;
  readonly flashes: readonly Flash[];
  /** After so long without a request a signed-in person is signed out. */
  readonly idleMinutes: number;
  /** Records that its route has noted as shown; null: none. */
  readonly noted: RecordsOnPage | null;
  /** Submission uuids of the records that the page has named so far, whoever rendered them. */
  readonly rendered: Set<string>;
  /** How much there is to do, for the menu; absent: the seat has no such list. */
  readonly toDo?: number | undefined;
  /** Token of the session's forms; made when a page first holds a form. */
  readonly csrfToken: () => string;
  /** Address of a style sheet or script of our own. */
  readonly asset: (name: string) => string;
}

/** Hands the frame to every part of a page. */
export const FrameContext = createContext<Frame | null>(null);

/** The frame of the page that is being written. */
export const useFrame = (): Frame => {
  const frame = useContext(FrameContext);
  if (frame === null) throw new TypeError('A part of a page was written outside of it.');
  return frame;
};
