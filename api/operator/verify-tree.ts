import { countInWords } from '../../domain/format-measures.ts';
import {
  compareLeaves,
  type LeafDifference,
  type NamedLeaf,
} from '../../transparency-log/compare-leaves.ts';
import {
  type CompactRange,
  createCompactRange,
  parseLeafPlace,
  type StoredTree,
} from '../../transparency-log/log-tree.ts';
import { isSame, type TreeHead } from '../../transparency-log/merkle-tree.ts';

/** Recorded earlier by the service or an auditor. */
export interface ClaimedHead {
  readonly size: number;
  /** `null` if no longer readable. */
  readonly root: Uint8Array | null;
  /** For example, "the checkpoint of 2026-05-12T14:03:21Z". */
  readonly name: string;
  readonly isOfThisLog: boolean;
}

export interface TreeToVerify {
  /** Before the log is read; `null` if there is no tree of this version. */
  readonly storedTree: StoredTree | null;
  /** Sorted by size. */
  readonly claimed: AsyncIterable<ClaimedHead>;
}

/** `$all` for the whole log. */
export type NoteProblem = (stream: string, problem: string, revision?: bigint) => void;

export interface TreeCheck {
  add(leaf: NamedLeaf): Promise<void>;
  /** Called at the end of the log. @returns tree of the events read */
  end(): Promise<TreeHead>;
}

const MAX_LOST_LISTED = 500;
const MAX_DIFFERENCES = 1_000;

const RESTORE = 'Restore the log from a backup.';

const DIFFERENCES: Readonly<Record<LeafDifference['kind'], (index: number) => string>> = {
  changed: (index) =>
    `is not the event that was written, which is leaf ${index} of the log’s tree: it was changed since. ${RESTORE}`,
  moved: (index) =>
    `stands in another place of the log than when it was written, as leaf ${index} of the log’s tree. ${RESTORE}`,
  added: (index) =>
    `was put into the log among older events, where the log’s tree holds leaf ${index}. ${RESTORE}`,
  gone: (index) => `is missing: it is leaf ${index} of the log’s tree. ${RESTORE}`,
};

/** The number of leaves in memory is limited, whatever the size of the log. */
export const createTreeCheck = (
  { storedTree, claimed }: TreeToVerify,
  note: NoteProblem,
): TreeCheck => {
  const tree = createCompactRange();
  const claims = createClaims(claimed, note);
  let rootAtStoredSize = tree.root();
  /** Only at the end is it known whether the log or the tree is wrong. */
  const differences: LeafDifference[] = [];

  const noteEvent = (event: string, problem: string): void => {
    const { stream, revision } = parseLeafPlace(event);
    note(stream, `Revision ${revision} ${problem}`, revision);
  };
  const comparison =
    storedTree &&
    compareLeaves(storedTree.leaves()[Symbol.asyncIterator](), (difference) => {
      if (differences.length < MAX_DIFFERENCES) differences.push(difference);
    });
  /** Up to a proven checkpoint the log is intact, so the stored tree is damaged. */
  const noteDifferences = ({ size, root }: StoredTree): void => {
    const proved = claims.proved();
    const ofLog = differences.filter(({ index }) => index >= proved);
    for (const { kind, event, index } of ofLog) noteEvent(event, DIFFERENCES[kind](index));
    const isOtherRoot =
      differences.length === 0 && tree.size() >= size && root && !isSame(root, rootAtStoredSize);
    if (root === null || ofLog.length < differences.length || isOtherRoot)
      note(
        '$all',
        'The log’s tree in the read tables is damaged. Run `rebuild`, which makes it from the log.',
      );
  };

  return {
    async add(leaf) {
      if (tree.size() === 0) await claims.compare(tree);
      tree.add(leaf.hash);
      if (tree.size() === storedTree?.size) rootAtStoredSize = tree.root();
      await comparison?.add(leaf);
      await claims.compare(tree);
    },
    async end() {
      const lost = await comparison?.end(MAX_LOST_LISTED);
      if (lost !== undefined && lost.count > 0) {
        note(
          '$all',
          `The end of the log is missing: ${countInWords(lost.count, 'event')} from leaf ${lost.from} of its tree on. Restore the newer log from a backup, or run \`rebuild\` if this log is the right one.`,
        );
        for (const [at, event] of lost.events.entries())
          noteEvent(event, `is lost with the end of the log, leaf ${lost.from + at} of its tree.`);
      }
      await claims.end(tree);
      if (storedTree !== null) noteDifferences(storedTree);
      return { size: tree.size(), root: tree.root() };
    },
  };
};

type KnownHead = ClaimedHead & TreeHead;

const createClaims = (claimed: AsyncIterable<ClaimedHead>, note: NoteProblem) => {
  const heads = claimed[Symbol.asyncIterator]();
  let next: Promise<KnownHead | null> | null = null;
  let [broken, damaged, proved] = [0, 0, 0];
  const read = async (): Promise<KnownHead | null> => {
    for (;;) {
      const { done, value } = await heads.next();
      if (done === true) return null;
      const { root } = value;
      if (root !== null) {
        if (!value.isOfThisLog)
          note(
            '$all',
            `${capitalize(value.name)} is not signed with a key of this log. It is that of another log, or the whole log was replaced.`,
          );
        return { ...value, root };
      }
      damaged += 1;
      if (damaged === 1)
        note(
          '$all',
          `${capitalize(value.name)}, for ${countInWords(value.size, 'event')}, is not as it was signed. Restore the database from a backup.`,
        );
    }
  };
  /** Leaves a head that is larger than the tree. */
  const take = async (size: number): Promise<KnownHead | null> => {
    next ??= read();
    const claim = await next;
    if (claim === null || claim.size > size) return null;
    next = null;
    return claim;
  };
  return {
    /** Events covered by the largest matching checkpoint. */
    proved: () => proved,
    async compare(tree: CompactRange): Promise<void> {
      const size = tree.size();
      for (let claim = await take(size); claim !== null; claim = await take(size)) {
        if (isSame(claim.root, tree.root())) {
          if (claim.isOfThisLog) proved = claim.size;
          continue;
        }
        broken += 1;
        // A mismatch also breaks all later heads.
        if (broken === 1)
          note(
            '$all',
            `This is not the log that ${claim.name} was signed for: of its first ${countInWords(claim.size, 'event')} some were changed, added or removed since. ${RESTORE}`,
          );
      }
    },
    async end(tree: CompactRange): Promise<void> {
      await this.compare(tree);
      if (broken > 1)
        note('$all', `${countInWords(broken - 1, 'later checkpoint')} cannot fit either.`);
      let longest: KnownHead | null = null;
      for (let claim = await take(Infinity); claim !== null; claim = await take(Infinity))
        longest = claim;
      if (damaged > 1)
        note(
          '$all',
          `${countInWords(damaged - 1, 'other checkpoint is', 'other checkpoints are')} not as signed either.`,
        );
      if (longest !== null)
        note(
          '$all',
          `The end of the log is missing: ${longest.name} was signed for ${countInWords(longest.size, 'event')}, and the log holds ${tree.size()}. ${RESTORE}`,
        );
    },
  };
};

const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
