import type { ListedAccess } from '../../../api/access-log/list-access.ts';
import { accessWords } from '../../../api/pages/access-log/access-words.ts';
import type { Style } from './style.ts';
import { momentInUtc, tableOf } from './tables.ts';

type Entry = ListedAccess['entries'][number];

/** Who did it: an email, else which key, command or part of the service. */
const whoIn = ({ actor }: Entry): string =>
  actor.email ?? (actor.kind === 'service' ? 'not signed in' : `${actor.kind} ${actor.id}`);

const whatIn = (entry: Entry): string =>
  accessWords({
    ...entry,
    entryId: '',
    at: new Date(entry.at),
    by: entry.actor,
    records: [],
    triedEmail: entry.accountId === null ? null : `account ${entry.accountId}`,
  });

/** One record by its id; of a longer list how many. */
const recordsIn = ({ recordIds }: Entry): string | number | null => {
  const [first, ...others] = recordIds;
  return first !== undefined && others.length === 0 ? first : recordIds.length || null;
};

/** Who signed in, viewed records and downloaded files, the latest first. */
export const accessTable = ({ entries, isMore }: ListedAccess, style: Style): string =>
  [
    tableOf(
      [
        { heading: 'When (UTC)', cell: ({ at }) => momentInUtc(new Date(at)) },
        { heading: 'Who', cell: whoIn },
        { heading: 'What', cell: whatIn },
        { heading: 'Records', cell: recordsIn },
      ],
      entries,
      style,
      'There is no such entry.',
    ),
    ...(isMore
      ? [style.bad('There are older entries than these. Ask for a period by --since and --until.')]
      : []),
  ].join('\n');
