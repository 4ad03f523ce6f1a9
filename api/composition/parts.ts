import type { AccessVersion } from '../../adapters/postgres/access/access-version.ts';
import type { KeyUse } from '../../adapters/postgres/access/key-use.ts';
import type { SetUpLink } from '../access/set-up-link.ts';
import type { AccessNotes } from '../access-log/access-notes.ts';
import type { Standing } from './watching/standing.ts';
import type { WorkingParts } from './working-parts.ts';

/** What the parts of a running service share that answer requests. */
export interface SharedParts extends WorkingParts {
  readonly accessVersion: AccessVersion;
  readonly keyUse: KeyUse;
  /** What pages tell of who sees what. */
  readonly accessNotes: AccessNotes;
  /** Opens the set-up page while nobody has an account. */
  readonly setUpLink: SetUpLink;
  /** How this process stands. */
  readonly standing: Standing;
}
